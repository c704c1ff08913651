/** Tells a model which argument is wrong and what would be right. */
import type * as z from "zod/mini";
import { cleanLine, shorten } from "../../system/clean-text.ts";

const LONGEST_ECHO = 60;

export function tellProblems(error: z.core.$ZodError, input: unknown): string[] {
  return error.issues.map((issue) => tellProblem(issue, input));
}

function tellProblem(issue: z.core.$ZodIssue, input: unknown): string {
  if (issue.code === "unrecognized_keys") return `unknown argument ${issue.keys.map(echo).join(", ")}`;
  const field = issue.path.join(".") || "arguments";
  const given = valueAt(input, issue.path);
  if (given === undefined && issue.path.length > 0) return `${field} is missing${tellChoices(issue)}`;
  if (issue.code === "invalid_value") return `${field} is ${echo(given)}${tellChoices(issue)}`;
  if (issue.code === "invalid_type") {
    return `${field} must be ${issue.expected === "object" ? "an object" : `a ${issue.expected}`}`;
  }
  return `${field} ${issue.message}`;
}

function tellChoices(issue: z.core.$ZodIssue): string {
  return issue.code === "invalid_value" ? `, must be one of ${issue.values.join(", ")}` : "";
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
    input,
  );
}

function echo(value: unknown): string {
  const text = cleanLine(typeof value === "string" ? value : JSON.stringify(value));
  return `"${shorten(text, LONGEST_ECHO)}"`;
}
