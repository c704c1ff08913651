import { expect, it } from "vitest";
import type { BellOutcome } from "../../../src/bell/await-bell-outcome.ts";
import type { Message } from "../../../src/mail/store/message.ts";
import { broadcast, sendMessage } from "../../../src/relay/tools/mail-tools.ts";
import type { ToolContext } from "../../../src/relay/tools/tool.ts";
import { openPost } from "../../../src/mail/other-machines.ts";
import { makeCall } from "../../support/relay-call.ts";
import { makeStore, type StoreFixture } from "../../support/store.ts";
import { TEXTS } from "../../support/texts.ts";

function contextOf(
  role: ToolContext["role"],
  { mail }: StoreFixture,
  awaitBellOutcome: ToolContext["awaitBellOutcome"],
): ToolContext {
  const post = openPost(mail, undefined);
  return {
    role,
    mail,
    isHere: () => true,
    post,
    awaitBellOutcome,
    texts: () => TEXTS.en,
    delivery: { confirmAll() {} },
    onAsked() {},
  };
}

function listeningBell(inboxOf: (message: Message) => string[]) {
  const heard: string[] = [];
  const ring = async (message: Message): Promise<BellOutcome> => {
    expect(inboxOf(message)).toContain(`${message.id}.json`);
    heard.push(message.to);
    return { state: "rung", way: "socket" };
  };
  return { heard, ring };
}

it("M3.1b the bell is asked to ring for the recipient, after the message is stored", async () => {
  await using store = makeStore();
  const bell = listeningBell(({ to }) => store.inbox(to));
  const answer = await sendMessage.call(
    contextOf("overlord", store, bell.ring),
    {
      to: "strategist",
      subject: "task done",
      body: "…",
    },
    makeCall(),
  );
  expect(bell.heard).toEqual(["strategist"]);
  expect(answer.content).toBe("stored");
});

function failToLoad(): never {
  throw new Error("Cannot find module");
}

it("a message that was stored is reported as stored although the sentences can no longer be loaded", async () => {
  await using store = makeStore();
  const held: BellOutcome = { state: "held", reason: "draft" };
  const context = { ...contextOf("overlord", store, () => Promise.resolve(held)), texts: failToLoad };
  const letter = { to: "storm", subject: "s", body: "b" };
  expect((await sendMessage.call(context, letter, makeCall())).content).toEqual({
    stored: true,
    why: "draft",
  });
  expect(store.inbox("storm")).toHaveLength(1);
});

it("a message is reported as stored although its status could not be set, and is stored before the status is set", async () => {
  await using store = makeStore();
  const steps: string[] = [];
  const mail = {
    ...store.mail,
    setStatus(): never {
      steps.push(`${store.inbox("storm").length} stored`);
      throw new Error("disk full");
    },
  };
  const context = { ...contextOf("overlord", store, async () => ({ state: "already rung" as const })), mail };
  const letter = { to: "storm", subject: "s", body: "b", status: "done" };
  expect((await sendMessage.call(context, letter, makeCall())).content).toEqual({
    stored: true,
    status: "Error: disk full",
  });
  expect(steps).toEqual(["1 stored"]);
});

it("M7.1b the bell is asked to ring for each recipient of a broadcast", async () => {
  await using store = makeStore();
  const bell = listeningBell(({ to }) => store.inbox(to));
  await broadcast.call(contextOf("shadow", store, bell.ring), { subject: "sync", body: "…" }, makeCall());
  expect(bell.heard).toEqual(["overlord", "strategist", "inferno", "glacier", "storm"]);
});

const breakDown = (): Promise<BellOutcome> => Promise.reject(new Error("no zellij"));

it("a bell that throws does not make a stored message look lost", async () => {
  await using store = makeStore();
  const answer = await sendMessage.call(
    contextOf("overlord", store, breakDown),
    {
      to: "storm",
      subject: "s",
      body: "",
    },
    makeCall(),
  );
  expect(answer).toEqual({
    content: { stored: true, why: "no zellij" },
    meta: { id: expect.any(String) },
  });
});

it.each([
  [{ state: "rung", way: "socket" }, undefined],
  [{ state: "already rung" }, undefined],
  [{ state: "held", reason: "busy" }, undefined],
  [{ state: "held", reason: "starting" }, undefined],
  [{ state: "held", reason: "asking" }, TEXTS.en.holds.asking],
  [{ state: "held", reason: "agent-gone" }, TEXTS.en.holds["agent-gone"]],
] as const)(
  "a sender whose mail is stored and whose bell is %o is told what it can act on: %s",
  async (outcome, why) => {
    await using store = makeStore();
    const bell = async (): Promise<BellOutcome> => outcome;
    const context = contextOf("overlord", store, bell);
    const { content } = await sendMessage.call(context, { to: "storm", subject: "s", body: "" }, makeCall());
    expect(content).toEqual(why === undefined ? "stored" : { stored: true, why });
    const { content: all } = await broadcast.call(context, { subject: "s", body: "" }, makeCall());
    const each = ["strategist", "inferno", "glacier", "shadow", "storm"].map((role) => [role, why]);
    expect(all).toEqual(why === undefined ? { stored: 5 } : { stored: 5, why: Object.fromEntries(each) });
  },
);
