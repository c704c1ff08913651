/** The sessions Zellij knows, and making and ending them. */
import { OvldError } from "../system/ovld-error.ts";
import { pause } from "../system/pause.ts";
import { runInForeground, type ProgramRun } from "../system/run-program.ts";
import { whileStarting } from "./start-guard.ts";
import { runZellij, runZellijAtOnce, saidBy, type Zellij } from "./zellij.ts";

export type SessionState = "live" | "exited" | "absent";

const LINE = /^(\S+) \[Created .+ ago\] ?(\(.*\))?\s*$/;
const NONE = /No active zellij sessions found/i;

async function listSessions(zellij: Zellij): Promise<Map<string, "live" | "exited">> {
  const run = await runZellij(zellij, "list-sessions", "--no-formatting");
  if (run.code !== 0 && !NONE.test(saidBy(run))) throw refused("list-sessions", saidBy(run));
  const sessions = new Map<string, "live" | "exited">();
  for (const line of run.stdout.split("\n")) {
    const [, name, suffix = ""] = LINE.exec(line) ?? [];
    if (name !== undefined) sessions.set(name, suffix.includes("EXITED") ? "exited" : "live");
  }
  return sessions;
}

export async function sessionState(zellij: Zellij, name: string): Promise<SessionState> {
  return (await listSessions(zellij)).get(name) ?? "absent";
}

/** What Zellij is called with to make a session of a layout, on the terminal it is given or without a client. */
export function creationArgs(name: string, layoutFile: string, where: "terminal" | "background"): string[] {
  return where === "terminal"
    ? ["--session", name, "--new-session-with-layout", layoutFile]
    : ["attach", "--create-background", name, "options", "--default-layout", layoutFile];
}

/** Makes a session without a client; false if the name is live already. */
export async function createInBackground(
  zellij: Zellij,
  name: string,
  layoutFile: string,
  stop: AbortSignal,
): Promise<boolean> {
  const args = creationArgs(name, layoutFile, "background");
  const run = await whileStarting(zellij, stop, () => runZellijAtOnce(zellij, ...args));
  if (run.code === 0) return true;
  if (/already exists/i.test(saidBy(run))) return false;
  throw refused("attach --create-background", saidBy(run));
}

/** Makes a session on this terminal and returns when the person leaves it or it ends. */
export function createInForeground(
  { program, env }: Zellij,
  name: string,
  layoutFile: string,
  stop: AbortSignal,
): Promise<ProgramRun> {
  return runInForeground(program, creationArgs(name, layoutFile, "terminal"), { env, stop });
}

export function attach({ program, env }: Zellij, name: string, stop: AbortSignal): Promise<ProgramRun> {
  return runInForeground(program, ["attach", name], { env, stop });
}

/** Neither the session nor what Zellij kept of it is there afterwards; false if there was nothing. */
export async function endSession(zellij: Zellij, name: string): Promise<boolean> {
  const found = await sessionState(zellij, name);
  if (found !== "absent") await runZellij(zellij, "kill-session", name);
  // Exit code 2 means that nothing was kept of it, which is as good.
  await runZellij(zellij, "delete-session", name, "--force");
  await waitUntilGone(zellij, name);
  return found !== "absent";
}

const GONE_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 50;

async function waitUntilGone(zellij: Zellij, name: string): Promise<void> {
  const until = Date.now() + GONE_WITHIN_MS;
  while ((await sessionState(zellij, name)) !== "absent") {
    if (Date.now() > until) throw refused("delete-session", `${name} is still listed`);
    await pause(LOOK_EVERY_MS);
  }
}

function refused(command: string, said: string): OvldError {
  return new OvldError({ code: "zellij-refused", facts: { command, said } });
}
