/**
 * Prints at once, without Node's streams: setting those up for a pipe takes longer than most commands do.
 * A reader that has gone, as in `ovld --help | head -1`, is no error. Whatever a text holds, nothing but our own colours
 * steers the terminal.
 */
import { writeSync } from "node:fs";
import { hasErrorCode } from "../system/file-error.ts";
import { readyForScreen } from "./steer.ts";

const DESCRIPTORS = { stdout: 1, stderr: 2 } as const;

/** False when nobody reads any more. */
export function print(stream: keyof typeof DESCRIPTORS, text: string): boolean {
  const bytes = Buffer.from(readyForScreen(text));
  let written = 0;
  while (written < bytes.length) {
    try {
      written += writeSync(DESCRIPTORS[stream], bytes, written);
    } catch (error) {
      // EIO is what a terminal that was closed answers.
      if (hasErrorCode(error, "EPIPE", "EIO")) return false;
      // A pipe that is full for the moment, and was made not to wait: try again until it has room.
      if (hasErrorCode(error, "EAGAIN")) continue;
      // Of what cannot be said on stderr, nobody can be told.
      if (stream === "stderr") return false;
      throw error;
    }
  }
  return true;
}
