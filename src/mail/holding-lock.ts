/** Runs an action while holding one of the store's locks; a store that has been removed is not recreated. */
import { explainFileError } from "../system/file-error.ts";
import { withLock } from "../system/lock-file.ts";
import { requireOwnFolders } from "./own-folders.ts";
import type { Store } from "./store.ts";

export async function holdingLock<Result>(
  { paths }: Store,
  lock: string,
  stop: AbortSignal,
  action: () => Promise<Result>,
): Promise<Result> {
  try {
    requireOwnFolders(paths.root, [paths.locks]);
    return await withLock(lock, stop, action, { makesParents: false });
  } catch (error) {
    throw explainFileError(error, lock);
  }
}
