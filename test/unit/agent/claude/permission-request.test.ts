import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { decisionOf, readPermissionRequest } from "../../../../src/agent/claude/permission-request.ts";
import { resolveLinks } from "../../../../src/system/paths.ts";
import { makeSandbox } from "../../../support/sandbox.ts";

const json = (value: unknown): string => JSON.stringify(value);

it.each([
  [
    "Bash",
    { command: "ls", description: "look", dangerouslyDisableSandbox: true },
    {
      action: { what: "command", command: "ls" },
      rest: { description: "look", dangerouslyDisableSandbox: true },
    },
  ],
  [
    "Edit",
    { file_path: "/a", old_string: "x", new_string: "y", replace_all: true },
    {
      action: { what: "edit", path: "/a", changes: [{ before: "x", after: "y", everywhere: true }] },
      rest: {},
    },
  ],
  [
    "Write",
    { file_path: "/a", content: "x", mode: 7 },
    { action: { what: "write", path: "/a", content: "x" }, rest: { mode: 7 } },
  ],
  ["WebFetch", { url: "u" }, { action: { what: "call" }, rest: { url: "u" } }],
  ["Bash", { command: 7 }, { action: { what: "call" }, rest: { command: 7 } }],
  ["AskUserQuestion", { questions: "?" }, { action: { what: "call" }, rest: { questions: "?" } }],
])("everything that %s would be called with is in the request", (tool, input, expected) => {
  expect(readPermissionRequest({ tool, toolInput: json(input), suggestions: "" })).toEqual({
    kind: "permission",
    tool,
    suggestions: [],
    ...expected,
  });
});

it.each([
  ["Edit", { file_path: "LINK/a", old_string: "x", new_string: "y" }],
  ["Write", { file_path: "LINK/not/yet/a", content: "x" }],
  ["NotebookEdit", { notebook_path: "LINK/a", new_source: "x" }],
])("where %s would really write is in the request if there is a link in the path", async (tool, input) => {
  await using sandbox = makeSandbox();
  const [link, real] = [join(sandbox.root, "link"), join(sandbox.root, "real")];
  mkdirSync(real);
  symlinkSync(real, link);
  const ask = (folder: string) =>
    readPermissionRequest({ tool, toolInput: json(input).replace("LINK", folder) });
  const end = json(input).match(/LINK([^"]+)/)?.[1];
  expect(ask(link)).toMatchObject({ action: { target: `${resolveLinks(real)}${end}` } });
  expect(ask(resolveLinks(real))).not.toHaveProperty("action.target");
});

it.each([
  ["", "{}"],
  ["Bash", ""],
  ["Bash", "{"],
  ["Bash", "[]"],
])("a call about %o with the input %o is not a request that can be shown", (tool, toolInput) => {
  expect(readPermissionRequest({ tool, toolInput })).toBeUndefined();
});

it("a question comes with everything that the dialog shows about it, previews included", () => {
  const options = [{ label: "left", description: "steep", preview: "/\\\n  \\" }, { label: "right" }];
  const toolInput = json({ questions: [{ question: "Which hill?", header: "Hill", options }] });
  expect(readPermissionRequest({ tool: "AskUserQuestion", toolInput })).toMatchObject({
    questions: [
      {
        text: "Which hill?",
        header: "Hill",
        several: false,
        options: [options[0], { label: "right", description: "" }],
      },
    ],
  });
});

it("a field of a question that we do not know is shown with everything else", () => {
  const questions = [{ question: "Which hill?", options: [{ label: "left", risk: "high" }] }];
  const toolInput = json({ questions, more: 1 });
  expect(readPermissionRequest({ tool: "AskUserQuestion", toolInput })).toMatchObject({
    questions: [{ text: "Which hill?" }],
    rest: { questions, more: 1 },
  });
});

const SUGGESTIONS = [
  {
    type: "addRules",
    rules: [{ toolName: "Bash", ruleContent: "ls *" }, { toolName: "Read" }],
    behavior: "allow",
    destination: "localSettings",
  },
  { type: "addDirectories", directories: ["/x"], destination: "session" },
  { type: "setMode", mode: "acceptEdits", destination: "session" },
  { type: "inventSomething", destination: "moon" },
  { type: "setMode", mode: "plan", destination: "session", andAlso: "everything" },
];

it("what the dialog offers is named in our words, and given back in its own", () => {
  const input = { tool: "Bash", toolInput: json({ command: "ls" }), suggestions: json(SUGGESTIONS) };
  expect(readPermissionRequest(input)).toMatchObject({
    suggestions: [
      { what: "rules", behavior: "allow", rules: ["Bash(ls *)", "Read"], where: "local" },
      { what: "folders", folders: ["/x"], where: "session" },
      { what: "mode", mode: "acceptEdits", where: "session" },
      { what: "other", text: json(SUGGESTIONS[3]) },
      { what: "other", text: json(SUGGESTIONS[4]) },
    ],
  });
  expect(decisionOf(input, { verdict: "allow", suggestions: [2, 0] })).toEqual({
    behavior: "allow",
    updatedPermissions: [SUGGESTIONS[2], SUGGESTIONS[0]],
  });
});

it("a refusal without a reason says who refused", () => {
  expect(decisionOf({ tool: "Bash", toolInput: "{}" }, { verdict: "deny", reason: " " })).toEqual({
    behavior: "deny",
    message: "The person denied this.",
  });
});

it("a plan that was not written down can be approved as well", () => {
  const input = { tool: "ExitPlanMode", toolInput: "{}" };
  expect(readPermissionRequest(input)).toMatchObject({ kind: "plan", plan: "", rest: {} });
  expect(decisionOf(input, { verdict: "allow", suggestions: [] })).toEqual({
    behavior: "allow",
    updatedInput: {},
  });
});
