/**
 * Prints what a person reads. Our own colours and cursor movements reach the terminal, and no others.
 *
 * Everything that is printed passes `cleanForScreen`, which removes all escape characters. To keep ours, we write a
 * mark instead of the escape character, and printing replaces it at the very end. The mark is random, so that no name
 * or text from elsewhere contains it, even if it was written while this process was running.
 */
import { writeSync } from "node:fs";
import { hasErrorCode } from "../system/file-error.ts";
import { cleanForScreen } from "../system/clean-text.ts";
import { lazily } from "../system/async.ts";

const DESCRIPTORS = { stdout: 1, stderr: 2 } as const;

/**
 * Synchronously, without Node's streams: setting those up for a pipe takes longer than most commands. A reader that has
 * closed the pipe, as in `ovld --help | head -1`, is not an error: false if there is no reader any more.
 */
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

const ESCAPE = "\u001b[";
/** The parts of ovld that are loaded later are built with a copy of this file, and must use the same mark. */
const SHARED = Symbol.for("ovld steer");
/** Between two characters that Unicode reserves for internal use. */
const mark = lazily((): string => {
  const known: unknown = Reflect.get(globalThis, SHARED);
  if (typeof known === "string") return known;
  const made = `\uFDD0${Math.random().toString(36).slice(2)}\uFDD0`;
  Reflect.set(globalThis, SHARED, made);
  return made;
});

/** One of our own control sequences, such as `31m`. */
export function steer(sequence: string): string {
  return `${mark()}${sequence}`;
}

/** Text that can be written to a terminal as it is. */
export function readyForScreen(text: string): string {
  return cleanForScreen(text).replaceAll(mark(), ESCAPE);
}

/** The parts of a line: our own control sequences, and the text between them. */
export function splitSteering(line: string): { text: string; isSteering: boolean }[] {
  return line
    .split(new RegExp(`(${mark()}[0-9;?]*[a-zA-Z])`))
    .map((text, index) => ({ text, isSteering: index % 2 === 1 }));
}
