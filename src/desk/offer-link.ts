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
import { type Environment, startAndForget } from "../system/run-program.ts";
import { deskFolder } from "../config/folders.ts";
import { formatForward } from "./page-html.ts";

export interface OfferedLink {
  /** Removes the file. */
  withdraw: () => void;
}

/** A browser that opens it at all has done so by then. */
const OFFERED_FOR_MS = 30_000;

export function offerLink(
  { env, hasTerminal }: Pick<CommandContext, "env" | "hasTerminal">,
  link: string,
  platform: NodeJS.Platform = process.platform,
): OfferedLink | undefined {
  const opener = hasTerminal ? openerFor(env, platform) : undefined;
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
    return { withdraw };
  } catch {
    // The person has the link itself.
    return undefined;
  }
}

/** Over SSH there is no browser here, and on a bare console there is none that could be seen. */
function openerFor(env: Environment, platform: NodeJS.Platform): string | undefined {
  if (env["SSH_CONNECTION"]) return undefined;
  if (platform === "darwin") return "open";
  return env["DISPLAY"] || env["WAYLAND_DISPLAY"] ? "xdg-open" : undefined;
}
