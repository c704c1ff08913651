/** Cuts a stream into lines; a line beyond the limit is dropped as it comes in, and its neighbours are not. */
import type { Readable } from "node:stream";

const LONGEST_LINE = 16 * 1024 * 1024;
const LINE_END = 0x0a;

export interface LineListener {
  line(text: string): void;
  /** A line was too long to be kept. */
  tooLong(): void;
}

export function listenForLines(input: Readable, listener: LineListener): void {
  let parts: Buffer[] = [];
  let length = 0;
  const take = (part: Buffer): void => {
    length += part.length;
    if (length <= LONGEST_LINE) parts.push(part);
    else parts = [];
  };
  const finish = (): void => {
    if (length > LONGEST_LINE) listener.tooLong();
    else if (length > 0) listener.line(Buffer.concat(parts).toString());
    parts = [];
    length = 0;
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
