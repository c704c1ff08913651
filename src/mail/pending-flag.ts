/** The pending flag: while it stands, its role has been rung for and more mail does not ring again. */
import { unlinkSync } from "node:fs";
import type { Role, Sender } from "../army/roles.ts";
import { publishNewFile } from "../system/durable-files.ts";
import { hasErrorCode } from "../system/file-error.ts";
import { asideFor } from "./aside.ts";
import { access, type Store } from "./store.ts";

export interface FlagNote {
  /** Who rang. */
  by: Sender;
  /** How. */
  way: string;
}

/** True for exactly one of all who try at once. */
export function raiseFlag(store: Store, role: Role, note: FlagNote): boolean {
  return access(store, () =>
    publishNewFile({
      aside: asideFor(store),
      target: store.paths.pending(role),
      content: `${JSON.stringify({ at: new Date(store.now()).toISOString(), ...note })}\n`,
    }),
  );
}

export function lowerFlag(store: Store, role: Role): void {
  try {
    unlinkSync(store.paths.pending(role));
  } catch (error) {
    if (!hasErrorCode(error, "ENOENT")) throw error;
  }
}
