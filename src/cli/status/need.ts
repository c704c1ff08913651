/** What of an army needs the person: pure, from what is known of a role. */
import type { HoldReason } from "../../mail/agent-report.ts";
import type { ArmyView, RoleView } from "./army-view.ts";

export type Need =
  | { kind: "asking"; waitingFor: string | null }
  | { kind: "gone" }
  | { kind: "held"; why: HoldReason }
  | { kind: "unanswered"; attempts: number }
  | { kind: "blocked"; task: string };

/** Reasons for which nobody but the person can do something. */
const FOR_THE_PERSON: ReadonlySet<HoldReason> = new Set<HoldReason>([
  "draft",
  "no-composer",
  "no-pane",
  "two-panes",
  "pane-ended",
]);

/** In the order of urgency: whoever asks waits for an answer and does nothing else. */
const ORDER: Need["kind"][] = ["asking", "gone", "held", "unanswered", "blocked"];

export function needsIn({ state, roles }: ArmyView): { view: RoleView; need: Need }[] {
  if (state === "gone") return [];
  return roles
    .flatMap((view) => {
      const need = needOf(view);
      return need === undefined ? [] : [{ view, need }];
    })
    .toSorted((one, other) => ORDER.indexOf(one.need.kind) - ORDER.indexOf(other.need.kind));
}

function needOf({ agent, bell, status, task }: RoleView): Need | undefined {
  if (agent.state === "asking") return { kind: "asking", waitingFor: agent.waitingFor };
  if (agent.state === "gone") return { kind: "gone" };
  if (bell.bell === "held" && FOR_THE_PERSON.has(bell.why)) return { kind: "held", why: bell.why };
  if (bell.bell === "unanswered") return { kind: "unanswered", attempts: bell.attempt };
  return status === "blocked" ? { kind: "blocked", task } : undefined;
}
