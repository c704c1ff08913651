/** The sessions that Zellij knows; creates and ends them. */
import { waitUntil, watchMovement } from "../system/async.ts";
import { runInForeground, runProgram, type ProgramRun } from "../system/run-program.ts";
import { listClients } from "./panes.ts";
import { isReplaced, presentName, recordSession } from "./session-record.ts";
import { hasSocket, socketNames } from "./socket.ts";
import {
  askAgain,
  hanging,
  refused,
  runAction,
  runInView,
  saidBy,
  untilNobodyStarts,
  whileStarting,
  type Zellij,
} from "./zellij.ts";

/** What Zellij says about a session. Lost: its server is alive, but no socket leads to it any more. */
export type ListedState = "live" | "exited" | "absent" | "lost";

/** What Zellij says about an army's session, whatever its current name. */
export async function listedState(zellij: Zellij, session: string): Promise<ListedState> {
  const name = presentName(zellij, session);
  return name === undefined ? "lost" : stateByName(zellij, name);
}

/** A person may give a session any name, even one with spaces. */
const LINE = /^(.+) \[Created .+ ago\] ?(\(.*\))?\s*$/;
const NONE = /No active zellij sessions found/i;

const ANSWERS_WITHIN_MS = 5_000;

/**
 * Zellij may skip a busy server, so an unlisted session counts as absent only after several tries if something
 * listens on its socket.
 */
async function stateByName(
  zellij: Zellij,
  name: string,
  deadlineMs?: number,
): Promise<Exclude<ListedState, "lost">> {
  const look = async () => {
    const run = await runInView(zellij, name, ["list-sessions", "--no-formatting"], deadlineMs);
    if (run.code !== 0 && !NONE.test(saidBy(run))) throw refused("list-sessions", saidBy(run));
    const listed = run.stdout.split("\n").map((line) => LINE.exec(line) ?? []);
    return { line: listed.find(([, each]) => each === name), hasListener: run.hasListener };
  };
  const counts = ({ line, hasListener }: Awaited<ReturnType<typeof look>>): boolean =>
    line !== undefined || !hasListener;
  const { line } = await askAgain(look, counts, { attempts: 5, everyMs: 100, stop: zellij.stop });
  if (line === undefined) return "absent";
  return line[2]?.includes("EXITED") ? "exited" : "live";
}

/**
 * Before Zellij creates or enters a session, it asks every session and waits forever. So a session that does not
 * answer is named in an error instead.
 */
export async function expectAnswers(zellij: Zellij): Promise<void> {
  const { program, env } = zellij;
  const run = await runProgram(program, ["list-sessions"], { env, deadlineMs: 2_000 });
  if (run.failure !== "deadline") return;
  await Promise.all(socketNames(zellij).map((name) => stateByName(zellij, name, ANSWERS_WITHIN_MS)));
}

/** The arguments with which Zellij creates a session from a layout, on a terminal or without a client. */
export function creationArgs(name: string, layoutFile: string, where: "terminal" | "background"): string[] {
  return where === "terminal"
    ? ["--session", name, "--new-session-with-layout", layoutFile]
    : ["attach", "--create-background", name, "options", "--default-layout", layoutFile];
}

const START_STILL_FOR_MS = 20_000;
/** The limit even if there is progress: nothing takes that long. */
const START_AT_MOST_MS = 600_000;

/** Creates a session without a client; false if a session with this name is already running. */
export async function createInBackground(
  zellij: Zellij,
  name: string,
  layoutFile: string,
  stop: AbortSignal,
): Promise<boolean> {
  const args = creationArgs(name, layoutFile, "background");
  const run = await whileStarting(zellij, stop, async () => {
    await expectAnswers(zellij);
    const { stoodStill, close } = watchMovement(() => String(hasSocket(zellij, name)), START_STILL_FOR_MS);
    const { program, env } = zellij;
    const made = await runProgram(program, args, { env, deadlineMs: START_AT_MOST_MS, stop: stoodStill });
    close();
    if (stoodStill.aborted || made.failure === "deadline") throw hanging(args, START_STILL_FOR_MS);
    return made;
  });
  if (run.code === 0) await recordSession(zellij, name);
  else if (!/already exists/i.test(saidBy(run))) throw refused("attach --create-background", saidBy(run));
  return run.code === 0;
}

export async function attach(zellij: Zellij, session: string, stop: AbortSignal): Promise<ProgramRun> {
  await untilNobodyStarts(zellij);
  await expectAnswers(zellij);
  const { program, env } = zellij;
  return runInForeground(program, ["attach", presentName(zellij, session) ?? session], { env, stop });
}

/** Removes the session and what Zellij has saved of it. Another session that has taken its name is left alone. */
export async function endSession(zellij: Zellij, session: string): Promise<void> {
  const name = presentName(zellij, session);
  if (name === undefined || isReplaced(zellij, session)) return;
  const isThere = (await stateByName(zellij, name, ANSWERS_WITHIN_MS)) !== "absent";
  const killed = isThere ? await runInView(zellij, name, ["kill-session", name]) : undefined;
  const deleted = await runInView(zellij, name, ["delete-session", name, "--force"]);
  // Deleting exits with 2 if nothing was saved, and killing with 1 if nothing was running; both are fine.
  const failed = [killed, deleted].find((run) => run !== undefined && ![0, 2].includes(run.code ?? 1));
  const isGone = async (): Promise<boolean> => (await stateByName(zellij, name)) === "absent";
  // A request that Zellij refused will not be carried out later.
  const withinMs = failed === undefined ? 10_000 : 300;
  if (await waitUntil(isGone, { everyMs: 50, withinMs })) return;
  throw refused("delete-session", (failed && saidBy(failed)) || `${name} is still listed`);
}

/**
 * Moves the person from their current session to another, without nesting one client in another.
 *
 * False if nobody arrived there. A renamed session is not known by the name that its panes still have. Zellij moves
 * only a client in which a key was pressed; without one it does nothing and reports success. It also loses the action
 * now and then, so it is asked again as long as nobody has left.
 */
export async function switchSession(zellij: Zellij, from: string, to: string): Promise<boolean> {
  if (from === to) return true;
  if ((await listedState(zellij, from)) !== "live") return false;
  const countClients = async (session: string): Promise<number> =>
    (await listClients(zellij, session)).length;
  const [here, there] = [await countClients(from), await countClients(to)];
  const hasLeft = async (): Promise<boolean> => (await countClients(from)) < here;
  const hasArrived = async (): Promise<boolean> => (await countClients(to)) > there;
  const move = async (): Promise<boolean> => {
    // If the name does not exist, Zellij would create a session.
    await runAction(zellij, from, "switch-session", presentName(zellij, to) ?? to);
    return waitUntil(hasLeft, { everyMs: 100, withinMs: 2_000, stop: zellij.stop });
  };
  // Who has left is on the way, however long that takes on a busy machine.
  const isMoving = await askAgain(move, (left) => left);
  return waitUntil(hasArrived, { everyMs: 100, withinMs: isMoving ? 20_000 : 0, stop: zellij.stop });
}
