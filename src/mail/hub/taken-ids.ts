/**
 * The ids of the last messages that were moved from the hub into an inbox of this machine. The hub forgets what it has
 * handed out when it is killed, and an acknowledgement may be lost; what is remembered here is not stored again.
 */
import { appendFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { asideBeside, replaceFile } from "../../system/durable-files.ts";
import { readPlainFile } from "../../system/read-plain-file.ts";

export interface TakenIds {
  has(id: string): boolean;
  add(id: string): void;
}

const KEPT = 2_000;
const MOST_BYTES = 1024 * 1024;

export function openTakenIds(path: string): TakenIds {
  const file = readPlainFile(path, MOST_BYTES);
  let ids = new Set("text" in file ? file.text.split("\n").filter(Boolean) : []);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return {
    has: (id) => ids.has(id),
    add(id) {
      if (ids.has(id)) return;
      ids.add(id);
      // Not synced: if it is lost with a power cut, the message comes again, marked.
      if (ids.size <= 2 * KEPT) return appendFileSync(path, `${id}\n`, { mode: 0o600 });
      ids = new Set([...ids].slice(-KEPT));
      const content = [...ids].map((each) => `${each}\n`).join("");
      replaceFile({ aside: asideBeside(path), target: path, content, lasting: false });
    },
  };
}
