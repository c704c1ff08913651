import type { ProcessIdentity } from "../../../src/system/process.ts";
import { expect, it } from "vitest";
import { isEldestRelay } from "../../../src/bell/bell-loop.ts";
import type { Presence } from "../../../src/mail/records/agent-report.ts";

const presence = (relay: ProcessIdentity, since: string, role: Presence["role"] = "storm"): Presence => ({
  role,
  relay,
  agent: undefined,
  since,
});
const lives = (): boolean => true;

it("of two relays of one role the elder is in charge; if both began at once, their names decide", () => {
  const both = [presence("2-1", "2026-11-15T00:00:02Z"), presence("1-1", "2026-11-15T00:00:01Z")];
  expect(isEldestRelay(both, "storm", "1-1", lives)).toBe(true);
  expect(isEldestRelay(both, "storm", "2-1", lives)).toBe(false);
  const twins = [presence("2-1", "2026-11-15T00:00:01Z"), presence("1-1", "2026-11-15T00:00:01Z")];
  expect(isEldestRelay(twins, "storm", "1-1", lives)).toBe(true);
  expect(isEldestRelay(twins, "storm", "2-1", lives)).toBe(false);
});

it("an elder relay that is dead or of another role does not count", () => {
  const own = presence("2-1", "2026-11-15T00:00:02Z");
  expect(isEldestRelay([own, presence("1-1", "2026-11-15T00:00:01Z")], "storm", "2-1", () => false)).toBe(
    true,
  );
  const other = presence("1-1", "2026-11-15T00:00:01Z", "shadow");
  expect(isEldestRelay([own, other], "storm", "2-1", lives)).toBe(true);
});

it("a relay that is not announced gives way to any that is", () => {
  expect(isEldestRelay([presence("1-1", "2026-11-15T00:00:01Z")], "storm", "2-1", lives)).toBe(false);
  expect(isEldestRelay([], "storm", "2-1", lives)).toBe(true);
});
