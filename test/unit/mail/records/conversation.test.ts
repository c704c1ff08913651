import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { Conversation } from "../../../../src/mail/records/conversation.ts";
import { makeStore } from "../../../support/store.ts";

const at = "2026-11-15T03:48:12.303Z";
const kept: Conversation = {
  role: "storm",
  program: "claude",
  id: "5b1c1f0e-6d3a-4a57-9a59-1d6f6a0e7c11",
  transcript: "/home/me/.claude/projects/-x/5b1c1f0e-6d3a-4a57-9a59-1d6f6a0e7c11.jsonl",
  since: at,
  agent: "4700-1106112.4e83f4e1",
  started: at,
  start: "resumed",
  beganBecause: "no-transcript",
  ritual: at,
  cutOff: { at, in: "tool", tool: "Bash" },
};

it("a role's conversation is read by another process as it was written, and no temporary file is left", async () => {
  await using store = makeStore();
  expect(store.mail.conversation("storm")).toBeUndefined();
  store.mail.recordConversation(kept);
  expect(store.open().conversation("storm")).toEqual(kept);
  const { role, program, id, transcript, since, started, start } = kept;
  store.mail.recordConversation({ role, program, since, started, start });
  const earlier = [{ program, id, transcript, left: expect.any(String) }];
  expect(store.open().conversation("storm")).toEqual({ role, program, since, started, start, earlier });
  expect(readdirSync(store.path("tmp"))).toEqual([]);
});

const idOf = (number: number): string => `5b1c1f0e-6d3a-4a57-9a59-${String(number).padStart(12, "0")}`;

it("the conversations that a role has left are remembered in order, each once, and only the latest 20", async () => {
  await using store = makeStore();
  const record = (number: number): void => store.mail.recordConversation({ ...kept, id: idOf(number) });
  const earlier = (): string[] => {
    const now = store.open().conversation("storm");
    return typeof now === "object" ? (now.earlier ?? []).map(({ id }) => id) : [];
  };
  for (const number of [1, 1, 2, 3]) record(number);
  expect(earlier()).toEqual([idOf(1), idOf(2)]);
  // The person has returned to one of them.
  record(1);
  expect(earlier()).toEqual([idOf(2), idOf(3)]);
  for (let number = 10; number < 40; number += 1) record(number);
  expect(earlier()).toEqual(Array.from({ length: 20 }, (_, index) => idOf(index + 19)));
});

it.each([
  ["half a file", '{"role":"storm"'],
  ["an id that could be taken for a path", JSON.stringify({ ...kept, id: "../x" })],
  ["an id that is a flag", JSON.stringify({ ...kept, id: "--dangerously-skip-permissions" })],
  ["an id that a program would search for", JSON.stringify({ ...kept, id: "storm" })],
  ["a program of a later ovld", JSON.stringify({ ...kept, program: "codex" })],
  ["nothing", ""],
])("a conversation's file with %s in it is distinguished from a missing one", async (_what, content) => {
  await using store = makeStore();
  writeFileSync(store.path("conversations/storm.json"), content);
  expect(store.mail.conversation("storm")).toBeUndefined();
  expect(store.mail.isConversationUnreadable("storm")).toBe(true);
  rmSync(store.path("conversations/storm.json"));
  expect(store.mail.isConversationUnreadable("storm")).toBe(false);
  mkdirSync(store.path("conversations/storm.json"));
  expect(store.mail.conversation("storm")).toBeUndefined();
  expect(store.mail.isConversationUnreadable("storm")).toBe(true);
});

it("conversations are kept with kept mail, and removed with the store", async () => {
  await using store = makeStore();
  store.mail.recordConversation(kept);
  store.mail.cleanUp({ keepMail: true });
  expect(store.mail.conversation("storm")).toEqual(kept);
  expect(store.mail.cleanUp().left).toEqual([]);
  expect(store.mail.conversation("storm")).toBeUndefined();
});
