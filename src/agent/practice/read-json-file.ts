/** Reads and checks a JSON file that another program wrote; errors name its path. */
import type * as z from "zod/mini";
import { OvldError } from "../../system/ovld-error.ts";
import { readOwnFile } from "../../system/read-own-file.ts";

const MOST_BYTES = 16 * 1024 * 1024;

export function readJsonFile<Schema extends z.ZodMiniType>(path: string, schema: Schema): z.infer<Schema> {
  const parsed = schema.safeParse(parse(path));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw wrong(path, `${issue?.path.join(".") || "content"}: ${issue?.message ?? "not as expected"}`);
}

function parse(path: string): unknown {
  try {
    const text = readOwnFile(path, MOST_BYTES);
    if (text === undefined) throw new Error("there is no such file");
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof OvldError) throw error;
    throw wrong(path, error instanceof Error ? error.message : String(error));
  }
}

function wrong(path: string, reason: string): OvldError {
  return new OvldError({ code: "file-wrong", facts: { path, reason } });
}
