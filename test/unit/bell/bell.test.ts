import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { createBell, type WayOfRinging } from "../../../src/bell/bell.ts";
import { letter, makeStore } from "../../support/store.ts";

function wayThat(answers: (string | undefined)[]): WayOfRinging & { rang: number } {
  return {
    name: "typing",
    rang: 0,
    async ring() {
      this.rang += 1;
      return answers.shift();
    },
  };
}

it("D4 while the flag stands, further messages do not ring again; reading lets the next one ring", async () => {
  await using store = makeStore();
  const way = wayThat([]);
  const bell = createBell(store.mail, "overlord", [way]);
  expect(await bell.ring(store.mail.deliver(letter))).toEqual({ bell: "rung", way: "typing" });
  expect(await bell.ring(store.mail.deliver(letter))).toEqual({ bell: "already rung" });
  expect(way.rang).toBe(1);
  store.mail.claim("strategist").settle();
  expect(await bell.ring(store.mail.deliver(letter))).toEqual({ bell: "rung", way: "typing" });
  expect(way.rang).toBe(2);
});

it("a bell that could not be rung takes its flag back, so that the next message tries again", async () => {
  await using store = makeStore();
  const bell = createBell(store.mail, "overlord", [wayThat(["the pane is gone"])]);
  expect(await bell.ring(store.mail.deliver(letter))).toEqual({ bell: "held", why: "the pane is gone" });
  expect(readdirSync(store.path("pending"))).toEqual([]);
  expect(await bell.ring(store.mail.deliver(letter))).toEqual({ bell: "rung", way: "typing" });
});

it("when one way fails the next is tried", async () => {
  await using store = makeStore();
  const [broken, sound] = [wayThat(["refused"]), wayThat([])];
  const outcome = await createBell(store.mail, "overlord", [broken, sound]).ring(store.mail.deliver(letter));
  expect(outcome).toEqual({ bell: "rung", way: "typing" });
  expect([broken.rang, sound.rang]).toEqual([1, 1]);
});

it("without a way of ringing the answer says that nobody was rung, and no flag stands", async () => {
  await using store = makeStore();
  const outcome = await createBell(store.mail, "overlord", []).ring(store.mail.deliver(letter));
  expect(outcome).toEqual({ bell: "held", why: expect.stringContaining("nobody was rung") });
  expect(readdirSync(store.path("pending"))).toEqual([]);
});
