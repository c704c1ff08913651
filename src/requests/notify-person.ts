/**
 * Tells the person that an agent waits for them or has written to them: by their own command, or else by a desktop
 * notification, where the desktop has a program for that. Nothing waits for it, and nothing depends on it.
 */
import { notifierFor } from "../system/platform.ts";
import { type Environment, runInGroup, startAndForget } from "../system/run-program.ts";
import { cleanForScreen, cleanLine, shorten } from "../system/clean-text.ts";

export function notifyPerson({ title, body }: { title: string; body: string }, env: Environment): void {
  const notifier = notifierFor(env);
  const [summary = "", words = ""] = [title, body].map((text) => cleanLine(cleanForScreen(text)));
  if (notifier) startAndForget(notifier.program, notifier.args(summary, words), env);
}

const COMMAND_MS = 10_000;

/**
 * Runs the person's own command, with the text on its stdin: other users can see a command's arguments. Returns how it
 * failed, if it did, and after how many seconds it was ended.
 */
export async function runNotifyCommand(
  command: string,
  text: string,
  env: Environment,
  deadlineMs = COMMAND_MS,
) {
  let said = "";
  const onOutput = (bytes: Buffer): void => void (said = shorten(`${said}${bytes.toString()}`, 500));
  const options = { env, deadlineMs, input: `${cleanForScreen(text)}\n`, onOutput };
  const { code, failure } = await runInGroup("/bin/sh", ["-c", command], options);
  if (code === 0) return undefined;
  return { code, seconds: failure === "deadline" ? deadlineMs / 1_000 : undefined, said: cleanLine(said) };
}
