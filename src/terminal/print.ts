/**
 * Prints synchronously, without Node's streams: setting those up for a pipe takes longer than most commands. A reader
 * that has closed the pipe, as in `ovld --help | head -1`, is not an error. Whatever a text contains, only our own
 * colours can control the terminal.
 */
import { writeSync } from "node:fs";
import { hasErrorCode } from "../system/file-error.ts";
import { readyForScreen } from "./steer.ts";

const DESCRIPTORS = { stdout: 1, stderr: 2 } as const;

/** False if there is no reader any more. */
export function print(stream: keyof typeof DESCRIPTORS, text: string): boolean {
  const bytes = Buffer.from(readyForScreen(text));
  let written = 0;
  while (written < bytes.length) {
    try {
      written += writeSync(DESCRIPTORS[stream], bytes, written);
    } catch (error) {
      // A terminal that was closed answers with EIO.
      if (hasErrorCode(error, "EPIPE", "EIO")) return false;
      // The pipe is full and non-blocking: try again until it has room.
      if (hasErrorCode(error, "EAGAIN")) continue;
      // An error on stderr cannot be reported anywhere.
      if (stream === "stderr") return false;
      throw error;
    }
  }
  return true;
}
