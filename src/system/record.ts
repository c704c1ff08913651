/** Records: small JSON files of a known shape, each always replaced as a whole. */
import type * as z from "zod/mini";
import { replaceFile, type Publication } from "./durable-files.ts";
import { parseJson } from "./json.ts";
import { readPlainFile } from "./read-file.ts";

/** `broken` says what is wrong with the file; an invalid one is text, but not such a record. */
type RecordFile<Content> =
  { content: Content } | { missing: true } | { broken: string } | { invalid: true } | { unreadable: true };

export function examineRecord<Content>(path: string, shape: z.ZodMiniType<Content>): RecordFile<Content> {
  const file = readPlainFile(path);
  if (!("text" in file)) return file;
  const parsed = shape.safeParse(parseJson(file.text));
  return parsed.success ? { content: parsed.data } : { invalid: true };
}

/** Undefined if there is no such record, whatever the reason. */
export function readRecord<Content>(path: string, shape: z.ZodMiniType<Content>): Content | undefined {
  const file = examineRecord(path, shape);
  return "content" in file ? file.content : undefined;
}

export function writeRecord(
  target: string,
  content: unknown,
  how: Pick<Publication, "aside" | "lasting"> = {},
): void {
  replaceFile({ ...how, target, content: `${JSON.stringify(content)}\n` });
}
