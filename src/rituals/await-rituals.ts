/**
 * Waits until the roles have their rituals, which their own relays give them.
 *
 * Waiting has no effect on the rituals; a caller that stops waiting just learns less. It ends when every role has its
 * ritual or cannot get one, or when nothing has changed for a while.
 */
import type { Role } from "../army/roles.ts";
import type { RitualWait } from "../army/words.ts";
import { OvldError } from "../system/ovld-error.ts";
import { pause } from "../system/async.ts";
import { linkOfArmy } from "../agent/agent-link.ts";
import { hasNoRitualYet } from "./ritual-file.ts";
import type { Mail } from "../mail/mail.ts";
import { findPane, typistAt } from "../zellij/panes.ts";
import type { Zellij } from "../zellij/zellij.ts";
import { readinessOf } from "./readiness.ts";
import { cleanLine } from "../system/clean-text.ts";

export const RITUALS_STILL_FOR_MS = 120_000;
const LOOK_AT_QUESTIONS_EVERY_MS = 2_000;
/** A pane that has just started shows something else a moment later. */
const QUESTION_STANDS_FOR_MS = 1_500;

export interface RitualField {
  zellij: Zellij;
  session: string;
  relayDir: string;
  mail: Mail;
}

export interface RitualSight {
  waits: RitualWait;
  /** The question in its pane, if it is not one that ovld knows. */
  words?: string | undefined;
}

export interface Awaiting extends RitualField {
  roles: readonly Role[];
  /** How long to wait without a change. */
  patienceMs: number;
  /** Called with the roles that wait for the same thing, once it has stayed the same for a moment. */
  onWait?: ((roles: Role[], sight: RitualSight) => void) | undefined;
  stop: AbortSignal;
}

export interface RitualResult {
  role: Role;
  outcome: "given" | "waits";
  why?: RitualWait | undefined;
  words?: string | undefined;
}

interface Seen {
  sight: RitualSight | undefined;
  since: number;
  told: boolean;
}

/** These do not pass by themselves, and there is no pane to type into. */
const HOPELESS: ReadonlySet<RitualWait> = new Set(["no-pane", "two-panes", "pane-ended", "session-gone"]);

export async function awaitRituals(awaiting: Awaiting): Promise<RitualResult[]> {
  const { roles, stop, patienceMs } = awaiting;
  const field = { ...awaiting, zellij: { ...awaiting.zellij, stop } };
  const seen = new Map<Role, Seen>();
  const isOpen = ({ sight }: Seen): boolean => sight !== undefined && !HOPELESS.has(sight.waits);
  let lookedCloselyAt = performance.now();
  let changedAt = performance.now();
  for (;;) {
    const now = performance.now();
    const how = now - lookedCloselyAt > LOOK_AT_QUESTIONS_EVERY_MS ? "closely" : "quickly";
    if (how === "closely") lookedCloselyAt = now;
    for (const role of roles) {
      const before = seen.get(role);
      if (before && !isOpen(before)) continue;
      const sight = await lookOnce(field, role, how, before?.sight);
      if (before && before.sight?.waits === sight?.waits && before.sight?.words === sight?.words) continue;
      seen.set(role, { sight, since: now, told: false });
      changedAt = now;
    }
    reportWaits(awaiting, seen, now);
    const isOver = ![...seen.values()].some(isOpen) || performance.now() - changedAt > patienceMs;
    if (isOver || stop.aborted) return roles.map((role) => describeResult(role, seen.get(role)?.sight));
    await pause(250, stop);
  }
}

/** Between two close looks, what the pane showed last still counts. */
async function lookOnce(
  field: RitualField,
  role: Role,
  how: "quickly" | "closely",
  before: RitualSight | undefined,
): Promise<RitualSight | undefined> {
  try {
    const sight = await lookAtRitual(field, role, how);
    const isUnsaid = sight?.waits === "starting" || sight?.waits === before?.waits;
    return how === "quickly" && sight && before && isUnsaid ? before : sight;
  } catch (error) {
    if (error instanceof OvldError) return before ?? { waits: "no-answer" };
    throw error;
  }
}

function reportWaits({ onWait }: Awaiting, seen: Map<Role, Seen>, now: number): void {
  const groups = new Map<string, [RitualSight, Role[]]>();
  for (const [role, each] of seen) {
    if (each.told || each.sight === undefined || now - each.since < QUESTION_STANDS_FOR_MS) continue;
    each.told = true;
    const key = JSON.stringify(each.sight);
    const [, others = []] = groups.get(key) ?? [];
    groups.set(key, [each.sight, [...others, role]]);
  }
  for (const [sight, roles] of groups.values()) onWait?.(roles, sight);
}

function describeResult(role: Role, sight: RitualSight | undefined): RitualResult {
  if (sight === undefined) return { role, outcome: "given" };
  return { role, outcome: "waits", why: sight.waits, words: sight.words };
}

/** In these cases the pane, if there is one, says more than the relay. */
const ASK_THE_PANE: ReadonlySet<RitualWait> = new Set(["starting", "no-composer", "asking", "no-answer"]);

/**
 * What a role's ritual waits for: from its relay's report, otherwise from its pane. Undefined if the role has its ritual
 * or needs none. A quick look does not call Zellij.
 */
export async function lookAtRitual(
  { zellij, session, relayDir, mail }: RitualField,
  role: Role,
  how: "quickly" | "closely",
): Promise<RitualSight | undefined> {
  const report = mail.agentReport(role);
  const announced = report !== undefined && report.state !== "gone";
  const agent = announced || !isFromBefore(mail, role) ? report?.agent : undefined;
  if (!hasNoRitualYet(mail, relayDir, role, agent)) return undefined;
  const waits = (announced ? report.ritualWait : undefined) ?? "starting";
  if (how === "quickly" || !ASK_THE_PANE.has(waits)) return { waits };
  const pane = await findPane(zellij, session, role, announced ? report.pane : undefined);
  if (typeof pane === "string") return { waits: pane };
  const screen = await typistAt(zellij, session, pane).screen();
  const agentScreen = linkOfArmy(mail).screen;
  if (agentScreen === undefined) return { waits };
  const seen = readinessOf({ announced, state: report?.state, screen, agentScreen });
  if (seen === "ready") return { waits };
  const isUnknown = seen === "asks-first" || seen === "no-composer" || seen === "asking";
  return { waits: seen, ...(isUnknown && { words: readQuestion(screen) || undefined }) };
}

/** Whether everything known about the role's agent is from before the army was summoned. */
function isFromBefore(mail: Mail, role: Role): boolean {
  const known = mail.conversation(role);
  const summoned = mail.army()?.summoned;
  return known !== undefined && summoned !== undefined && known.started < summoned;
}

const LONGEST = 200;
/** Rules, frames and blocks are drawing, not words. */
const DRAWING = /[\u2500-\u259f▔▁✻❯›●⏸]+/gu;

/**
 * The question in a pane, in its own words: the paragraph with the first question mark, or else the first lines; empty if
 * the screen shows no words.
 */
export function readQuestion(screen: readonly string[]): string {
  const lines = screen.map((line) => cleanLine(line.replaceAll(DRAWING, " ")));
  const paragraphs = lines
    .join("\n")
    .split(/\n\n+/)
    .map((paragraph) => paragraph.replaceAll(/\s+/g, " ").trim())
    .filter((paragraph) => /\p{L}/u.test(paragraph));
  const words = paragraphs.find((paragraph) => /[?？]/.test(paragraph)) ?? paragraphs.slice(0, 2).join(" ");
  return words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
}
