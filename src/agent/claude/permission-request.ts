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
  const { plan = "", ...besidesPlan } = fields;
  if (tool === "ExitPlanMode" && typeof plan === "string")
    return { kind: "plan", tool, plan, rest: besidesPlan, suggestions };
  const { questions, ...besidesQuestions } = fields;
  const read = tool === "AskUserQuestion" ? questionList().safeParse(questions).data : undefined;
  if (read) {
    // A question with a field that we do not know is also shown as it is.
    const rest = isDeepStrictEqual(read, questions) ? besidesQuestions : fields;
    return { kind: "question", tool, questions: read.map(inOurWords), rest };
  }
  return { kind: "permission", tool, suggestions, ...readAction(tool, fields) };
}

/** Whatever is not said by the action stays in `rest`. */
function readAction(tool: string, fields: Fields): Pick<Permission, "action" | "rest"> {
  const { command, ...besidesCommand } = fields;
  if (tool === "Bash" && typeof command === "string")
    return { action: { what: "command", command }, rest: besidesCommand };
  const { file_path: path, ...besidesPath } = fields;
  if (tool === "Write" && typeof path === "string") {
    const { content, ...rest } = besidesPath;
    if (typeof content === "string")
      return { action: { what: "write", path, ...targetOf(path), content }, rest };
  }
  if (tool === "Edit" && typeof path === "string") {
    const { old_string: before, new_string: after, replace_all: everywhere = false, ...rest } = besidesPath;
    if (typeof before === "string" && typeof after === "string" && typeof everywhere === "boolean") {
      const changes = [{ before, after, everywhere }];
      return { action: { what: "edit", path, ...targetOf(path), changes }, rest };
    }
  }
  const named = PATH_FIELDS.map((name) => fields[name]).find((value) => typeof value === "string");
  return { action: { what: "call", ...(named !== undefined && targetOf(named)) }, rest: fields };
}

/** Under these names other tools of Claude Code get the file or folder that they work on. */
const PATH_FIELDS = ["file_path", "notebook_path", "path"];

/** Where the path really leads, if it does not show it itself. */
function targetOf(path: string): { target?: string } {
  const target = resolveLinks(resolve(path));
  return target === path ? {} : { target };
}

const questionList = lazily(() => {
  const text = z.optional(z.string());
  const option = z.object({ label: z.string(), description: text, preview: text });
  const multiSelect = z.optional(z.boolean());
  return z.array(z.object({ question: z.string(), header: text, multiSelect, options: z.array(option) }));
});

type ClaudeQuestion = z.infer<ReturnType<typeof questionList>>[number];

function inOurWords({ question, header = "", multiSelect = false, options }: ClaudeQuestion): Question {
  const described = options.map(({ description = "", ...option }) => ({ ...option, description }));
  return { text: question, header, several: multiSelect, options: described };
}

const PLACES = {
  session: "session",
  localSettings: "local",
  projectSettings: "project",
  userSettings: "user",
} as const;

/** Strict: an offer with a field that we do not know is shown as it is, because it is also allowed as it is. */
const claudeSuggestion = lazily(() => {
  const destination = z.enum(["session", "localSettings", "projectSettings", "userSettings"]);
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
  if (data.type === "addDirectories") return { what: "folders", folders: data.directories, where };
  if (data.type === "setMode") return { what: "mode", mode: data.mode, where };
  const rules = data.rules.map(({ toolName, ruleContent }) =>
    ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`,
  );
  return { what: "rules", behavior: data.behavior, rules, where };
}

const DENIED = "The person denied this.";

/** The decision for the hook's answer; `verdict` fits the request. */
export function decisionOf({ tool = "", ...input }: PermissionInput, verdict: Verdict): object {
  const fields = fieldsIn(input.toolInput) ?? {};
  if (verdict.verdict === "deny") return { behavior: "deny", message: verdict.reason.trim() || DENIED };
  if (verdict.verdict === "allow") {
    const offered = rawSuggestions(input);
    const chosen = verdict.suggestions.flatMap((index) => offered[index] ?? []);
    return {
      behavior: "allow",
      ...(tool === "ExitPlanMode" && { updatedInput: fields }),
      ...(chosen.length > 0 && { updatedPermissions: chosen }),
    };
  }
  const questions = questionList().safeParse(fields["questions"]).data ?? [];
  const answers = questions.map(({ question, options }, index) => {
    const { chosen = [], text = "" } = verdict.answers[index] ?? {};
    const labels = chosen.map((option) => options[option]?.label ?? "");
    return [question, [...labels, text.trim()].filter((part) => part !== "").join(", ")];
  });
  return { behavior: "allow", updatedInput: { ...fields, answers: Object.fromEntries(answers) } };
}

const anyFields = lazily(() => z.record(z.string(), z.unknown()));

function fieldsIn(json = ""): Fields | undefined {
  return anyFields().safeParse(parseJson(json)).data;
}

function rawSuggestions({ suggestions = "" }: PermissionInput): Fields[] {
  return z.array(anyFields()).safeParse(parseJson(suggestions)).data ?? [];
}
