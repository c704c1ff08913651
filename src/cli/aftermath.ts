/** What follows when Zellij has returned, or when summoning has failed. */
import { armyStamp, removeArmyFiles } from "../agent/army-files.ts";
import { sessionState } from "../zellij/sessions.ts";
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
    if ((await sessionState(army.zellij, army.session)) === "live") {
      sayLine(machine, `${texts.stillLive(army.session)} ${texts.attachLater(army.session)}`);
      return;
    }
    if (armyStamp(army.relayDir) === stamp) await undoSummon(army, { keepMail: false });
    sayLine(machine, texts.ended(army.session));
  });
  return machine.stop.aborted ? signalCode(machine.stop) : EXIT.done;
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
