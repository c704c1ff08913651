/** Where the notes on a project are kept: one folder per project, named after its path. */
import { join } from "node:path";
import { findCheckout } from "../system/paths.ts";
import type { Environment } from "../system/run-program.ts";
import { absolutePath, configFolder } from "./folders.ts";

/** `cwd` is called only if the environment does not name the folder. */
export function insightFolder(env: Environment, cwd: () => string): string {
  if (env["OVLD_INSIGHT_DIR"]) return absolutePath(env, "OVLD_INSIGHT_DIR");
  return join(configFolder(env), "insight", nameProject(projectOf(cwd())));
}

/** Subfolders and worktrees of one checkout belong to the same project. */
function projectOf(folder: string): string {
  return findCheckout(folder)?.main ?? folder;
}

/** File systems allow names of up to 255 bytes; a character has up to four. */
const MOST_BYTES = 255;
const KEPT_CHARACTERS = 50;

/**
 * `/home/ann/my app` becomes `home+ann+my%20app`: readable, different for each path, and without characters that have
 * a meaning in a shell or a pattern. If the path is too long, its end is kept after a hash.
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
