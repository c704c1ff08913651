/**
 * What Claude Code asks the person, in words that are the same for every program, and the person's verdict in the
 * form that Claude Code expects. Pure, except that it looks where the links in a path lead: the person should see which
 * file would really be changed, as they do in Claude Code's own dialog.
 *
 * Tools that need the person themselves (questions, plans) are allowed only with an `updatedInput`.
 */
import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod/mini";
import type { Asked, Question, Verdict } from "../../mail/records/request.ts";
import { lazily } from "../../system/async.ts";
import { parseJson } from "../../system/json.ts";
import { resolveLinks } from "../../system/paths.ts";

/** The input that the hook's settings have Claude Code fill in, as JSON. */
export interface PermissionInput {
  tool?: string | undefined;
  toolInput?: string | undefined;
  suggestions?: string | undefined;
}

type Fields = Record<string, unknown>;

type Permission = Extract<Asked, { kind: "permission" }>;

/** Undefined if the input cannot be understood; then only the pane shows what is asked. */
export function readPermissionRequest({ tool = "", ...input }: PermissionInput): Asked | undefined {
  const fields = fieldsIn(input.toolInput);
  if (fields === undefined || tool === "") return undefined;
  const suggestions = rawSuggestions(input).map(readSuggestion);
  if (tool === "ExitPlanMode") {
    const { plan = "", ...rest } = fields;
    if (typeof plan === "string") return { kind: "plan", tool, plan, rest, suggestions };
  }
  if (tool === "AskUserQuestion") {
    const { questions, ...rest } = fields;
    const read = questionList().safeParse(questions).data;
    if (read) {
      const isWhole = isDeepStrictEqual(read, questions);
      const shown = read.map(inOurWords);
      return { kind: "question", tool, questions: shown, rest: isWhole ? rest : { ...rest, questions } };
    }
  }
  return { kind: "permission", tool, suggestions, ...readAction(tool, fields) };
}

const fieldsOf = lazily(() => {
  const change = { old_string: z.string(), new_string: z.string(), replace_all: z.optional(z.boolean()) };
  const path = z.string();
  return {
    command: z.looseObject({ command: z.string() }),
    edit: z.looseObject({ file_path: path, ...change }),
    edits: z.looseObject({ file_path: path, edits: z.array(z.strictObject(change)) }),
    write: z.looseObject({ file_path: path, content: z.string() }),
  };
});

/** Whatever is not said by the action stays in `rest`. */
function readAction(tool: string, fields: Fields): Pick<Permission, "action" | "rest"> {
  const shapes = fieldsOf();
  if (tool === "Bash") {
    const { data } = shapes.command.safeParse(fields);
    if (data) {
      const { command, ...rest } = data;
      return { action: { what: "command", command }, rest };
    }
  }
  if (tool === "Edit") {
    const { data } = shapes.edit.safeParse(fields);
    if (data) {
      const { file_path: path, old_string: before, new_string: after, replace_all, ...rest } = data;
      const changes = [{ before, after, everywhere: replace_all ?? false }];
      return { action: { what: "edit", path, ...targetOf(path), changes }, rest };
    }
  }
  if (tool === "MultiEdit") {
    const { data } = shapes.edits.safeParse(fields);
    if (data) {
      const { file_path: path, edits, ...rest } = data;
      const changes = edits.map(({ old_string: before, new_string: after, replace_all }) => ({
        before,
        after,
        everywhere: replace_all ?? false,
      }));
      return { action: { what: "edit", path, ...targetOf(path), changes }, rest };
    }
  }
  if (tool === "Write") {
    const { data } = shapes.write.safeParse(fields);
    if (data) {
      const { file_path: path, content, ...rest } = data;
      return { action: { what: "write", path, ...targetOf(path), content }, rest };
    }
  }
  const path = PATH_FIELDS.map((name) => fields[name]).find((value) => typeof value === "string");
  return { action: { what: "call", ...(path !== undefined && targetOf(path)) }, rest: fields };
}

/** Under these names other tools of Claude Code get the file or folder that they work on. */
const PATH_FIELDS = ["file_path", "notebook_path", "path"];

/** Where the path really leads, if it does not show it itself. */
function targetOf(path: string): { target?: string } {
  const target = resolveLinks(resolve(path));
  return target === path ? {} : { target };
}

const questionList = lazily(() =>
  z.array(
    z.object({
      question: z.string(),
      header: z.optional(z.string()),
      multiSelect: z.optional(z.boolean()),
      options: z.array(
        z.object({
          label: z.string(),
          description: z.optional(z.string()),
          preview: z.optional(z.string()),
        }),
      ),
    }),
  ),
);

type ClaudeQuestion = z.infer<ReturnType<typeof questionList>>[number];

function inOurWords({ question, header = "", multiSelect = false, options }: ClaudeQuestion): Question {
  const described = options.map(({ label, description = "", preview }) => ({
    label,
    description,
    ...(preview !== undefined && { preview }),
  }));
  return { text: question, header, several: multiSelect, options: described };
}

const PLACES = {
  session: "session",
  localSettings: "local",
  projectSettings: "project",
  userSettings: "user",
} as const;

const claudeSuggestion = lazily(() => {
  const destination = z.enum(["session", "localSettings", "projectSettings", "userSettings"]);
  // Strict: an offer with a field that we do not know is shown as it is, because it is also allowed as it is.
  const rule = z.strictObject({ toolName: z.string(), ruleContent: z.optional(z.string()) });
  return z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("addRules"), rules: z.array(rule), behavior: z.string(), destination }),
    z.strictObject({ type: z.literal("addDirectories"), directories: z.array(z.string()), destination }),
    z.strictObject({ type: z.literal("setMode"), mode: z.string(), destination }),
  ]);
});

function readSuggestion(raw: Fields): Permission["suggestions"][number] {
  const { data } = claudeSuggestion().safeParse(raw);
  if (data === undefined) return { what: "other", text: JSON.stringify(raw) };
  const where = PLACES[data.destination];
  switch (data.type) {
    case "addRules": {
      const rules = data.rules.map(({ toolName, ruleContent }) =>
        ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`,
      );
      return { what: "rules", behavior: data.behavior, rules, where };
    }
    case "addDirectories":
      return { what: "folders", folders: data.directories, where };
    case "setMode":
      return { what: "mode", mode: data.mode, where };
  }
}

const DENIED = "The person denied this.";

/** The decision for the hook's answer; `verdict` fits the request. */
export function decide({ tool = "", ...input }: PermissionInput, verdict: Verdict): object {
  const fields = fieldsIn(input.toolInput) ?? {};
  switch (verdict.verdict) {
    case "deny":
      return { behavior: "deny", message: verdict.reason.trim() || DENIED };
    case "allow": {
      const offered = rawSuggestions(input);
      const chosen = verdict.suggestions.flatMap((index) => offered[index] ?? []);
      return {
        behavior: "allow",
        ...(tool === "ExitPlanMode" && { updatedInput: fields }),
        ...(chosen.length > 0 && { updatedPermissions: chosen }),
      };
    }
    case "answer": {
      const questions = questionList().safeParse(fields["questions"]).data ?? [];
      const answers = questions.map(({ question, options }, index) => {
        const { chosen = [], text = "" } = verdict.answers[index] ?? {};
        const labels = chosen.map((option) => options[option]?.label ?? "");
        return [question, [...labels, text.trim()].filter((part) => part !== "").join(", ")];
      });
      return { behavior: "allow", updatedInput: { ...fields, answers: Object.fromEntries(answers) } };
    }
  }
}

const anyFields = lazily(() => z.record(z.string(), z.unknown()));

function fieldsIn(json = ""): Fields | undefined {
  return anyFields().safeParse(parseJson(json)).data;
}

function rawSuggestions({ suggestions = "" }: PermissionInput): Fields[] {
  return z.array(anyFields()).safeParse(parseJson(suggestions)).data ?? [];
}
