/** Where a path leads, what is in a folder, and whether a folder can be made there. */
import { accessSync, constants, lstatSync, readdirSync, realpathSync, statSync, existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { tryTo, hasErrorCode } from "./file-error.ts";
import { readIfThere } from "./read-file.ts";

/** Follows every link in a path, to its one spelling; parts that do not exist yet stay as they are. */
export function resolveLinks(path: string): string {
  try {
    // The native one also knows how a disk that ignores case spells it.
    return realpathSync.native(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(resolveLinks(above), basename(path));
  }
}

/** Whether a folder exists and is writable, or could be created; undefined if so, otherwise where it fails. */
export function whyNotMakeFolder(path: string): { path: string } | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) return whyNotMakeFolder(dirname(path));
    accessSync(path, constants.W_OK | constants.X_OK);
    return found.isDirectory() ? undefined : { path };
  } catch (error) {
    // The path leads through a file; that file is the obstacle.
    return hasErrorCode(error, "ENOTDIR") ? whyNotMakeFolder(dirname(path)) : { path };
  }
}

/** The names in a folder; none if there is no such folder, or if it cannot be read. */
export function listFolder(path: string): string[] {
  return tryTo(() => readdirSync(path)) ?? [];
}

/** A link to a folder is none. */
export function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** A link to a file is none. */
export function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

export interface Checkout {
  /** The folder that contains `.git`. */
  top: string;
  /** The same, or for an additional worktree the main checkout. */
  main: string;
}

/** Finds the Git checkout that contains a folder, on disk and without running Git. */
export function findCheckout(folder: string): Checkout | undefined {
  const mark = join(folder, ".git");
  if (existsSync(mark)) return { top: folder, main: mainCheckoutOf(mark) ?? folder };
  const above = dirname(folder);
  return above === folder ? undefined : findCheckout(above);
}

/** In a worktree, `.git` is a file that names its folder inside the main checkout's `.git`. */
function mainCheckoutOf(mark: string): string | undefined {
  const [, gitDir] = /^gitdir: (.+)$/m.exec(readIfThere(mark) ?? "") ?? [];
  if (gitDir === undefined) return undefined;
  const own = resolve(dirname(mark), gitDir);
  // Without `commondir` it is a submodule, which is a checkout of its own.
  const common = readIfThere(join(own, "commondir"));
  return common === undefined ? undefined : dirname(resolve(own, common.trim()));
}
