/** Where the notes on a project are kept: one folder for each project, named after its path. */
import { join } from "node:path";
import { findCheckout } from "../system/git-checkout.ts";
import type { Environment } from "./environment.ts";
import { absolutePath, configFolder } from "./folders.ts";

/** `cwd` is asked only where the environment does not name the folder. */
export function insightFolder(env: Environment, cwd: () => string): string {
  if (env["OVLD_INSIGHT_DIR"]) return absolutePath(env, "OVLD_INSIGHT_DIR");
  return join(configFolder(env), "insight", nameProject(projectOf(cwd())));
}

/** Subfolders and worktrees of one checkout are one project. */
function projectOf(folder: string): string {
  return findCheckout(folder)?.main ?? folder;
}

/** File systems take names of up to 255 bytes; a character has up to four. */
const MOST_BYTES = 255;
const KEPT_CHARACTERS = 50;

/**
 * `/home/ann/my app` becomes `home+ann+my%20app`: readable, different for each path, and without a character that a
 * shell or a pattern would take for something else. Of a path too long for that, the end is kept, behind a hash.
 */
export function nameProject(path: string): string {
  const parts = path.split("/").filter((part) => part !== "");
  const name = parts.map(escapePart).join("+") || "+";
  if (Buffer.byteLength(name) <= MOST_BYTES) return name;
  const hash = process.getBuiltinModule("node:crypto").createHash("sha256").update(path).digest("hex");
  return `${hash.slice(0, 16)}+${Array.from(name).slice(-KEPT_CHARACTERS).join("")}`;
}

function escapePart(part: string): string {
  return part.replaceAll(/[^\p{L}\p{N}\p{M}._-]/gu, (character) =>
    [...Buffer.from(character)]
      .map((byte) => `%${byte.toString(16).padStart(2, "0").toUpperCase()}`)
      .join(""),
  );
}
