/** Reads a file that anybody may have put there: no links, no pipes, nothing oversized, only UTF-8. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { hasErrorCode } from "../system/file-error.ts";

export type PlainFile = { text: string } | { broken: string } | { missing: true };

const utf8 = new TextDecoder("utf-8", { fatal: true });

export function readPlainFile(path: string, maxBytes: number): PlainFile {
  let file: number;
  try {
    // O_NONBLOCK: opening a named pipe would otherwise wait for a writer.
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (hasErrorCode(error, "ENOENT")) return { missing: true };
    return { broken: hasErrorCode(error, "ELOOP") ? "a link" : "cannot be opened" };
  }
  try {
    const found = fstatSync(file);
    if (!found.isFile()) return { broken: "not a plain file" };
    if (found.size > maxBytes) return { broken: `larger than ${maxBytes} bytes` };
    return { text: utf8.decode(readFileSync(file)) };
  } catch {
    return { broken: "not UTF-8 text" };
  } finally {
    closeSync(file);
  }
}
