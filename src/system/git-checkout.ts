/** The Git checkout a folder lies in, found on disk, without Git. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

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

/** A worktree has a file there that names its folder in the main checkout's `.git`. */
function mainCheckoutOf(mark: string): string | undefined {
  try {
    const [, gitDir] = /^gitdir: (.+)$/m.exec(readFileSync(mark, "utf8")) ?? [];
    if (gitDir === undefined) return undefined;
    const own = resolve(dirname(mark), gitDir);
    return dirname(resolve(own, readFileSync(join(own, "commondir"), "utf8").trim()));
  } catch {
    // A folder, or the file of a submodule, which stands for itself.
    return undefined;
  }
}
