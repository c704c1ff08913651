/** A new path under `tmp/` for a file that is still being written. */
import { join } from "node:path";
import { asideName } from "./paths.ts";
import type { Store } from "./store.ts";

export function asideFor(store: Store): string {
  return join(store.paths.tmp, asideName(store.owner, store.nextId()));
}
