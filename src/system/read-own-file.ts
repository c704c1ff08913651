/** Reads a file of the person's: links are theirs to make, and what is in the way is told. */
import { OvldError } from "./ovld-error.ts";
import { readPlainFile } from "./read-plain-file.ts";

/** Undefined where there is none. */
export function readOwnFile(path: string, maxBytes: number): string | undefined {
  const file = readPlainFile(path, maxBytes, { followLinks: true });
  if ("text" in file) return file.text;
  if ("missing" in file) return undefined;
  const problem = "problem" in file ? file.problem : "unreadable";
  throw new OvldError({ code: "file-unfit", facts: { path, problem } });
}

/** The same for those who can do without: undefined, too, where it cannot be read. */
export function readIfThere(path: string, maxBytes: number): string | undefined {
  const file = readPlainFile(path, maxBytes, { followLinks: true });
  return "text" in file ? file.text : undefined;
}
