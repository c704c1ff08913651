/** Reads JSON lines: the records of practice agents, journals, and what commands print with `--json`. */
import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";

/** The lines of a file, none if it does not exist. */
export function readLines<Line = any>(path: string): Line[] {
  return followLines<Line>(path)();
}

/** Returns all lines so far whenever it is called. Of a file with thousands of lines, it reads only what was added. */
export function followLines<Line = any>(path: string): () => Line[] {
  const lines: Line[] = [];
  let offset = 0;
  return () => {
    const size = existsSync(path) ? statSync(path).size : 0;
    if (size === offset) return [...lines];
    const bytes = Buffer.alloc(size - offset);
    const file = openSync(path, "r");
    readSync(file, bytes, 0, bytes.length, offset);
    closeSync(file);
    const whole = bytes.subarray(0, bytes.lastIndexOf("\n") + 1);
    offset += whole.length;
    lines.push(...parseLines<Line>(whole.toString()));
    return [...lines];
  };
}

/** A line without its end does not count: its writer is still writing it, or died while writing it. */
export function parseLines<Line = any>(text: string): Line[] {
  return text
    .split("\n")
    .slice(0, -1)
    .filter((line) => line !== "")
    .map((line): Line => JSON.parse(line));
}
