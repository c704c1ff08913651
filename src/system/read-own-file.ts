/** Reads one of the person's own files: links are allowed, and problems are reported. */
import { OvldError } from "./ovld-error.ts";
import { readPlainFile } from "./read-plain-file.ts";

/** Undefined if there is no file. */
export function readOwnFile(path: string, maxBytes: number): string | undefined {
  const file = readPlainFile(path, maxBytes, { followLinks: true });
  if ("text" in file) return file.text;
  if ("missing" in file) return undefined;
  const problem = "problem" in file ? file.problem : "unreadable";
  throw new OvldError({ code: "file-unfit", facts: { path, problem } });
}

/** The same for callers that can do without the file: also undefined if it cannot be read. */
export function readIfThere(path: string, maxBytes: number): string | undefined {
  const file = readPlainFile(path, maxBytes, { followLinks: true });
  return "text" in file ? file.text : undefined;
}
