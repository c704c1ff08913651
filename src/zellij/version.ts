/**
 * Which Zellij is new enough: 0.44.1 is the first that addresses a pane by its id and refuses a socket path that is
 * too long.
 */
import { isAtLeast } from "../system/version.ts";
import { type Zellij, runZellijAtOnce } from "./zellij.ts";

export const OLDEST_ZELLIJ = "0.44.1";

export type VersionCheck = { fits: true; version: string } | { fits: false; version: string } | "missing";

export async function checkZellij(zellij: Zellij): Promise<VersionCheck> {
  // This call connects to no socket.
  const run = await runZellijAtOnce(zellij, "--version");
  const version = /\d+\.\d+\.\d+/.exec(run.stdout)?.[0];
  if (run.failure === "missing" || run.code !== 0 || version === undefined) return "missing";
  return { fits: isAtLeast(version, OLDEST_ZELLIJ), version };
}
