/**
 * The ids of the last messages that were moved from the hub into an inbox of this machine. The hub forgets what it has
 * handed out when it is killed, and an acknowledgement may be lost; what is remembered here is not stored again.
 */
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { asideBeside, replaceFile } from "../../system/durable-files.ts";
import { readPlainFile } from "../../system/read-file.ts";

export interface TakenIds {
  has(id: string): boolean;
  add(id: string): void;
}

const KEPT = 2_000;
const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;

export function openTakenIds(path: string): TakenIds {
  const file = readPlainFile(path);
  let ids = new Set("text" in file ? file.text.split("\n").filter(Boolean) : []);
  /** Not synced: if it is lost with a power cut, the message comes again, marked. */
  function remember(id: string): void {
    if (ids.size <= 2 * KEPT) return append(path, `${id}\n`);
    ids = new Set([...ids].slice(-KEPT));
    const content = [...ids].map((each) => `${each}\n`).join("");
    replaceFile({ aside: asideBeside(path), target: path, content, lasting: false });
  }
  return {
    has: (id) => ids.has(id),
    add(id) {
      if (ids.has(id)) return;
      ids.add(id);
      try {
        remember(id);
      } catch {
        // A folder or a pipe in its place must not block the mail; this process remembers the id.
      }
    },
  };
}

/** Neither follows a link nor waits for the reader of a pipe. */
function append(path: string, text: string): void {
  const file = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    writeSync(file, text);
  } finally {
    closeSync(file);
  }
}
