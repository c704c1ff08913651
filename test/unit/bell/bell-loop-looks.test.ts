import { afterEach, expect, it, vi } from "vitest";
import { hook, keepOne, markIn } from "../../support/bell-loop.ts";
import { letter } from "../../support/store.ts";
import type { RingResult } from "../../../src/bell/ring-attempt.ts";
import { soon } from "../../support/wait-until.ts";

afterEach(() => void vi.useRealTimers());

/** Lets everything happen that does not wait for a timer. */
async function letHappen(until: () => boolean): Promise<void> {
  for (let turn = 0; turn < 2_000 && !until(); turn += 1)
    await new Promise((resolve) => setImmediate(resolve));
}

it("a hook's report, a request for mail and other changes are looked at immediately, without a timer", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval"] });
  await using kept = keepOne(["socket"]);
  const state = (): string | undefined => kept.store.mail.agentReport("strategist")?.state;
  await letHappen(() => state() === "idle");
  expect(state()).toBe("idle");
  kept.view.state = "asking";
  kept.bell.hear(hook("asking"));
  await letHappen(() => state() === "asking");
  expect(state()).toBe("asking");
  kept.view.state = "failed";
  kept.bell.lookAgain();
  await letHappen(() => state() === "failed");
  expect(state()).toBe("failed");
  kept.view.state = "idle";
  kept.bell.wasAsked([]);
  await letHappen(() => state() === "idle");
  expect(state()).toBe("idle");
});

it("mail that a dialog held up is rung for as soon as the agent's own record says that the dialog is gone, without a timer", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval"] });
  await using kept = keepOne(["socket"]);
  kept.view.state = "asking";
  kept.store.send();
  kept.bell.lookAgain();
  await letHappen(() => kept.report() === "held");
  expect(kept.report()).toBe("held");
  kept.view.state = "idle";
  kept.bell.lookAgain();
  await letHappen(() => kept.rings.length > 0);
  expect(kept.rings).toEqual(["socket"]);
});

it.each([100, 300, 700, 1_500, 3_000])(
  "a person whose draft was in the way for %s ms keeps the bell waiting about as long again, and not longer",
  async (there) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "setInterval", "Date"] });
    await using kept = keepOne(["typing"]);
    const [began, step] = [Date.now(), 50];
    const passed = (): number => Date.now() - began;
    const isThere = (): boolean => passed() < there;
    // Each try finds the draft, until it is gone.
    kept.whileRinging = () => void (isThere() && kept.refusals.push("draft"));
    kept.store.send();
    kept.bell.lookAgain();
    while (kept.report() !== "rung" && passed() < 20_000) {
      const tries = kept.rings.length;
      await letHappen(() => kept.rings.length > tries);
      await vi.advanceTimersByTimeAsync(step);
    }
    expect(kept.report()).toBe("rung");
    expect(passed() - there).toBeLessThan(there + 400);
  },
);

it("after it is closed a bell neither looks nor reports, whatever happens", async () => {
  await using kept = keepOne(["socket"]);
  await expect.poll(() => kept.report(), soon).toBe("quiet");
  kept.bell.close();
  kept.store.send();
  kept.bell.lookAgain();
  await letHappen(() => kept.rings.length > 0);
  expect(kept.rings).toEqual([]);
});

it("a ring of an idle agent has begun a turn when the agent becomes busy, one into a turn only when its mark comes back", async () => {
  await using idle = keepOne(["socket"]);
  const begun = (kept: typeof idle) => kept.store.journal().filter(({ event }) => event === "begun");
  const id = idle.store.send();
  await expect.poll(() => idle.rings, soon).toHaveLength(1);
  Object.assign(idle.view, { state: "busy", at: Date.now() + 1_000 });
  await expect.poll(() => begun(idle), soon).toEqual([expect.objectContaining({ ids: [id], way: "socket" })]);
  await using busy = keepOne(["socket"]);
  busy.view.state = "busy";
  busy.store.send({ priority: "urgent" });
  await expect.poll(() => busy.rings, soon).toHaveLength(1);
  busy.view.at = Date.now() + 1_000;
  await busy.looked();
  expect(begun(busy)).toEqual([]);
  busy.bell.hear(hook("prompted", { prompt: markIn(busy.texts[0]) }));
  expect(begun(busy)).toHaveLength(1);
});

it("asking for mail answers a bell whose turn was not seen to begin, once", async () => {
  await using kept = keepOne(["socket"]);
  const id = kept.store.send();
  await expect.poll(() => kept.rings, soon).toHaveLength(1);
  kept.bell.wasAsked([{ id, from: "overlord", subject: "order", priority: "normal" }]);
  kept.bell.wasAsked([]);
  const begun = kept.store.journal().filter(({ event }) => event === "begun");
  expect(begun).toEqual([expect.objectContaining({ ids: [id] })]);
});

it("a flag that another process has lowered means that the mail was read: the next mail is rung for at once", async () => {
  await using kept = keepOne(["socket"]);
  kept.store.send();
  await expect.poll(() => kept.rings, soon).toHaveLength(1);
  kept.store.open().lowerFlag("strategist");
  kept.store.send(letter);
  await expect.poll(() => kept.rings, soon).toHaveLength(2);
  expect(
    kept.store
      .journal()
      .filter(({ event }) => event === "rung")
      .map(({ attempt }) => attempt),
  ).toEqual([1, 1]);
});

it("a refusal is forgotten when its mail is gone: the next mail is rung for at once", async () => {
  await using kept = keepOne(["typing"]);
  kept.refusals.push("draft");
  kept.store.send();
  await expect.poll(() => kept.report(), soon).toBe("held");
  kept.store.mail.claim("strategist").settle();
  await expect.poll(() => kept.report(), soon).toBe("quiet");
  kept.store.send();
  await expect.poll(() => kept.rings, soon).toEqual(["typing", "typing"]);
});

it("a bell without an answer for ten minutes is reported as unanswered even while its mail is held", async () => {
  await using kept = keepOne(["socket"]);
  kept.store.send();
  await expect.poll(() => kept.report(), soon).toBe("rung");
  kept.view.state = "asking";
  kept.wait(9 * 60_000);
  await expect.poll(() => kept.report(), soon).toBe("held");
  kept.wait(60_000);
  await expect.poll(() => kept.report(), soon).toBe("unanswered");
});

it("during a slow ring the report already has the agent's new state, and still the bell's old one", async () => {
  const ends: (() => void)[] = [];
  const ring = (): Promise<RingResult> => new Promise((resolve) => ends.push(() => resolve({ rung: true })));
  await using kept = keepOne(["typing"], { ring });
  await expect.poll(() => kept.report(), soon).toBe("quiet");
  kept.view.state = "failed";
  kept.store.send();
  await expect.poll(() => kept.store.mail.agentReport("strategist")?.state, soon).toBe("failed");
  expect(kept.report()).toBe("quiet");
  ends[0]?.();
  await expect.poll(() => kept.report(), soon).toBe("rung");
});

it("mail that was read while its bell was being refused is forgotten, and no refusal is reported for it", async () => {
  await using kept = keepOne(["typing"]);
  kept.refusals.push("not-taken");
  kept.whileRinging = () => {
    kept.store.mail.claim("strategist").settle();
    kept.bell.wasAsked([]);
  };
  kept.store.send();
  await expect.poll(() => kept.rings, soon).toHaveLength(1);
  await expect.poll(() => kept.report(), soon).toBe("quiet");
  expect(kept.store.mail.flag("strategist")).toBeUndefined();
});

it("during a ring the caller can ask whether a turn has begun, and gets the right answer", async () => {
  const heard: boolean[] = [];
  await using kept = keepOne(["typing"], {
    async ring(_way, _call, hasBegun) {
      heard.push(hasBegun());
      Object.assign(kept.view, { state: "busy", at: Date.now() + 1_000 });
      heard.push(hasBegun());
      return { rung: true };
    },
  });
  const id = kept.store.send();
  await expect.poll(() => heard, soon).toEqual([false, true]);
  const bells = () => kept.store.journal().filter(({ event }) => event === "rung" || event === "begun");
  await expect
    .poll(() => bells().map(({ event, ids }) => [event, ids]), soon)
    .toEqual([
      ["rung", [id]],
      ["begun", [id]],
    ]);
});
