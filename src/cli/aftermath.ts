/** What follows when Zellij has returned, or when summoning has failed. */
import { armyStamp, removeArmyFiles } from "../agent/army-files.ts";
import { waitForAnyPane } from "../zellij/panes.ts";
import { sessionState } from "../zellij/sessions.ts";
import { waitForSocket } from "../zellij/socket.ts";
import { endArmySession, holdingArmy, removeArmy, type Army } from "./army.ts";
import { EXIT } from "./exit-code.ts";
import { sayLine, signalCode, textsOf, type Machine } from "./machine.ts";

/**
 * Zellij has returned: the person has left, or the session has ended. In the meantime somebody may have ended this
 * army and summoned another of its name, which is not ours to clean up: `stamp` tells the two apart.
 */
export async function afterZellij(machine: Machine, army: Army, stamp: string | undefined): Promise<number> {
  const texts = textsOf(machine);
  const { signal: patiently } = new AbortController();
  await holdingArmy(army, patiently, async () => {
    if (await isLive(machine, army)) {
      // After a quit, too, if a call of Zellij was under way just then.
      sayLine(machine, `${texts.stillLive(army.session)} ${texts.attachLater(army.session)}`);
      sayLine(machine, texts.endLater(army.session));
      return;
    }
    if (armyStamp(army.relayDir) === stamp) await undoSummon(army, { keepMail: false });
    sayLine(machine, texts.ended(army.session));
  });
  return machine.stop.aborted ? signalCode(machine.stop) : EXIT.done;
}

/** A client that was stopped while it started may have a server behind it that is not there yet, but will be. */
const LATE_START_MS = 3_000;

async function isLive({ stop }: Machine, { zellij, session }: Army): Promise<boolean> {
  const isListed = async (): Promise<boolean> => (await sessionState(zellij, session)) === "live";
  const late = AbortSignal.timeout(LATE_START_MS);
  if (!(await isListed())) {
    if (!stop.aborted) return false;
    await waitForSocket(zellij, session, late);
  }
  // One whose client went before it had given its layout is listed for a moment, and goes without ever having a pane.
  await waitForAnyPane(zellij, session, late);
  return isListed();
}

/** Whoever was asked to end while the session was being made ends it, even if it comes late. */
export async function endLateSession(machine: Machine, army: Army): Promise<void> {
  if (machine.stop.aborted && (await isLive(machine, army))) await undoSummon(army, { keepMail: false });
}

/** A session that will not go must not keep the rest from being cleaned up: the next summon tries again. */
export async function undoSummon(army: Army, { keepMail }: { keepMail: boolean }): Promise<void> {
  try {
    await endArmySession(army);
  } catch {
    // Told by whoever calls Zellij next.
  }
  if (keepMail) removeArmyFiles(army.relayDir);
  else removeArmy(army);
}
