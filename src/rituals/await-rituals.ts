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
import { lookAtRitual, type RitualField, type RitualSight } from "./look-at-ritual.ts";
import { LOOK_AT_NOTES_EVERY_MS, LOOK_AT_QUESTIONS_EVERY_MS, QUESTION_STANDS_FOR_MS } from "./timings.ts";

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

/** These do not pass by themselves, and there is no pane to type into. */
const HOPELESS: ReadonlySet<RitualWait> = new Set(["no-pane", "two-panes", "pane-ended", "session-gone"]);

export async function awaitRituals(awaiting: Awaiting): Promise<RitualResult[]> {
  const { roles, stop, patienceMs } = awaiting;
  const seen = new Map<Role, { sight: RitualSight | undefined; since: number; told: boolean }>();
  let lookedCloselyAt = performance.now();
  let changedAt = performance.now();
  for (;;) {
    const now = performance.now();
    const closely = now - lookedCloselyAt > LOOK_AT_QUESTIONS_EVERY_MS;
    if (closely) lookedCloselyAt = now;
    for (const role of roles) {
      const before = seen.get(role);
      if (before && (before.sight === undefined || HOPELESS.has(before.sight.waits))) continue;
      const sight = await lookOnce(awaiting, role, closely ? "closely" : "quickly", before?.sight);
      if (before && isSame(before.sight, sight)) continue;
      seen.set(role, { sight, since: now, told: false });
      changedAt = now;
    }
    tellOfWaits(awaiting, seen, now);
    const isOpen = ({ sight }: { sight: RitualSight | undefined }): boolean =>
      sight !== undefined && !HOPELESS.has(sight.waits);
    const isOver = ![...seen.values()].some(isOpen) || performance.now() - changedAt > patienceMs;
    if (isOver || stop.aborted) return roles.map((role) => resultOf(role, seen.get(role)?.sight));
    await pause(LOOK_AT_NOTES_EVERY_MS, stop);
  }
}

/** Between two close looks, what the pane showed last still counts. */
async function lookOnce(
  awaiting: Awaiting,
  role: Role,
  how: "quickly" | "closely",
  before: RitualSight | undefined,
): Promise<RitualSight | undefined> {
  try {
    const zellij = { ...awaiting.zellij, stop: awaiting.stop };
    const sight = await lookAtRitual({ ...awaiting, zellij }, role, how);
    if (how === "quickly" && sight !== undefined && before !== undefined) {
      return sight.waits === "starting" || sight.waits === before.waits ? before : sight;
    }
    return sight;
  } catch (error) {
    if (error instanceof OvldError) return before ?? { waits: "no-answer" };
    throw error;
  }
}

function tellOfWaits(
  { onWait }: Awaiting,
  seen: Map<Role, { sight: RitualSight | undefined; since: number; told: boolean }>,
  now: number,
): void {
  const groups = new Map<string, Role[]>();
  for (const [role, each] of seen) {
    if (each.told || each.sight === undefined || now - each.since < QUESTION_STANDS_FOR_MS) continue;
    each.told = true;
    const key = JSON.stringify(each.sight);
    groups.set(key, [...(groups.get(key) ?? []), role]);
  }
  for (const [[first, ...others]] of [...groups.values()].map((roles): [Role[]] => [roles])) {
    const sight = first && seen.get(first)?.sight;
    if (first && sight) onWait?.([first, ...others], sight);
  }
}

function isSame(one: RitualSight | undefined, other: RitualSight | undefined): boolean {
  return one?.waits === other?.waits && one?.words === other?.words;
}

function resultOf(role: Role, sight: RitualSight | undefined): RitualResult {
  if (sight === undefined) return { role, outcome: "given" };
  return { role, outcome: "waits", why: sight.waits, words: sight.words };
}
