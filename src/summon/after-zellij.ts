/** What follows when Zellij has returned, or when summoning has failed. */
import { armyStamp } from "../agent/army-files.ts";
import { pause } from "../system/pause.ts";
import { waitForAnyPane } from "../zellij/panes.ts";
import { presentName, recordSession, serverState } from "../zellij/session-record.ts";
import { sessionState } from "../zellij/sessions.ts";
import { waitForSocket } from "../zellij/socket.ts";
import { announcedProcesses, holdingArmy, type Army } from "./army.ts";
import { EXIT } from "../command/exit-code.ts";
import { sayLine, signalCode, type CommandContext } from "../command/command-context.ts";
import { takeDownArmy, tellTakeDown } from "./take-down.ts";

/**
 * Zellij has returned: the person has left, or the session has ended. In the meantime somebody may have ended this
 * army and summoned another of its name, which is not ours to clean up: `stamp` tells the two apart.
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
      // After a quit, too, if a call of Zellij was under way just then.
      sayLine(context, `${texts.stillLive(name)} ${texts.attachLater(name)}`);
      sayLine(context, texts.endLater(name));
    } else if (life === "lost") {
      sayLine(context, `${texts.outOfReach(name)} ${texts.endLater(army.session)}`);
    } else if (armyStamp(army.relayDir) === stamp) {
      tellTakeDown(context, name, await takeDownArmy(army, { keep: "unread mail" }));
    } else sayLine(context, texts.endedAlready(name));
  });
  return context.stop.aborted ? signalCode(context.stop) : EXIT.done;
}

/** Whoever was asked to end while the session was being made ends it, even if it comes late. */
export async function endLateSession(context: CommandContext, army: Army): Promise<void> {
  if (context.stop.aborted && (await lifeOf(context, army)) !== "ended")
    await takeDownArmy(army, { keep: "nothing" });
}

/** Lost: its server or its agents live, but nothing leads to the session any more. */
type Life = "live" | "lost" | "ended";

/** A server that is ending is gone by then. */
const LEAVES_WITHIN_MS = 500;
/** A client that was stopped while it started may have a server behind it that is not there yet, but will be. */
const LATE_START_MS = 3_000;

/** That Zellij does not know the name proves nothing: a session that was renamed is not known by its old one. */
async function lifeOf({ stop }: CommandContext, army: Army): Promise<Life> {
  const { zellij, session } = army;
  await waitWhile(() => serverState(zellij) === "alive", LEAVES_WITHIN_MS);
  if (serverState(zellij) === "dead") return "ended";
  const isListed = async (): Promise<boolean> => (await sessionState(zellij, session)) === "live";
  const late = AbortSignal.timeout(LATE_START_MS);
  const found = await isListed();
  if (!found && stop.aborted) await waitForSocket(zellij, session, late);
  // One whose client went before it had given its layout is listed for a moment, and goes without ever having a pane.
  if (found || stop.aborted) await waitForAnyPane(zellij, session, late);
  if (await isListed()) {
    if (serverState(zellij) === "unknown") recordSession(zellij, session);
    return "live";
  }
  const livesOn = (): boolean => {
    const server = serverState(zellij);
    if (server !== "unknown") return server === "alive";
    return announcedProcesses(army.relayDir).ours.length > 0;
  };
  await waitWhile(livesOn, LATE_START_MS);
  return livesOn() ? "lost" : "ended";
}

const LOOK_EVERY_MS = 25;

async function waitWhile(holds: () => boolean, atMostMs: number): Promise<void> {
  const until = performance.now() + atMostMs;
  while (holds() && performance.now() < until) await pause(LOOK_EVERY_MS);
}
