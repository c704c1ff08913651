import { expect, it } from "vitest";
import type { Asked } from "../../../src/mail/records/request.ts";
import { summarizeRequest, diffLines, type DiffLine } from "../../../src/requests/describe-request.ts";
import { COMMAND, PLAN, TWO_QUESTIONS } from "../../support/requests.ts";
import * as fc from "fast-check";

const LONG: Asked = { ...COMMAND, action: { what: "command", command: `echo\n${"x".repeat(200)}` } };
const CALL: Asked = { ...COMMAND, tool: "WebFetch", action: { what: "call" }, rest: { url: "https://a" } };

const EDIT: Asked = {
  ...COMMAND,
  tool: "Edit",
  action: { what: "edit", path: "/p/docs/a\u200B", target: "/elsewhere/a", changes: [] },
};

it.each([
  [EDIT, "Edit: /p/docs/a⟦U+200B⟧ → /elsewhere/a"],
  [COMMAND, "Bash: touch it"],
  [TWO_QUESTIONS, "AskUserQuestion: Which hill? With what?"],
  [PLAN, "ExitPlanMode: Up"],
  [CALL, 'WebFetch: {"url":"https://a"}'],
  [{ kind: "oversized", tool: "Write", bytes: 2_000_000 } satisfies Asked, "Write"],
])("a request is named in one line", (asked, line) => {
  const head = { id: "0", role: "inferno" as const, since: "", relay: "1-1" as const };
  expect(summarizeRequest({ ...head, ...asked })).toBe(line);
  expect(summarizeRequest({ ...head, ...LONG })).toMatch(/^Bash: echo x{80,}…$/);
});

const text = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 12 }).map((lines) => lines.join("\n"));

function join(lines: DiffLine[], without: DiffLine["is"]): string[] {
  return lines.filter(({ is }) => is !== without).map((line) => line.text);
}

it("a diff contains every line of both texts, in order", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffLines(before, after);
      expect(join(lines, "added")).toEqual(before === "" ? [] : before.split("\n"));
      expect(join(lines, "removed")).toEqual(after === "" ? [] : after.split("\n"));
    }),
  );
});

it("lines that stay are shown once", () => {
  expect(diffLines("a\nb\nc\nd", "a\nx\nc\ny\nd").map(({ is, text: line }) => `${is} ${line}`)).toEqual([
    "kept a",
    "removed b",
    "added x",
    "kept c",
    "added y",
    "kept d",
  ]);
});

it("texts of thousands of lines are compared at once, and nothing is left out", () => {
  const began = performance.now();
  expect(diffLines(`same\n${manyLines("a")}`, `same\n${manyLines("b")}`)).toHaveLength(10_001);
  expect(performance.now() - began).toBeLessThan(2_000);
});

function manyLines(letter: string): string {
  return Array.from({ length: 5_000 }, (_line, index) => `${letter}${index}`).join("\n");
}
