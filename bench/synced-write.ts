/** The floor for storing anything durably: a new file, written and synced, and nothing else. */
import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";

export function writeSynced(path: string, bytes: Buffer): void {
  const file = openSync(path, "wx", 0o600);
  writeSync(file, bytes);
  fsyncSync(file);
  closeSync(file);
}
