import { expect, it } from "vitest";
import { makeStore } from "../../support/store.ts";

it("unread is what lies in the inbox, oldest first, and what this process handed out, if asked for", async () => {
  await using store = makeStore();
  const first = store.send();
  const second = store.send();
  expect(store.mail.unread("strategist", { handedOut: false })).toEqual([first, second]);
  store.mail.claim("strategist");
  const third = store.send();
  expect(store.mail.unread("strategist", { handedOut: false })).toEqual([third]);
  expect(store.mail.unread("strategist", { handedOut: true })).toEqual([first, second, third]);
});

it("a message can be looked at wherever it lies, until somebody is done with it", async () => {
  await using store = makeStore();
  const id = store.send({ subject: "the hill" });
  expect(store.mail.peek("strategist", id)).toMatchObject({ id, subject: "the hill" });
  const claim = store.mail.claim("strategist");
  expect(store.mail.peek("strategist", id)).toMatchObject({ id, from: "overlord" });
  claim.settle();
  expect(store.mail.peek("strategist", id)).toBeUndefined();
});
