/**
 * Lets our own colours and cursor movements reach a terminal, and no others.
 *
 * Everything that is printed passes `cleanForScreen`, which removes all escape characters. To keep ours, we write a
 * mark instead of the escape character, and printing replaces it at the very end. The mark is random, so that no name
 * or text from elsewhere contains it, even if it was written while this process was running.
 */
import { cleanForScreen } from "../system/clean-text.ts";
import { lazily } from "../system/async.ts";

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
