import { expect, it } from "vitest";
import type { Bell } from "../../../src/bell/bell.ts";
import type { Message } from "../../../src/mail/message.ts";
import { broadcast } from "../../../src/relay/tools/broadcast.ts";
import { sendMessage } from "../../../src/relay/tools/send-message.ts";
import type { Desk } from "../../../src/relay/tools/tool.ts";
import { makeStore, type StoreFixture } from "../../support/store.ts";

function deskOf(role: Desk["role"], { mail }: StoreFixture, bell: Bell): Desk {
  return { role, mail, bell, arrivals: { confirmAll() {} }, onAsked() {} };
}

function listeningBell(inboxOf: (message: Message) => string[]): Bell & { heard: string[] } {
  return {
    heard: [],
    async ring(message) {
      expect(inboxOf(message)).toContain(`${message.id}.json`);
      this.heard.push(message.to);
      return { bell: "rung", way: "socket" };
    },
  };
}

it("M3.1b the bell is asked to ring for the recipient, after the message is stored", async () => {
  await using store = makeStore();
  const bell = listeningBell(({ to }) => store.inbox(to));
  const answer = await sendMessage.call(deskOf("overlord", store, bell), {
    to: "strategist",
    subject: "task done",
    body: "…",
  });
  expect(bell.heard).toEqual(["strategist"]);
  expect(answer.content).toEqual({ stored: true });
});

it("M7.1b the bell is asked to ring for each recipient of a broadcast", async () => {
  await using store = makeStore();
  const bell = listeningBell(({ to }) => store.inbox(to));
  await broadcast.call(deskOf("shadow", store, bell), { subject: "sync", body: "…" });
  expect(bell.heard).toEqual(["overlord", "strategist", "inferno", "glacier", "storm"]);
});

it("a bell that breaks does not make a stored message look lost", async () => {
  await using store = makeStore();
  const bell: Bell = { ring: () => Promise.reject(new Error("no zellij")) };
  const answer = await sendMessage.call(deskOf("overlord", store, bell), {
    to: "storm",
    subject: "s",
    body: "",
  });
  expect(answer).toEqual({
    content: { stored: true, why: "no zellij" },
    meta: { id: expect.any(String) },
  });
});

it.each([
  [{ bell: "rung", way: "socket" }, undefined],
  [{ bell: "already rung" }, undefined],
  [{ bell: "held", reason: "busy", why: "it is working" }, undefined],
  [{ bell: "held", reason: "starting", why: "it has not started yet" }, undefined],
  [{ bell: "held", reason: "asking", why: "it is asking the person" }, "it is asking the person"],
  [{ bell: "held", reason: "agent-gone", why: "its agent is gone" }, "its agent is gone"],
] as const)(
  "a sender whose mail is stored and whose bell is %o is told what it can act on: %s",
  async (outcome, why) => {
    await using store = makeStore();
    const bell: Bell = { ring: async () => outcome };
    const desk = deskOf("overlord", store, bell);
    const { content } = await sendMessage.call(desk, { to: "storm", subject: "s", body: "" });
    expect(content).toEqual(why === undefined ? { stored: true } : { stored: true, why });
    const { content: all } = await broadcast.call(desk, { subject: "s", body: "" });
    const each = ["strategist", "inferno", "glacier", "shadow", "storm"].map((role) => [role, why]);
    expect(all).toEqual(why === undefined ? { stored: 5 } : { stored: 5, why: Object.fromEntries(each) });
  },
);
