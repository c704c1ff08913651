/** How much mail waits: in the inbox, and in the hands of readers that are not done with it. */
import { readdirSync } from "node:fs";
import type { Role } from "../army/roles.ts";
import { isMessageFileName } from "./paths.ts";
import type { Store } from "./store.ts";

/** Looks without touching, also where there is no store. */
export function countUnread(store: Store, role: Role): number {
  const { paths } = store;
  return countMessages(paths.inbox(role)) + countMessages(paths.claims(role));
}

function countMessages(folder: string): number {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
    return names.filter((name) => isMessageFileName(name.slice(name.lastIndexOf("/") + 1))).length;
  } catch {
    return 0;
  }
}
