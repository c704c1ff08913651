/** The Git checkout a folder lies in, found on disk, without Git. */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readIfThere } from "./read-own-file.ts";

export interface Checkout {
  /** The folder with `.git` in it. */
  top: string;
  /** The same, or for a further worktree the checkout it belongs to. */
  main: string;
}

export function findCheckout(folder: string): Checkout | undefined {
  const mark = join(folder, ".git");
  if (existsSync(mark)) return { top: folder, main: mainCheckoutOf(mark) ?? folder };
  const above = dirname(folder);
  return above === folder ? undefined : findCheckout(above);
}

/** A path, and a word before it. */
const MOST_BYTES = 64 * 1024;

/** A worktree has a file there that names its folder in the main checkout's `.git`. */
function mainCheckoutOf(mark: string): string | undefined {
  const [, gitDir] = /^gitdir: (.+)$/m.exec(readIfThere(mark, MOST_BYTES) ?? "") ?? [];
  if (gitDir === undefined) return undefined;
  const own = resolve(dirname(mark), gitDir);
  // A folder, or the file of a submodule, stands for itself.
  const common = readIfThere(join(own, "commondir"), MOST_BYTES);
  return common === undefined ? undefined : dirname(resolve(own, common.trim()));
}
