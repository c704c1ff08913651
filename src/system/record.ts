/** Records: small JSON files of a known shape, each always replaced as a whole. */
import type * as z from "zod/mini";
import { asideBeside, replaceFile } from "./durable-files.ts";
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

export interface RecordOptions {
  /** The temporary name under which it is written. */
  aside?: string;
  /** False for a record that need not survive a power cut. */
  lasting?: boolean;
  /** For a file that a person reads, too. */
  indent?: number;
}

export function writeRecord(target: string, content: unknown, options: RecordOptions = {}): void {
  const { aside = asideBeside(target), lasting = true, indent } = options;
  replaceFile({ aside, target, content: `${JSON.stringify(content, undefined, indent)}\n`, lasting });
}
