import { expect, it } from "vitest";
import { ROLES } from "../../../src/army/roles.ts";
import {
  follow,
  isEverybodyDone,
  isFulfilled,
  newCampaign,
  unreadOf,
  type Campaign,
} from "../../../src/cli/commands/practice/campaign.ts";
import type { JournalEntry } from "../../../src/mail/journal/journal-entry.ts";

const at = (second: number): string => new Date(second * 1000).toISOString();
const stored = (id: string, second: number): JournalEntry => ({
  event: "stored",
  at: at(second),
  id,
  from: "human",
  to: "overlord",
  subject: "Wish",
  body: "a castle",
  priority: "normal",
  timestamp: at(second),
});
const read = (id: string, second: number): JournalEntry => ({
  event: "read",
  at: at(second),
  id,
  role: "overlord",
});
const done = (role: (typeof ROLES)[number], second: number): JournalEntry => ({
  event: "status",
  at: at(second),
  role,
  status: "done",
  task: "told",
});
const after = (...entries: JournalEntry[]): Campaign => {
  const campaign = newCampaign();
  for (const entry of entries) follow(campaign, entry);
  return campaign;
};

it("a wish is fulfilled when the overlord is done and every message is read, not before", () => {
  expect(isFulfilled(newCampaign())).toBe(false);
  expect(isFulfilled(after(done("overlord", 1)))).toBe(false);
  expect(isFulfilled(after(stored("a", 1), read("a", 2)))).toBe(false);
  expect(isFulfilled(after(stored("a", 1), done("overlord", 2)))).toBe(false);
  expect(isFulfilled(after(stored("a", 1), done("overlord", 2), read("a", 3)))).toBe(true);
  expect(isFulfilled(after(stored("a", 1), done("overlord", 2), read("a", 3), stored("b", 4)))).toBe(false);
});

it("a message that is read again keeps the time at which it was first read", () => {
  const campaign = after(stored("a", 1), stored("b", 2), read("a", 3), read("a", 9));
  expect([...campaign.reads]).toEqual([["a", at(3)]]);
  expect(unreadOf(campaign).map(({ id }) => id)).toEqual(["b"]);
});

it("repeated ringing is no progress, a turn that begins is", () => {
  const campaign = after(stored("a", 1), {
    event: "rung",
    at: at(5),
    role: "overlord",
    way: "typing",
    attempt: 2,
    ids: ["a"],
  });
  expect(campaign.progress).toBe(at(1));
  const begun: JournalEntry = { event: "begun", at: at(6), role: "overlord", way: "typing", ids: ["a"] };
  expect(follow(campaign, begun)).toBe(true);
  expect(campaign.progress).toBe(at(6));
});

it("all roles are done when all six have said so", () => {
  const [, ...others] = ROLES;
  expect(isEverybodyDone(after(...others.map((role) => done(role, 1))))).toBe(false);
  expect(isEverybodyDone(after(...ROLES.map((role) => done(role, 1))))).toBe(true);
});

it("mail that was read before another machine says that it was stored counts as read", () => {
  const campaign = after(read("0m1", 2), stored("0m1", 3));
  expect([...campaign.reads]).toEqual([["0m1", at(2)]]);
  expect(unreadOf(campaign)).toEqual([]);
});
