/** Cuts a stream into lines; a line beyond the limit is dropped as it comes in, and its neighbours are not. */
import type { Readable } from "node:stream";

export const LONGEST_LINE = 16 * 1024 * 1024;
/** What is kept of each end of a line that is too long, to tell whose it was. */
const END_BYTES = 1_024;
const LINE_END = 0x0a;

export interface LineListener {
  line(text: string): void;
  /** A line was too long to be kept: how it began and how it ended. */
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
