/** Reads the bytes of a role prompt safely: it never waits for a pipe, and never reads more than a prompt may have. */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { hasErrorCode } from "../system/file-error.ts";
import { MOST_RITUAL_BYTES } from "./check-ritual.ts";

export function readRitual(path: string): { bytes: Uint8Array } | { problem: "missing" | "unreadable" } {
  try {
    // O_NONBLOCK: opening a named pipe would otherwise wait for a writer.
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return fstatSync(file).isFile() ? { bytes: readUpTo(file) } : { problem: "unreadable" };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return { problem: hasErrorCode(error, "ENOENT", "ENOTDIR") ? "missing" : "unreadable" };
  }
}

/** Reads one byte more than allowed, so that a file that is too large can be recognised. */
function readUpTo(file: number): Uint8Array {
  const bytes = new Uint8Array(MOST_RITUAL_BYTES + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length < bytes.length; length += read) {
    read = readSync(file, bytes, length, bytes.length - length, length);
  }
  return bytes.subarray(0, length);
}
