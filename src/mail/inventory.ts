/** What lies about in a store besides mail, for whoever looks after it. Looks without touching. */
import { lstatSync, readdirSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { isProcessAlive } from "../system/process-identity.ts";
import { ownerOfAside, STORE_FOLDERS, type StorePaths } from "./paths.ts";

export interface Inventory {
  /** Files that were being written when their writers died. */
  leftovers: number;
  /** Broken files that were set aside, and where. */
  quarantined: number;
  quarantine: string;
  /** The first of the store's folders that others than its owner can look into. */
  open: string | undefined;
  freeBytes: number | undefined;
}

const OTHERS = 0o077;

export function takeInventory(paths: StorePaths): Inventory {
  const folders = [paths.root, ...STORE_FOLDERS.map((name) => join(paths.root, name))];
  return {
    leftovers: namesIn(paths.tmp).filter((name) => !isProcessAlive(ownerOfAside(name))).length,
    quarantined: namesIn(paths.quarantine).length,
    quarantine: paths.quarantine,
    open: folders.find((path) => ((lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) !== 0),
    freeBytes: freeBytesAt(paths.root),
  };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function freeBytesAt(path: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
