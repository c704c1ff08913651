/** What in an army needs the person's attention, from what is known about each role. Pure. */
import type { Role, Sender, Spender } from "../army/roles.ts";
import { reachedFor } from "../bell/judge-budget.ts";
import { DEFAULT_SESSION, type HoldReason, type RitualWait } from "../army/words.ts";
import { formatFailure, formatWait } from "../i18n/sentences.ts";
import type { Texts } from "../i18n/texts.ts";
import type { AgentRequest } from "../mail/records/request.ts";
import { summarizeRequest } from "../requests/describe-request.ts";
import type { Letter } from "../person/letters.ts";
import type { RitualSight } from "../rituals/await-rituals.ts";
import { cleanLine, cleanProse, shorten } from "../system/clean-text.ts";
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
  /** Agents have only written to each other, and the person says whether they go on. */
  | { kind: "brake"; from: Sender[]; messages: number }
  /** Whose budget is used up; or whose tokens cannot be counted, if that is why. */
  | { kind: "budget"; spender: Spender; uncounted: readonly Role[] }
  | { kind: "held"; why: HoldReason }
  | { kind: "unanswered"; attempts: number }
  /** It has written to the person, and waits for their answer. */
  | { kind: "question"; question: Letter | null; task: string }
  /** It has not answered the person. */
  | { kind: "stalled"; subject: string }
  | { kind: "blocked"; task: string };

/** Reasons that only the person can resolve. */
const FOR_THE_PERSON = new Set<HoldReason>([
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
const PASSING = new Set<RitualWait>(["starting", "busy", "no-answer", "state-unknown", "budget"]);

/** Most urgent first: an agent that asks does nothing until it has an answer. */
const ORDER = [
  "asking",
  "question",
  "suspended",
  "gone",
  "cut-off",
  "ritual",
  "failed",
  "budget",
  "brake",
  "held",
  "unanswered",
  "stalled",
  "blocked",
];

export function needsIn({ state, roles, budget }: ArmyView): { view: RoleView; need: Need }[] {
  if (state === "gone") return [];
  const found = roles.flatMap((view) => {
    const need = needOf(view, budget);
    return need === undefined ? [] : [{ view, need }];
  });
  return found.toSorted((one, other) => ORDER.indexOf(one.need.kind) - ORDER.indexOf(other.need.kind));
}

function needOf(view: RoleView, budget: ArmyView["budget"]): Need | undefined {
  const { role, agent, isCutOff, tab, bell, braked, ritual, status, task, away } = view;
  const { waitsFor, question, hasAnswer } = view;
  const [request] = view.requests;
  const asks: Need | undefined =
    waitsFor === "human" && !hasAnswer ? { kind: "question", question, task } : undefined;
  // What else a role on another machine needs is seen and answered there.
  if (away !== null) return question === null ? undefined : asks;
  if (agent.state === "asking" || request) return { kind: "asking", waitingFor: agent.waitingFor, request };
  if (agent.state === "suspended") return { kind: "suspended" };
  if (agent.state === "gone") return { kind: "gone", closed: tab === null };
  if (isCutOff) return { kind: "cut-off" };
  if (ritual && !PASSING.has(ritual.waits)) return { kind: "ritual", sight: ritual };
  if (agent.state === "failed") {
    const { error = "unknown", until = null } = agent.failure ?? {};
    return { kind: "failed", error, until };
  }
  const spender = reachedFor(budget, view.role);
  if (spender !== undefined) return { kind: "budget", spender, uncounted: budget?.[spender].uncounted ?? [] };
  if (braked?.isStopped === false) return { kind: "brake", ...braked };
  if (bell.state === "held" && FOR_THE_PERSON.has(bell.why)) return { kind: "held", why: bell.why };
  if (bell.state === "unanswered") return { kind: "unanswered", attempts: bell.attempt };
  if (asks) return asks;
  const [forgotten] = view.stalled.filter(({ from }) => from === "human");
  if (forgotten) return { kind: "stalled", subject: forgotten.subject };
  // Of any other role that does not say for whom it waits, somebody in the army knows what for: only the overlord has
  // nobody but the person.
  return status === "blocked" && waitsFor === null && role === "overlord"
    ? { kind: "blocked", task }
    : undefined;
}

const MOST_CHARACTERS = 200;

/** On one line: the subject and the beginning of the text, unless the subject is made of the same words. */
export function summarizeLetter({ subject, body }: Pick<Letter, "subject" | "body">): string {
  const [title = "", words = ""] = [subject, body].map((text) => cleanLine(cleanProse(text)));
  const both = words.startsWith(title.replace(/…$/, "")) ? words : `${title}: ${words}`;
  return shorten(words === "" ? title : both, MOST_CHARACTERS);
}

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
    case "budget":
      return needs.budget(need.spender, need.uncounted);
    case "brake":
      return needs.brake(role, need.from, need.messages);
    case "held":
      return needs.held(role, texts.holds[need.why]);
    case "unanswered":
      return needs.unanswered(role, need.attempts);
    case "question":
      return needs.question(role, need.question ? summarizeLetter(need.question) : need.task);
    case "stalled":
      return needs.stalled(role, need.subject);
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
  if (need.kind === "suspended") return `ovld restart --continue ${role}${flag}`;
  if (need.kind === "asking" && need.request && need.request.kind !== "oversized")
    return `ovld answer ${role}${flag}`;
  if (need.kind === "brake" || need.kind === "budget") return `ovld answer ${role} allow|deny${flag}`;
  if (need.kind === "question" && need.question) return `ovld reply ${need.question.id} "…"${flag}`;
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
