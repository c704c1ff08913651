/** A new path under `tmp/` for a file that is still being written; that of a message has the message's id. */
import { join } from "node:path";
import { asideName } from "./paths.ts";
import type { Store } from "./store.ts";

export function asideFor(store: Store, id = store.nextId()): string {
  return join(store.paths.tmp, asideName(store.owner, id));
}
