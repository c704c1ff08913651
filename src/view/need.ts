/** What in an army needs the person's attention, from what is known about each role. Pure. */
import type { HoldReason, RitualWait } from "../army/words.ts";
import type { AgentRequest } from "../mail/records/request.ts";
import type { RitualSight } from "../rituals/await-rituals.ts";
import type { ArmyView, RoleView } from "./army-view.ts";

export type Need =
  /** `request` is set if it can be answered outside the pane. */
  | { kind: "asking"; waitingFor: string | null; request: AgentRequest | undefined }
  | { kind: "suspended" }
  /** `closed`: whether its pane is gone as well. */
  | { kind: "gone"; closed: boolean }
  | { kind: "cut-off" }
  | { kind: "ritual"; sight: RitualSight }
  | { kind: "failed"; error: string; until: string | null }
  | { kind: "held"; why: HoldReason }
  | { kind: "unanswered"; attempts: number }
  | { kind: "blocked"; task: string };

/** Reasons that only the person can resolve. */
const FOR_THE_PERSON: ReadonlySet<HoldReason> = new Set<HoldReason>([
  "draft",
  "no-composer",
  "no-pane",
  "two-panes",
  "pane-ended",
  "session-gone",
  "not-taken-back",
  "pane-too-small",
  "pane-scrolled",
]);

/** What a ritual may wait for that passes by itself. */
const PASSING: ReadonlySet<RitualWait> = new Set<RitualWait>([
  "starting",
  "busy",
  "no-answer",
  "state-unknown",
]);

/** Most urgent first: an agent that asks does nothing until it has an answer. */
const ORDER: Need["kind"][] = [
  "asking",
  "suspended",
  "gone",
  "cut-off",
  "ritual",
  "failed",
  "held",
  "unanswered",
  "blocked",
];

export function needsIn({ state, roles }: ArmyView): { view: RoleView; need: Need }[] {
  if (state === "gone") return [];
  return (
    roles
      // What a role on another machine needs is seen and answered there.
      .filter(({ away }) => away === null)
      .flatMap((view) => {
        const need = needOf(view);
        return need === undefined ? [] : [{ view, need }];
      })
      .toSorted((one, other) => ORDER.indexOf(one.need.kind) - ORDER.indexOf(other.need.kind))
  );
}

function needOf({ agent, requests, isCutOff, tab, bell, ritual, status, task }: RoleView): Need | undefined {
  const [request] = requests;
  if (agent.state === "asking" || request) return { kind: "asking", waitingFor: agent.waitingFor, request };
  if (agent.state === "suspended") return { kind: "suspended" };
  if (agent.state === "gone") return { kind: "gone", closed: tab === null };
  if (isCutOff) return { kind: "cut-off" };
  if (ritual && !PASSING.has(ritual.waits)) return { kind: "ritual", sight: ritual };
  if (agent.state === "failed") {
    const { error = "unknown", until = null } = agent.failure ?? {};
    return { kind: "failed", error, until };
  }
  if (bell.state === "held" && FOR_THE_PERSON.has(bell.why)) return { kind: "held", why: bell.why };
  if (bell.state === "unanswered") return { kind: "unanswered", attempts: bell.attempt };
  return status === "blocked" ? { kind: "blocked", task } : undefined;
}
