import { expect, it } from "vitest";
import { ROLES, type Role } from "../../../src/army/roles.ts";
import { isLimited } from "../../../src/bell/army-limit.ts";
import type { AgentReport } from "../../../src/mail/agent-report.ts";

const UNTIL = Date.UTC(2026, 10, 15, 12);
const report = (role: Role, more: Partial<AgentReport>): AgentReport => ({
  role,
  relay: "1-1",
  state: "failed",
  since: new Date(0).toISOString(),
  evidence: "hook",
  failure: { error: "rate_limit", until: new Date(UNTIL).toISOString() },
  bell: { bell: "quiet" },
  ...more,
});

const stormHasMetIt = (role: Role): AgentReport | undefined =>
  role === "storm" ? report(role, {}) : undefined;

it("a limit that one agent has met holds every role until it is lifted, and then they begin by rank, five seconds apart", () => {
  for (const [rank, role] of ROLES.entries()) {
    expect(isLimited(role, stormHasMetIt, UNTIL + rank * 5_000 - 1)).toBe(true);
    expect(isLimited(role, stormHasMetIt, UNTIL + rank * 5_000)).toBe(false);
  }
});

it.each<[string, Partial<AgentReport>]>([
  ["a failure that names no end", { failure: { error: "server_error" } }],
  ["no failure", { failure: undefined }],
  ["an agent that works again", { state: "busy" }],
])("%s holds nobody", (_, more) => {
  expect(isLimited("overlord", (role) => report(role, more), UNTIL - 1_000)).toBe(false);
});
