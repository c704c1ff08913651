/**
 * Gives the roles their rituals, each as a prompt of its own, once its agent is ready.
 *
 * In marching order, one at a time; whoever is not ready is passed over and asked again, while the others go on. The
 * text goes by pane id, so it lands right wherever the focus is; the focus moves along only for the person to see.
 * Nothing is written to the terminal, which may be Zellij's: what became of each role is returned.
 */
import { MARCHING_ORDER } from "../army/formation.ts";
import type { Role } from "../army/roles.ts";
import type { RitualOutcome, RitualWait } from "../mail/journal.ts";
import { OvldError } from "../system/ovld-error.ts";
import { pause } from "../system/pause.ts";
import { focusPane } from "../zellij/focus.ts";
import { giveRitual, type Attempt, type Giving } from "./give-ritual.ts";
import type { Rituals } from "./load-rituals.ts";
import { lookAtAgent } from "./look-at-agent.ts";

export interface Injection extends Giving {
  texts: Rituals;
  /** How long an agent has to get ready. */
  patienceMs: number;
  /** Told what a role is seen to wait for, and again when that changes. */
  onWait?: ((role: Role, waits: RitualWait) => void) | undefined;
}

export interface RitualResult {
  role: Role;
  outcome: RitualOutcome;
  /** What an agent that did not get ready was waiting for. */
  why?: RitualWait | undefined;
}

export const PATIENCE_MS = 120_000;
const BETWEEN_ROLES_MS = 1_000;
const LOOK_EVERY_MS = 500;
const LOOK_CLOSELY_EVERY_MS = 2_000;

/** In marching order, whoever was served first. */
export async function injectRituals(injection: Injection): Promise<RitualResult[]> {
  const { mail, texts, stop, onWait } = injection;
  const until = Date.now() + injection.patienceMs;
  const queue = new Set(MARCHING_ORDER.filter((role) => texts.has(role)));
  const waiting = new Map<Role, RitualWait>();
  const results = new Map<Role, RitualResult>();
  let typedAt = -Infinity;
  let lookedCloselyAt = Date.now();

  const settle = (result: RitualResult): void => {
    queue.delete(result.role);
    results.set(result.role, result);
    mail.note({ event: "ritual", ...result });
  };
  while (queue.size > 0 && !stop.aborted) {
    const isLast = Date.now() > until;
    const closely = isLast || Date.now() - lookedCloselyAt > LOOK_CLOSELY_EVERY_MS;
    if (closely) lookedCloselyAt = Date.now();
    if (!(await serveFirst(isLast, closely ? "closely" : "quickly"))) await pause(LOOK_EVERY_MS, stop);
  }
  for (const role of queue) settle({ role, outcome: "interrupted" });
  if (injection.focus && !stop.aborted) await leadHome(injection);
  return MARCHING_ORDER.flatMap((role) => results.get(role) ?? []);

  /** Types into one pane and returns true: then whoever stands further ahead may be ready too. */
  async function serveFirst(isLast: boolean, how: "quickly" | "closely"): Promise<boolean> {
    for (const role of queue) {
      const attempt = await attemptAt(role, how);
      if (stop.aborted && !wasTyped(attempt)) return false;
      if ("outcome" in attempt) {
        settle({ role, outcome: attempt.outcome });
        if (wasTyped(attempt)) return true;
        continue;
      }
      if (waiting.get(role) !== attempt.waits) onWait?.(role, attempt.waits);
      waiting.set(role, attempt.waits);
      if (isLast) settle({ role, outcome: "not-ready", why: attempt.waits });
    }
    return false;
  }

  async function attemptAt(role: Role, how: "quickly" | "closely"): Promise<Attempt> {
    try {
      const sight = await lookAtAgent({ ...injection, zellij: { ...injection.zellij, stop } }, role, how);
      if (!("ready" in sight)) return sight;
      await pause(typedAt + BETWEEN_ROLES_MS - Date.now(), stop);
      const attempt = await giveRitual(injection, role, texts.get(role) ?? "");
      if (wasTyped(attempt)) typedAt = Date.now();
      return attempt;
    } catch (error) {
      // Nothing was typed yet; a Zellij that is slow to answer may do so the next time.
      if (stop.aborted || error instanceof OvldError) return { waits: "no-answer" };
      throw error;
    }
  }
}

function wasTyped(attempt: Attempt): boolean {
  return "outcome" in attempt && (attempt.outcome === "given" || attempt.outcome === "not-taken");
}

async function leadHome({ zellij, session, stop }: Injection): Promise<void> {
  try {
    await focusPane({ ...zellij, stop }, session, "overlord");
  } catch (error) {
    // The rituals are given; where the focus is matters to nobody who cannot see it.
    if (!(error instanceof OvldError)) throw error;
  }
}
