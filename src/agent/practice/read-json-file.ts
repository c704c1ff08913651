/** A JSON file that somebody else wrote, checked; what is wrong with it is told by its path. */
import { readFileSync } from "node:fs";
import type * as z from "zod/mini";
import { OvldError } from "../../system/ovld-error.ts";

export function readJsonFile<Schema extends z.ZodMiniType>(path: string, schema: Schema): z.infer<Schema> {
  const parsed = schema.safeParse(parse(path));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw wrong(path, `${issue?.path.join(".") || "content"}: ${issue?.message ?? "not as expected"}`);
}

function parse(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw wrong(path, error instanceof Error ? error.message : String(error));
  }
}

function wrong(path: string, reason: string): OvldError {
  return new OvldError({ code: "file-wrong", facts: { path, reason } });
}
