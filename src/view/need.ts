/** What in an army needs the person's attention, from what is known about each role. Pure. */
import type { Role } from "../army/roles.ts";
import { DEFAULT_SESSION, type HoldReason, type RitualWait } from "../army/words.ts";
import { formatFailure, formatWait } from "../i18n/sentences.ts";
import type { Texts } from "../i18n/texts.ts";
import type { AgentRequest } from "../mail/records/request.ts";
import { summarizeRequest } from "../requests/describe-request.ts";
import type { RitualSight } from "../rituals/await-rituals.ts";
import { cleanLine } from "../system/clean-text.ts";
import { shellWord } from "../system/text.ts";
import type { ArmyView, RoleView } from "./describe-army.ts";

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

/** As a sentence. */
export function formatNeed(
  need: Need,
  role: Role,
  texts: Pick<Texts, "status" | "rituals" | "holds" | "failures">,
): string {
  const { needs } = texts.status;
  switch (need.kind) {
    case "asking":
      return needs.asking(role, need.request ? summarizeRequest(need.request) : need.waitingFor);
    case "gone":
      return needs.gone(role, need.closed);
    case "suspended":
      return needs.suspended(role);
    case "cut-off":
      return needs.cutOff(role);
    case "ritual":
      return needs.ritual(role, formatWait(need.sight.waits, need.sight.words, texts));
    case "failed":
      return needs.failed(role, formatFailure(need.error, need.until, texts));
    case "held":
      return needs.held(role, texts.holds[need.why]);
    case "unanswered":
      return needs.unanswered(role, need.attempts);
    case "blocked":
      return needs.blocked(role, need.task);
  }
}

interface Whereabouts {
  session: string;
  /** The session in which the person is, if any. */
  within: string | undefined;
}

/** What the person can do about a need: a command, or where to go. */
export function formatWayTo(
  { session, within, view, need }: Whereabouts & { view: RoleView; need: Need },
  texts: Texts["status"],
): string {
  const { role, tab, tabNumber } = view;
  const flag = formatArmyFlag(session);
  if (need.kind === "suspended") return `ovld continue ${role}${flag}`;
  if (need.kind === "asking" && need.request && need.request.kind !== "oversized")
    return `ovld answer ${role}${flag}`;
  if (tab === null || tabNumber === null) return texts.beginAnew(flag);
  if (need.kind === "gone" || need.kind === "cut-off") return `ovld restart ${role}${flag}`;
  return formatWayToTab({ session, tab, tabNumber, within }, texts);
}

export function formatWayToTab(
  { session, within, tab, tabNumber }: Whereabouts & { tab: string; tabNumber: number },
  texts: Texts["status"],
): string {
  const key = `Ctrl-t ${tabNumber}`;
  return within === session
    ? texts.goThere(key, cleanLine(tab))
    : texts.attachFirst(`ovld summon${formatArmyFlag(session)}`, key, cleanLine(tab));
}

/** The flag that makes a command apply to this army. */
export function formatArmyFlag(session: string): string {
  return session === DEFAULT_SESSION ? "" : ` --army ${shellWord(session)}`;
}
