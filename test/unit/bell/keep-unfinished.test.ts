import { expect, it } from "vitest";
import { keepUnfinished } from "../../../src/bell/unfinished.ts";
import type { Conversation } from "../../../src/mail/records/conversation.ts";
import { identifyOurselves } from "../../../src/system/process.ts";
import { makeStore } from "../../support/store.ts";
import { soon } from "../../support/wait-until.ts";

const us = identifyOurselves();
const at = "2026-11-15T03:48:12.303Z";
const known: Conversation = {
  role: "storm",
  program: "claude",
  since: at,
  agent: us,
  started: at,
  start: "began",
  ritual: at,
};
const order = { id: "1", from: "strategist" } as const;

it("what an agent owes is kept with its conversation, without the mail itself, and recalled from there", async () => {
  await using store = makeStore();
  store.mail.recordConversation(known);
  const place = { role: "storm", mail: store.mail, agent: us, endsInError: () => false } as const;
  const record = keepUnfinished(place);
  expect(record.recalled).toEqual([]);
  const withBody = { ...order, body: "build the wall" };
  record.keep([withBody], []);
  expect(store.open().conversation("storm")).toEqual({ ...known, unfinished: [order] });
  expect(keepUnfinished(place).recalled).toEqual([order]);
  record.keep([], [withBody]);
  expect(store.open().conversation("storm")).toEqual({ ...known, readInTurn: [order] });
  expect(keepUnfinished(place)).toMatchObject({ recalled: [], readBefore: [order] });
  record.keep([], []);
  expect(store.open().conversation("storm")).toEqual(known);
});

it("what another agent of the role owes is neither recalled nor changed", async () => {
  await using store = makeStore();
  const other: Conversation = { ...known, agent: "999999999-1.dead", unfinished: [order] };
  store.mail.recordConversation(other);
  for (const agent of [us, undefined]) {
    const record = keepUnfinished({ role: "storm", mail: store.mail, agent, endsInError: () => false });
    expect(record.recalled).toEqual([]);
    record.keep([], []);
  }
  expect(store.open().conversation("storm")).toEqual(other);
});

it("what cannot be kept now, on a full disk, is kept as soon as there is room", async () => {
  await using store = makeStore();
  store.mail.recordConversation(known);
  let isFull = true;
  const mail: typeof store.mail = {
    ...store.mail,
    recordConversation(conversation) {
      if (isFull) throw new Error("no space left");
      store.mail.recordConversation(conversation);
    },
  };
  keepUnfinished({ role: "storm", mail, agent: us, endsInError: () => false }).keep([order], []);
  isFull = false;
  await expect.poll(() => store.open().conversation("storm"), soon).toMatchObject({ unfinished: [order] });
});

it("mail read in a turn that failed when no relay ran is owed", async () => {
  await using store = makeStore();
  store.mail.recordConversation({ ...known, transcript: "/it", readInTurn: [order] });
  const record = keepUnfinished({
    role: "storm",
    mail: store.mail,
    agent: us,
    endsInError: (transcript) => transcript === "/it",
  });
  expect(record).toMatchObject({ recalled: [order], readBefore: [] });
});
