/**
 * Tells the person by a desktop notification that an agent waits for them, where the desktop has a program for that.
 * Nothing waits for it, and nothing depends on it.
 */
import { type Environment, startAndForget, findProgram } from "../system/run-program.ts";
import { cleanForScreen, cleanLine } from "../system/clean-text.ts";

export interface Notification {
  title: string;
  body: string;
}

export function notifyPerson(
  notification: Notification,
  env: Environment,
  platform: NodeJS.Platform = process.platform,
): void {
  const [name, ...args] = commandFor(notification, env, platform) ?? [];
  const program = name === undefined ? undefined : findProgram(name, env["PATH"]);
  if (program !== undefined) startAndForget(program, args, env);
}

/** Whether the desktop has such a program. */
export function hasNotifier(env: Environment, platform: NodeJS.Platform = process.platform): boolean {
  const [name] = commandFor({ title: "", body: "" }, env, platform) ?? [];
  return name !== undefined && findProgram(name, env["PATH"]) !== undefined;
}

/** The texts are arguments, never part of a script. */
const SCRIPT = [
  "on run argv",
  "display notification (item 2 of argv) with title (item 1 of argv)",
  "end run",
].flatMap((line) => ["-e", line]);

function commandFor(
  { title, body }: Notification,
  env: Environment,
  platform: NodeJS.Platform,
): string[] | undefined {
  const texts = [title, body].map((text) => cleanLine(cleanForScreen(text)));
  if (platform === "darwin") return ["osascript", ...SCRIPT, ...texts];
  // Without a desktop the program would wait for one.
  const hasDesktop = ["DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS"].some((each) => env[each]);
  if (!hasDesktop) return undefined;
  const [summary = "", words = ""] = texts;
  return ["notify-send", "--app-name=ovld", "--", summary, escapeMarkup(words)];
}

/** Many desktops read the body as markup. */
function escapeMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
