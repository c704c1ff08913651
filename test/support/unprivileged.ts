/**
 * Runs processes to which file permissions apply: root may do everything, so tests that run as root use another user.
 */
import { chownSync, lchownSync, readdirSync } from "node:fs";
import { join } from "node:path";

const NOBODY = 65_534;

/** Spawn options for a process without privileges, which then owns the folder. */
export function giveToNobody(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  chownSync(folder, NOBODY, NOBODY);
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    lchownSync(join(folder, name), NOBODY, NOBODY);
  }
  return { uid: NOBODY, gid: NOBODY };
}

/** Words before a command: root may do everything, so its process gives up those capabilities. */
export function withoutRootsPowers(): string[] {
  return process.getuid?.() === 0 ? ["setpriv", "--inh-caps=-all", "--bounding-set=-all"] : [];
}
