import { expect, it } from "vitest";
import { hook, keepOne, MINUTE } from "../../support/bell-loop.ts";
import { letter } from "../../support/store.ts";
import { soon } from "../../support/wait-until.ts";

it("an unanswered bell is rung by the next way each time, and ever more rarely", async () => {
  await using kept = keepOne();
  kept.store.send();
  await expect.poll(() => kept.rings, soon).toEqual(["socket"]);
  kept.wait(4_000);
  await expect.poll(() => kept.rings, soon).toEqual(["socket", "typing"]);
  kept.wait(4_000);
  kept.store.send();
  await expect.poll(() => kept.report(), soon).toBe("rung");
  expect(kept.rings).toHaveLength(2);
  kept.wait(8_000);
  await expect.poll(() => kept.rings, soon).toEqual(["socket", "typing", "socket"]);
});

it("after ten minutes without an answer that is reported, once, and the bell still tries now and then", async () => {
  await using kept = keepOne();
  kept.store.send();
  for (let minute = 0; minute < 60; minute += 4) {
    kept.wait(4 * MINUTE);
    const count = kept.rings.length;
    await kept.looked();
    expect(kept.rings.length - count).toBeLessThanOrEqual(1);
  }
  expect(kept.report()).toBe("unanswered");
  expect(kept.store.journal().filter(({ event }) => event === "unanswered")).toHaveLength(1);
  expect(kept.rings.length).toBeGreaterThan(6);
  expect(kept.rings.length).toBeLessThan(16);
});

it("a refused bell is retried, more slowly each time, and no flag is up in the meantime", async () => {
  await using kept = keepOne(["typing"]);
  const refusals = 8;
  kept.refusals.push(...Array.from({ length: refusals }, () => "draft" as const));
  kept.store.send();
  for (let tries = 1; tries < refusals; tries += 1) {
    await expect.poll(() => kept.rings, soon).toHaveLength(tries);
    await expect.poll(() => kept.report(), soon).toBe("held");
    expect(kept.store.mail.flag("strategist")).toBeUndefined();
    kept.wait(9_700);
  }
  await expect.poll(() => kept.rings, soon).toHaveLength(refusals);
  // What was long enough after the first refusals is not after the last one.
  kept.wait(1_000);
  await kept.looked();
  expect(kept.rings).toHaveLength(refusals);
  kept.wait(15_000);
  await expect.poll(() => kept.rings, soon).toHaveLength(refusals + 1);
  await expect.poll(() => kept.report(), soon).toBe("rung");
});

it("mail that has been read is no longer rung for", async () => {
  await using kept = keepOne();
  kept.store.send();
  await expect.poll(() => kept.rings, soon).toHaveLength(1);
  kept.bell.wasAsked([]);
  kept.store.mail.claim("strategist").settle();
  await expect.poll(() => kept.report(), soon).toBe("quiet");
  kept.wait(MINUTE);
  kept.bell.hear(hook("turn-ended"));
  await expect.poll(() => kept.report(), soon).toBe("quiet");
  expect(kept.rings).toHaveLength(1);
});

it("while the agent asks a person something nothing is rung, however long that takes", async () => {
  await using kept = keepOne();
  kept.view.state = "asking";
  kept.store.send({ priority: "urgent" });
  await expect
    .poll(() => kept.store.mail.agentReport("strategist")?.bell, soon)
    .toMatchObject({ why: "asking" });
  kept.wait(60 * MINUTE);
  kept.bell.hear(hook("tool-ended"));
  kept.store.send(letter);
  await expect
    .poll(() => kept.store.mail.agentReport("strategist")?.heard, soon)
    .toBe(kept.store.mail.unread("strategist", { handedOut: true }).at(-1));
  expect(kept.rings).toEqual([]);
});

it("a line about held mail names only messages that no such line has named before", async () => {
  await using kept = keepOne();
  kept.view.state = "asking";
  const heldIds = (): unknown[] =>
    kept.store
      .journal()
      .filter(({ event }) => event === "held")
      .map(({ ids }) => ids);
  const [first, second] = [kept.store.send(), kept.store.send()];
  await expect.poll(() => heldIds().flat(), soon).toEqual([first, second]);
  const third = kept.store.send();
  await expect.poll(() => heldIds().at(-1), soon).toEqual([third]);
});
it.each(["listed", "claimed", "parsed"] as const)(
  "a reply that arrives when its reader has just %s the inbox is rung for at the end of the turn",
  async (when) => {
    await using kept = keepOne();
    kept.view.state = "busy";
    const first = kept.store.send();
    let late: string | undefined;
    const reader = kept.store.open({
      onStep(step) {
        if (step === when) late ??= kept.store.send();
      },
    });
    const { messages, settle } = reader.claim("strategist");
    kept.bell.wasAsked([]);
    expect(messages.map(({ id }) => id)).toEqual([first]);
    const answer = kept.bell.hear(hook("turn-ended"));
    expect(answer?.text).toMatch(/^\[MESSAGE from overlord\] You have mail/);
    settle();
    expect(reader.claim("strategist").messages.map(({ id }) => id)).toEqual([late]);
  },
);
