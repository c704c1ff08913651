/** Finds the Git checkout that contains a folder, on disk and without running Git. */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readIfThere } from "./read-file.ts";

export interface Checkout {
  /** The folder that contains `.git`. */
  top: string;
  /** The same, or for an additional worktree the main checkout. */
  main: string;
}

export function findCheckout(folder: string): Checkout | undefined {
  const mark = join(folder, ".git");
  if (existsSync(mark)) return { top: folder, main: mainCheckoutOf(mark) ?? folder };
  const above = dirname(folder);
  return above === folder ? undefined : findCheckout(above);
}

/** Room for a path and a keyword. */
const MOST_BYTES = 64 * 1024;

/** In a worktree, `.git` is a file that names its folder inside the main checkout's `.git`. */
function mainCheckoutOf(mark: string): string | undefined {
  const [, gitDir] = /^gitdir: (.+)$/m.exec(readIfThere(mark, MOST_BYTES) ?? "") ?? [];
  if (gitDir === undefined) return undefined;
  const own = resolve(dirname(mark), gitDir);
  // Without `commondir` it is a submodule, which is a checkout of its own.
  const common = readIfThere(join(own, "commondir"), MOST_BYTES);
  return common === undefined ? undefined : dirname(resolve(own, common.trim()));
}
