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
/** Every how-manieth look is a close one. */
const CLOSE_LOOKS = 4;

/** In the order in which they were settled. */
export async function injectRituals(injection: Injection): Promise<RitualResult[]> {
  const { mail, texts, stop, onWait } = injection;
  const until = Date.now() + injection.patienceMs;
  const waiting = new Map<Role, RitualWait>();
  const results: RitualResult[] = [];
  const settle = (result: RitualResult): void => {
    mail.note({ event: "ritual", ...result });
    results.push(result);
  };
  let queue = MARCHING_ORDER.filter((role) => texts.has(role));
  let given = -Infinity;
  for (let round = 1; queue.length > 0 && !stop.aborted; round += 1) {
    const isLast = Date.now() > until;
    const how = isLast || round % CLOSE_LOOKS === 0 ? "closely" : "quickly";
    const left: Role[] = [];
    for (const role of queue) {
      const attempt = await attemptAt(role, how);
      if ("outcome" in attempt) {
        if (attempt.outcome === "interrupted") left.push(role);
        else settle({ role, outcome: attempt.outcome });
        continue;
      }
      if (waiting.get(role) !== attempt.waits) onWait?.(role, attempt.waits);
      waiting.set(role, attempt.waits);
      if (isLast) settle({ role, outcome: "not-ready", why: attempt.waits });
      else left.push(role);
    }
    queue = left;
    if (queue.length > 0) await pause(LOOK_EVERY_MS, stop);
  }
  for (const role of queue) settle({ role, outcome: "interrupted" });
  if (injection.focus && !stop.aborted) await leadHome(injection);
  return results;

  async function attemptAt(role: Role, how: "quickly" | "closely"): Promise<Attempt> {
    const text = texts.get(role);
    if (stop.aborted || text === undefined) return { outcome: "interrupted" };
    try {
      const sight = await lookAtAgent({ ...injection, zellij: { ...injection.zellij, stop } }, role, how);
      if (!("ready" in sight)) return sight;
      await pause(given + BETWEEN_ROLES_MS - Date.now(), stop);
      const attempt = await giveRitual(injection, role, text);
      if ("outcome" in attempt) given = Date.now();
      return attempt;
    } catch (error) {
      if (stop.aborted) return { outcome: "interrupted" };
      // Nothing was typed yet; a Zellij that is slow to answer may do so the next time.
      if (error instanceof OvldError) return { waits: "no-answer" };
      throw error;
    }
  }
}

async function leadHome({ zellij, session, stop }: Injection): Promise<void> {
  try {
    await focusPane({ ...zellij, stop }, session, "overlord");
  } catch (error) {
    // The rituals are given; where the focus is matters to nobody who cannot see it.
    if (!(error instanceof OvldError)) throw error;
  }
}
