/** Reads a file of JSON lines that grows by thousands, each time only what was added. */
import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";

/** Returns all lines so far whenever it is called. */
export function readLines<Line>(path: string): () => Line[] {
  const lines: Line[] = [];
  let offset = 0;
  return () => {
    const size = existsSync(path) ? statSync(path).size : 0;
    if (size === offset) return lines;
    const bytes = Buffer.alloc(size - offset);
    const file = openSync(path, "r");
    readSync(file, bytes, 0, bytes.length, offset);
    closeSync(file);
    const whole = bytes.subarray(0, bytes.lastIndexOf("\n") + 1);
    offset += whole.length;
    for (const line of whole.toString().split("\n")) if (line !== "") lines.push(JSON.parse(line));
    return lines;
  };
}
