import { expect, it } from "vitest";
import { keepConversation } from "../../../src/relay/keep-conversation.ts";
import { identifyOurselves } from "../../../src/system/process.ts";
import { startStandIn } from "../../support/stand-in.ts";
import { makeStore } from "../../support/store.ts";
import type { Conversation } from "../../../src/mail/records/conversation.ts";

const ONE = "11111111-1111-4111-8111-111111111111";
const TWO = "22222222-2222-4222-8222-222222222222";
const at = "2026-11-15T03:48:12.303Z";
const us = identifyOurselves();
const known: Conversation = {
  role: "storm",
  program: "claude",
  id: ONE,
  transcript: "/one.jsonl",
  since: at,
  agent: us,
  started: at,
  start: "resumed",
  ritual: at,
};

it("what the launcher recorded stays, and the transcript is added when a hook names it", async () => {
  await using store = makeStore();
  const { transcript, ...without } = known;
  store.mail.recordConversation(without);
  const follow = keepConversation({ role: "storm", mail: store.mail, agent: us });
  follow({ id: ONE });
  expect(store.mail.conversation("storm")).toEqual(without);
  follow({ id: ONE, transcript });
  expect(store.mail.conversation("storm")).toEqual(known);
});

it("an agent that moves to another conversation is followed, and is not due its ritual again", async () => {
  await using store = makeStore();
  store.mail.recordConversation({ ...known, unfinished: [{ id: "1", from: "overlord" }] });
  const follow = keepConversation({ role: "storm", mail: store.mail, agent: us });
  follow({ id: TWO });
  const now = store.mail.conversation("storm");
  expect(now).toMatchObject({ id: TWO, agent: us, ritual: at });
  expect(now).not.toHaveProperty("transcript");
  expect(now).not.toHaveProperty("unfinished");
  expect(typeof now === "object" && now.since > at).toBe(true);
});

it.each<[string, { id: string } | undefined]>([
  ["says nothing of its conversation", undefined],
  ["is in another conversation", { id: TWO }],
])(
  "an agent that nobody recorded and that %s gets a record of its own, without a ritual",
  async (_what, seen) => {
    await using store = makeStore();
    store.mail.recordConversation({ ...known, agent: "999999999-1.dead" });
    keepConversation({ role: "storm", mail: store.mail, agent: us })(seen);
    const now = store.mail.conversation("storm");
    expect(now).toMatchObject({ agent: us, start: "began", ...seen });
    expect(now).not.toHaveProperty("ritual");
  },
);

it("an agent that was started directly in the role's conversation takes over its record", async () => {
  await using store = makeStore();
  store.mail.recordConversation({ ...known, agent: "999999999-1.dead" });
  keepConversation({ role: "storm", mail: store.mail, agent: us })({ id: ONE });
  expect(store.mail.conversation("storm")).toEqual(known);
});

it("a second agent with the role's files does not take the record from the first, as long as that one is alive", async () => {
  await using store = makeStore();
  const first = startStandIn(store.sandbox, ["claude", "--mcp-config", store.path("mcp/storm.json")]);
  store.mail.recordConversation({ ...known, agent: first });
  keepConversation({ role: "storm", mail: store.mail, agent: us })({ id: TWO });
  expect(store.mail.conversation("storm")).toEqual({ ...known, agent: first });
});
