/** Removes what writers left under `tmp/` when they were killed, and nothing that is not named as ours are. */
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
      // Somebody else was faster.
    }
  }
}
