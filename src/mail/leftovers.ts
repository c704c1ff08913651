/** Removes files that killed writers left under `tmp/`, and only files whose names the store itself makes. */
import { readdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { isProcessAlive } from "../system/process-identity.ts";
import { isAsideName, ownerOfAside } from "./paths.ts";
import type { Store } from "./store.ts";

export function removeLeftovers(store: Store): void {
  for (const name of readdirSync(store.paths.tmp)) {
    if (!isAsideName(name) || isProcessAlive(ownerOfAside(name))) continue;
    try {
      unlinkSync(join(store.paths.tmp, name));
    } catch {
      // Another process removed it first.
    }
  }
}
