/**
 * Reads a file that any process may have put there: no pipes, nothing oversized, only UTF-8, and links only on
 * request.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, readSync } from "node:fs";
import { tryTo, hasErrorCode } from "./file-error.ts";
import { OvldError } from "./ovld-error.ts";

export type FileProblem =
  | "not-a-file"
  | "too-large"
  | "not-utf8"
  | "not-understood"
  | "newer"
  | "unreadable"
  | "a-link"
  | "dangling-link"
  | "busy";

export type PlainFile =
  | { text: string }
  /** What is wrong with it, in words and as a kind. */
  | { broken: string; problem: FileProblem }
  | { missing: true }
  /** It could not be read right now for an external reason: too many open files, or a failing disk. */
  | { unreadable: true };

/** What the errors of `open` say about something that is not a plain file. */
const NO_PLAIN_FILE: Record<string, { broken: string; problem: FileProblem }> = {
  ELOOP: { broken: "a link", problem: "a-link" },
  ENXIO: { broken: "not a plain file", problem: "not-a-file" },
  EISDIR: { broken: "not a plain file", problem: "not-a-file" },
  EACCES: { broken: "may not be opened", problem: "unreadable" },
};

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** More than any file needs that is not made of messages, transcripts or logs. */
const MOST_BYTES = 1024 * 1024;

/** With `followLinks` the path may be a link, as in a person's own folders. */
export function readPlainFile(
  path: string,
  maxBytes = MOST_BYTES,
  { followLinks = false }: { followLinks?: boolean } = {},
): PlainFile {
  const links = followLinks ? 0 : constants.O_NOFOLLOW;
  let file: number;
  try {
    // O_NONBLOCK: opening a named pipe would otherwise wait for a writer.
    file = openSync(path, constants.O_RDONLY | links | constants.O_NONBLOCK);
  } catch (error) {
    if (followLinks && leadsNowhere(path, error)) return DANGLING;
    if (hasErrorCode(error, "ENOENT", "ENOTDIR")) return { missing: true };
    const [code] = Object.keys(NO_PLAIN_FILE).filter((each) => hasErrorCode(error, each));
    return NO_PLAIN_FILE[code ?? ""] ?? { unreadable: true };
  }
  try {
    const found = fstatSync(file);
    if (!found.isFile()) return { broken: "not a plain file", problem: "not-a-file" };
    if (found.size > maxBytes) return { broken: `larger than ${maxBytes} bytes`, problem: "too-large" };
    const bytes = readFileSync(file);
    const text = tryTo(() => utf8.decode(bytes));
    return text === undefined ? { broken: "not UTF-8 text", problem: "not-utf8" } : { text };
  } catch {
    return { unreadable: true };
  } finally {
    closeSync(file);
  }
}

const DANGLING: PlainFile = { broken: "a link that leads nowhere", problem: "dangling-link" };

function leadsNowhere(path: string, error: unknown): boolean {
  if (!hasErrorCode(error, "ENOENT", "ELOOP")) return false;
  return tryTo(() => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false) ?? false;
}

/** Reads one of the person's own files: links are allowed, and problems are reported. Undefined if there is no file. */
export function readOwnFile(path: string, maxBytes?: number): string | undefined {
  const file = readPlainFile(path, maxBytes, { followLinks: true });
  if ("text" in file) return file.text;
  if ("missing" in file) return undefined;
  const problem = "problem" in file ? file.problem : "unreadable";
  throw new OvldError({ code: "file-unfit", facts: { path, problem } });
}

/** The same for callers that can do without the file: also undefined if it cannot be read. */
export function readIfThere(path: string, maxBytes?: number): string | undefined {
  const file = readPlainFile(path, maxBytes, { followLinks: true });
  return "text" in file ? file.text : undefined;
}

/** Part of a file, how large that is, and which one has this name now. A negative `from` counts from the end. Undefined if it cannot be read. */
export function readPart(
  path: string,
  from: number,
  most: number,
): { bytes: Buffer; size: number; identity: string } | undefined {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const found = fstatSync(file);
      if (!found.isFile()) return undefined;
      const { size, dev, ino } = found;
      const start = from < 0 ? Math.max(size + from, 0) : Math.min(from, size);
      const bytes = Buffer.allocUnsafe(Math.min(most, size - start));
      return {
        bytes: bytes.subarray(0, readSync(file, bytes, 0, bytes.length, start)),
        size,
        identity: `${dev}-${ino}`,
      };
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/** The end of a text that may still be growing; empty if there is none. It begins with a whole line if it is cut. */
export function readEnd(path: string, mostBytes: number): string {
  const { bytes, size = 0 } = readPart(path, -mostBytes, mostBytes) ?? {};
  const text = bytes?.toString() ?? "";
  return size <= mostBytes ? text : text.slice(text.indexOf("\n") + 1);
}
