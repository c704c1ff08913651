/** Reads a file that anybody may have put there: no links, no pipes, nothing oversized, only UTF-8. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { hasErrorCode } from "./file-error.ts";

export type PlainFile =
  | { text: string }
  | { broken: string }
  | { missing: true }
  /** It could not be read just now, through no fault of its own: too many open files, a failing disk. */
  | { unreadable: true };

/** What opening says of something that is no plain file of ours. */
const NO_PLAIN_FILE: Record<string, string> = {
  ELOOP: "a link",
  ENXIO: "not a plain file",
  EISDIR: "not a plain file",
  EACCES: "may not be opened",
};

const utf8 = new TextDecoder("utf-8", { fatal: true });

export function readPlainFile(path: string, maxBytes: number): PlainFile {
  let file: number;
  try {
    // O_NONBLOCK: opening a named pipe would otherwise wait for a writer.
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (hasErrorCode(error, "ENOENT")) return { missing: true };
    const [code] = Object.keys(NO_PLAIN_FILE).filter((each) => hasErrorCode(error, each));
    return code === undefined ? { unreadable: true } : { broken: NO_PLAIN_FILE[code] ?? "" };
  }
  try {
    const found = fstatSync(file);
    if (!found.isFile()) return { broken: "not a plain file" };
    if (found.size > maxBytes) return { broken: `larger than ${maxBytes} bytes` };
    return decode(readFileSync(file));
  } catch {
    return { unreadable: true };
  } finally {
    closeSync(file);
  }
}

function decode(bytes: Buffer): PlainFile {
  try {
    return { text: utf8.decode(bytes) };
  } catch {
    return { broken: "not UTF-8 text" };
  }
}
