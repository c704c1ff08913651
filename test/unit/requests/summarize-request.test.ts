import { expect, it } from "vitest";
import type { Asked } from "../../../src/mail/records/request.ts";
import { summarizeRequest } from "../../../src/requests/describe-request.ts";
import { COMMAND, PLAN, TWO_QUESTIONS } from "../../support/requests.ts";

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
