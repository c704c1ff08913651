/** What to do when Zellij has returned, or when summoning has failed. */
import { printEndedArmy, endArmy } from "./end-army.ts";
import { EXIT } from "../army/errors.ts";
import { sayLine, signalCode, type CommandContext } from "../command/command-context.ts";
import { waitUntil } from "../system/async.ts";
import { isResting } from "../system/process.ts";
import { waitForAnyPane } from "../zellij/panes.ts";
import { livingServer, presentName, recordSession, serverState } from "../zellij/session-record.ts";
import { listedState } from "../zellij/sessions.ts";
import { waitForSocket } from "../zellij/socket.ts";
import { armyStamp } from "./army-files.ts";
import { holdingArmy, type Army } from "./army.ts";
import { hasLivingSession } from "./processes.ts";

/** Long enough for an ending server to be gone. */
const SERVER_LEAVES_WITHIN_MS = 500;
/** Longer only if it is stopped, or on a machine that is very busy. */
const SERVER_RESTS_WITHIN_MS = 5_000;
/** A client that was stopped while starting may leave a server that has yet to appear. */
const SERVER_APPEARS_WITHIN_MS = 3_000;

/**
 * Zellij has returned: the person has left, or the session has ended. In the meantime this army may have been ended
 * and another one summoned with the same name, which must not be cleaned up here; `stamp` tells the two apart.
 */
export async function afterZellij(
  context: CommandContext,
  army: Army,
  stamp: string | undefined,
): Promise<number> {
  const texts = context.texts.session;
  const { signal: patiently } = new AbortController();
  await holdingArmy({ print: context.print, texts: context.texts, stop: patiently }, army, async () => {
    const life = await lifeOf(context, army);
    const name = presentName(army.zellij, army.session) ?? army.session;
    if (life === "live") {
      // This can also happen after a quit, if a Zellij call was running at that moment.
      sayLine(context, `${texts.stillLive(name)} ${texts.attachLater(name)}`);
      sayLine(context, texts.endLater(name));
    } else if (life === "lost") {
      sayLine(context, `${texts.outOfReach(name)} ${texts.endLater(army.session)}`);
    } else if (armyStamp(army.relayDir) === stamp) {
      printEndedArmy(context, name, await endArmy(army, { keep: "archive" }));
    } else sayLine(context, texts.endedAlready(name));
  });
  return context.stop.aborted ? signalCode(context.stop) : EXIT.done;
}

/** If summoning was interrupted while the session was being created, ends the session even if it appears late. */
export async function endLateSession(context: CommandContext, army: Army): Promise<void> {
  if (context.stop.aborted && (await lifeOf(context, army)) !== "ended")
    await endArmy(army, { keep: "nothing" });
}

/** Lost: its server or its agents are alive, but the session can no longer be reached. */
type Life = "live" | "lost" | "ended";

/** That Zellij does not list the name proves nothing: a renamed session is not known by its old name. */
async function lifeOf({ stop }: CommandContext, army: Army): Promise<Life> {
  const { zellij, session } = army;
  await waitWhile(() => serverState(zellij) === "alive", SERVER_LEAVES_WITHIN_MS);
  // When a person quits, Zellij lets the client go and then ends the session, unless another client is connected at
  // that moment, and a question is such a client. So a server that has not come that far yet is not asked. One that
  // has decided to end never answers, however long its end takes.
  await waitWhile(() => {
    const server = livingServer(zellij, session);
    return server !== undefined && !isResting(server);
  }, SERVER_RESTS_WITHIN_MS);
  if (serverState(zellij) === "dead") return "ended";
  const isListed = async (): Promise<boolean> => (await listedState(zellij, session)) === "live";
  const late = AbortSignal.timeout(SERVER_APPEARS_WITHIN_MS);
  const found = await isListed();
  if (!found && stop.aborted) await waitForSocket(zellij, session, late);
  // If its client left before passing on the layout, a session is listed for a moment and disappears without ever
  // having a pane.
  if (found || stop.aborted) await waitForAnyPane(zellij, session, late);
  if (await isListed()) {
    if (serverState(zellij) === "unknown") await recordSession(zellij, session);
    return "live";
  }
  const livesOn = (): boolean => hasLivingSession(army);
  await waitWhile(livesOn, SERVER_APPEARS_WITHIN_MS);
  return livesOn() ? "lost" : "ended";
}

async function waitWhile(holds: () => boolean, withinMs: number): Promise<void> {
  await waitUntil(() => !holds(), { everyMs: 25, withinMs });
}
