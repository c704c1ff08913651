/**
 * Opens the desk's link in the person's browser, if there is one on this machine.
 *
 * Other users can see the arguments of a program. So the browser is told a file that only the person can read, and
 * the file leads to the link. It lies in the configuration folder, which the agents' settings keep them from reading.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { CommandContext } from "../command/command-context.ts";
import { openerFor } from "../system/platform.ts";
import { startAndForget } from "../system/run-program.ts";
import { deskFolder } from "../config/folders.ts";
import { formatForward } from "./page-html.ts";

/** A browser that opens it at all has done so by then. */
const OFFERED_FOR_MS = 30_000;

/** Returns how to remove the file before its time; undefined if nothing was opened. */
export function offerLink(
  { env, hasTerminal }: Pick<CommandContext, "env" | "hasTerminal">,
  link: string,
): (() => void) | undefined {
  const opener = hasTerminal ? openerFor(env) : undefined;
  if (opener === undefined) return undefined;
  try {
    const folder = deskFolder(env);
    const file = join(folder, `${process.pid}.html`);
    const withdraw = (): void => rmSync(file, { force: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // One that an earlier process with this pid left may be anything.
    withdraw();
    writeFileSync(file, formatForward(link), { mode: 0o600, flag: "wx" });
    startAndForget(opener, [pathToFileURL(file).href], env);
    setTimeout(withdraw, OFFERED_FOR_MS).unref();
    return withdraw;
  } catch {
    // The person has the link itself.
    return undefined;
  }
}
