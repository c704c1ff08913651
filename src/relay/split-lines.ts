/** Splits a stream into lines. A line over the limit is dropped as it comes in; the lines around it are kept. */
import type { Readable } from "node:stream";

export const LONGEST_LINE = 16 * 1024 * 1024;
/** How much of each end of an overlong line is kept, to find out which request it was. */
const END_BYTES = 1_024;
const LINE_END = 0x0a;

export interface LineListener {
  line(text: string): void;
  /** A line was too long: this is how it began and ended. */
  tooLong(head: string, tail: string): void;
}

export function splitLines(input: Readable, listener: LineListener): void {
  let parts: Buffer[] = [];
  let length = 0;
  let head: Buffer | undefined;
  let tail = Buffer.alloc(0);
  const take = (part: Buffer): void => {
    length += part.length;
    if (length <= LONGEST_LINE) return void parts.push(part);
    head ??= Buffer.from(Buffer.concat(parts).subarray(0, END_BYTES));
    tail = Buffer.concat([parts.at(-1) ?? tail, part]).subarray(-END_BYTES);
    parts = [];
  };
  const finish = (): void => {
    if (length > LONGEST_LINE) listener.tooLong(head?.toString() ?? "", tail.toString());
    else if (length > 0) listener.line(Buffer.concat(parts).toString());
    parts = [];
    length = 0;
    head = undefined;
    tail = Buffer.alloc(0);
  };
  input.on("data", (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, start)) {
      take(chunk.subarray(start, end));
      finish();
      start = end + 1;
    }
    take(chunk.subarray(start));
  });
}
