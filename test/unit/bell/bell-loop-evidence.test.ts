import { identifyOurselves } from "../../../src/system/process.ts";
import { expect, it } from "vitest";
import { hook, keepOne, markIn, MINUTE } from "../../support/bell-loop.ts";
import { soon } from "../../support/wait-until.ts";

it("an agent whose turn failed after it had read mail is woken for it after a pause, is told why, and no flag is up", async () => {
  await using kept = keepOne();
  kept.view.state = "busy";
  const id = kept.store.send();
  kept.store.mail.claim("strategist").settle();
  kept.bell.wasAsked([{ id, from: "overlord", subject: "order", priority: "normal" }]);
  kept.view.state = "failed";
  kept.bell.hear(hook("turn-failed", { failure: { error: "authentication_failed" } }));
  await kept.looked();
  expect(kept.rings).toEqual([]);
  kept.wait(5_000);
  await expect.poll(() => kept.rings, soon).toEqual(["socket"]);
  expect(kept.texts.at(-1)).toMatch(
    /^\[MESSAGE from overlord\] Your last turn broke off in an error after you had read mail\./,
  );
  expect(kept.store.mail.flag("strategist")).toBeUndefined();
  await expect
    .poll(() => kept.store.journal().filter(({ event }) => event === "rung"), soon)
    .toEqual([expect.objectContaining({ ids: [id] })]);
  await kept.looked();
  expect(kept.rings).toHaveLength(1);
  kept.bell.hear(hook("turn-ended"));
  kept.view.state = "idle";
  kept.wait(60 * MINUTE);
  await kept.looked();
  expect(kept.rings).toHaveLength(1);
});

it.each(["wait", "sleep"] as const)(
  "while a usage limit that another role has hit applies, no role is rung; when it is lifted, they are, even if the machine was asleep (%s)",
  async (pass) => {
    await using kept = keepOne();
    const until = new Date(Date.now() + MINUTE).toISOString();
    kept.store.mail.reportAgent({
      role: "glacier",
      relay: identifyOurselves(),
      state: "failed",
      since: new Date().toISOString(),
      evidence: "hook",
      failure: { error: "rate_limit", until },
      bell: { state: "quiet" },
    });
    kept.store.send({ priority: "urgent" });
    await expect
      .poll(() => kept.store.mail.agentReport("strategist")?.bell, soon)
      .toMatchObject({ state: "held", why: "limit" });
    expect(kept.rings).toEqual([]);
    kept[pass](2 * MINUTE);
    await expect.poll(() => kept.rings, soon).toEqual(["socket"]);
  },
);

it("mail that comes after an unsuccessful bell is rung for at once, without waiting for that bell's next attempt", async () => {
  await using kept = keepOne();
  kept.store.send();
  for (const [index, pause] of [0, 4_000, 11_000].entries()) {
    kept.wait(pause);
    await expect.poll(() => kept.rings, soon).toHaveLength(index + 1);
    // The turn begins and ends, and the mail stays unread.
    kept.bell.hear(hook("prompted", { prompt: markIn(kept.texts[index]) }));
  }
  // The next ring of this series would come after half a minute.
  await kept.looked();
  expect(kept.rings).toHaveLength(3);
  kept.store.send({ priority: "urgent" });
  await expect.poll(() => kept.rings, soon).toEqual(["socket", "socket", "socket", "socket"]);
});

it("an agent that is at its prompt and leaves its mail unread for a minute is reported as not answering", async () => {
  await using kept = keepOne();
  kept.store.send();
  await expect.poll(() => kept.rings, soon).toHaveLength(1);
  kept.bell.hear(hook("prompted", { prompt: markIn(kept.texts[0]) }));
  await expect.poll(() => kept.report(), soon).toBe("begun");
  kept.wait(MINUTE);
  await expect.poll(() => kept.report(), soon).toBe("unanswered");
});

it("newer mail that an agent gets between its tools does not put off the moment at which it is reported as not answering", async () => {
  await using kept = keepOne();
  kept.store.send();
  await expect.poll(() => kept.rings, soon).toHaveLength(1);
  kept.bell.hear(hook("prompted", { prompt: markIn(kept.texts[0]) }));
  kept.view.state = "busy";
  kept.wait(MINUTE);
  kept.store.send();
  kept.bell.hear(hook("tool-begins"));
  expect(kept.bell.hear(hook("tools-ended"))?.text).toContain("and more");
  kept.bell.hear(hook("turn-ended"));
  kept.view.state = "idle";
  await expect.poll(() => kept.report(), soon).toBe("unanswered");
});

it("an agent that works and has heard the bell is given time", async () => {
  await using kept = keepOne();
  kept.store.send();
  await expect.poll(() => kept.rings, soon).toHaveLength(1);
  kept.bell.hear(hook("prompted", { prompt: markIn(kept.texts[0]) }));
  kept.view.state = "busy";
  kept.wait(30 * MINUTE);
  await kept.looked();
  expect(kept.report()).toBe("begun");
});

it("a turn that was rung at its end and answered only with words has begun", async () => {
  await using kept = keepOne();
  kept.view.state = "busy";
  kept.store.send();
  await expect.poll(() => kept.report(), soon).toBe("held");
  expect(kept.bell.hear(hook("turn-ended"))?.text).toContain("You have mail");
  expect(kept.store.mail.flag("strategist")).toMatchObject({ by: "strategist", way: "hook" });
  kept.bell.hear(hook("turn-ended"));
  const bells = () => kept.store.journal().filter(({ event }) => event === "rung" || event === "begun");
  expect(
    bells()
      .map(({ event, way }) => [event, way])
      .slice(0, 2),
  ).toEqual([
    ["rung", "hook"],
    ["begun", "hook"],
  ]);
});

it("a turn that begins before its bell is recorded as rung is recorded after it", async () => {
  await using kept = keepOne();
  kept.whileRinging = (text) => {
    kept.bell.hear(hook("prompted", { prompt: markIn(text) }));
  };
  kept.store.send();
  const bells = () => kept.store.journal().filter(({ event }) => event === "rung" || event === "begun");
  await expect.poll(() => bells().map(({ event }) => event), soon).toEqual(["rung", "begun"]);
  await kept.looked();
  expect(bells()).toHaveLength(2);
});

it("while the registry lags behind the hooks nothing is reported or rung; if it stays behind, the state is unknown", async () => {
  await using kept = keepOne();
  await expect.poll(() => kept.store.mail.agentReport("strategist")?.state, soon).toBe("idle");
  Object.assign(kept.view, { state: "unknown", lags: true });
  kept.store.send();
  await kept.looked();
  expect(kept.rings).toEqual([]);
  expect(kept.store.mail.agentReport("strategist")?.state).toBe("idle");
  kept.view.lags = false;
  await expect.poll(() => kept.rings, soon).toEqual(["socket"]);
});

it("a registry that lags behind the turn that a bell has begun does not make the agent's state unknown", async () => {
  await using kept = keepOne();
  kept.whileRinging = () => {
    Object.assign(kept.view, { state: "unknown", lags: true });
  };
  kept.store.send();
  await expect.poll(() => kept.report(), soon).toBe("rung");
  expect(kept.store.mail.agentReport("strategist")?.state).toBe("idle");
  Object.assign(kept.view, { state: "busy", lags: false });
  await expect.poll(() => kept.store.mail.agentReport("strategist")?.state, soon).toBe("busy");
});

it("a slow agent that takes a text after its ring was given up has been rung, and the journal says so", async () => {
  await using kept = keepOne(["typing"]);
  kept.refusals.push("not-taken");
  const id = kept.store.send();
  await expect.poll(() => kept.report(), soon).toBe("held");
  kept.view.state = "busy";
  kept.bell.hear(hook("prompted", { prompt: kept.texts[0] ?? "" }));
  const lines = kept.store.journal().filter(({ event }) => event === "rung" || event === "begun");
  expect(lines).toMatchObject([
    { event: "rung", way: "typing", attempt: 1, ids: [id] },
    { event: "begun", way: "typing", ids: [id] },
  ]);
});
