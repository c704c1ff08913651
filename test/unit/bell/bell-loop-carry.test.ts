import { expect, it } from "vitest";
import { identifyProcess } from "../../../src/system/process.ts";
import { hook, keepOne, markIn, MINUTE } from "../../support/bell-loop.ts";
import { soon } from "../../support/wait-until.ts";

const carrying = { word: "kfqxzb" };
const isCarrying = (text = ""): boolean => text.includes(". [{");

it("carried mail is read when the turn does something, and is not rung for again", async () => {
  await using kept = keepOne(["socket"], carrying);
  kept.bell.hear(hook("turn-ended"));
  const id = kept.store.send();
  await expect.poll(() => kept.texts.map(isCarrying), soon).toEqual([true]);
  expect(kept.texts[0]).toContain("Word kfqxzb, note");
  kept.bell.hear(hook("prompted", { prompt: kept.texts[0] ?? "" }));
  await expect.poll(() => kept.report(), soon).toBe("begun");
  kept.bell.hear(hook("tool-ended"));
  await expect.poll(() => kept.report(), soon).toBe("quiet");
  expect(kept.store.mail.countUnread("strategist")).toBe(0);
  const events = kept.store.journal().map(({ event }) => event);
  expect(events).toEqual(["stored", "rung", "begun", "read"]);
  expect(kept.store.journal().at(-1)).toMatchObject({ id });
  kept.wait(MINUTE);
  kept.bell.lookAgain();
  await expect.poll(() => kept.report(), soon).toBe("quiet");
  expect(kept.rings).toHaveLength(1);
});

it("an agent whose turn failed after its bell had carried mail is woken for that mail", async () => {
  await using kept = keepOne(["socket"], carrying);
  kept.bell.hear(hook("turn-ended"));
  const id = kept.store.send();
  await expect.poll(() => kept.rings, soon).toHaveLength(1);
  kept.bell.hear(hook("prompted", { prompt: kept.texts[0] ?? "" }));
  kept.bell.hear(hook("tool-ended"));
  kept.view.state = "failed";
  kept.bell.hear(hook("turn-failed"));
  expect(kept.store.journal().at(-1)).toMatchObject({ event: "failed", error: "unknown", ids: [id] });
  kept.wait(5_000);
  await expect.poll(() => kept.texts.at(-1), soon).toMatch(/broke off.* Note \w+\.$/);
});

it("an interrupted turn with carried mail is not a failure, and the mail is rung for again without being carried", async () => {
  await using kept = keepOne(["socket"], carrying);
  kept.bell.hear(hook("turn-ended"));
  kept.store.send();
  await expect.poll(() => kept.rings, soon).toHaveLength(1);
  kept.bell.hear(hook("prompted", { prompt: kept.texts[0] ?? "" }));
  kept.bell.hear(hook("turn-interrupted"));
  kept.wait(4_000);
  await expect.poll(() => kept.texts.map(isCarrying), soon).toEqual([true, false]);
  expect(kept.texts[1]).toMatch(/Call check_inbox\.$/);
  expect(kept.store.journal().map(({ event }) => event)).not.toContain("failed");
});

it("urgent mail for a working agent is not carried: its turn may ask for it first", async () => {
  await using kept = keepOne(["socket"], carrying);
  kept.bell.hear(hook("tool-ended"));
  kept.view.state = "busy";
  kept.store.send({ priority: "urgent" });
  await expect.poll(() => kept.texts.map(isCarrying), soon).toEqual([false]);
  expect(kept.store.inbox()).toHaveLength(1);
});

it("normal mail waits for a working agent, and urgent mail among it does not", async () => {
  await using kept = keepOne(["socket"]);
  kept.view.state = "busy";
  kept.store.send({ from: "storm" });
  await expect.poll(() => kept.report(), soon).toBe("held");
  expect(kept.rings).toEqual([]);
  kept.store.send({ from: "overlord", subject: "halt", priority: "urgent" });
  await expect.poll(() => kept.texts, soon).toHaveLength(1);
  expect(kept.texts[0]).toMatch(/^\[MESSAGE from overlord and others\] You have mail about halt, and more,/);
});

it("a socket that refuses a bell with mail gets no more mail, and the agent is typed to for what it refused", async () => {
  await using kept = keepOne(["socket", "typing"], carrying);
  kept.bell.hear(hook("turn-ended"));
  kept.refusals.push("socket-refused");
  kept.store.send();
  await expect.poll(() => kept.rings, soon).toEqual(["socket", "typing"]);
  expect(kept.texts.map(isCarrying)).toEqual([true, false]);
  kept.bell.wasAsked(kept.store.mail.claim("strategist").messages);
  kept.store.mail.claim("strategist").settle();
  await expect.poll(() => kept.report(), soon).toBe("quiet");
  kept.store.send();
  await expect.poll(() => kept.rings, soon).toEqual(["socket", "typing", "socket"]);
  expect(isCarrying(kept.texts[2])).toBe(false);
});

it("a socket that refuses a bell without mail may carry mail later", async () => {
  await using kept = keepOne(["socket"], carrying);
  kept.refusals.push("socket-refused");
  kept.store.send();
  await expect.poll(() => kept.report(), soon).toBe("held");
  kept.bell.hear(hook("tool-ended"));
  kept.wait(2_000);
  await expect.poll(() => kept.texts.map(isCarrying), soon).toEqual([false, true]);
});

it("a bell is not forgotten while its mail is on its way, even if an answer of check_inbox is as well", async () => {
  let isHandingOut = false;
  await using kept = keepOne(["socket"], { ...carrying, isHandingOut: () => isHandingOut });
  kept.bell.hear(hook("turn-ended"));
  const id = kept.store.send();
  await expect.poll(() => kept.rings, soon).toHaveLength(1);
  isHandingOut = true;
  kept.bell.lookAgain();
  await kept.looked();
  expect(kept.report()).toBe("rung");
  kept.bell.hear(hook("prompted", { prompt: kept.texts[0] ?? "" }));
  expect(kept.store.journal().at(-1)).toMatchObject({ event: "begun", ids: [id] });
});

it("hooks keep a turn going eight times at most, and as often again after the next prompt", async () => {
  await using kept = keepOne([]);
  kept.view.state = "busy";
  const tellAtEnd = (): boolean => {
    kept.store.send();
    const isTold = kept.bell.hear(hook("turn-ended")) !== undefined;
    kept.bell.wasAsked([]);
    kept.store.mail.claim("strategist").settle();
    return isTold;
  };
  const ten = Array.from({ length: 10 }, tellAtEnd);
  expect(ten).toEqual([...Array.from({ length: 8 }, () => true), false, false]);
  kept.bell.hear(hook("prompted", { prompt: "go on" }));
  expect(tellAtEnd()).toBe(true);
});

it("the end of a turn rings only where that is wanted, and only by the relay in charge", async () => {
  await using pane = keepOne(["typing"], { ringsAtTurnEnd: 0 });
  await using younger = keepOne(["socket"]);
  younger.store.mail.announce({
    role: "strategist",
    relay: identifyProcess(process.ppid) ?? "1-1",
    agent: undefined,
  });
  for (const kept of [pane, younger]) {
    kept.view.state = "busy";
    kept.store.send();
    expect(kept.bell.hear(hook("turn-ended"))).toBeUndefined();
  }
  await younger.looked().catch(() => {});
  expect(younger.report()).toBeUndefined();
});

/** A way of ringing that never works. */
function breaking(tried: string[]) {
  return async (way: string): Promise<never> => {
    tried.push(way);
    throw new Error("broken");
  };
}

it("a way that throws counts as refused: another is tried while the agent is at rest, none while it works", async () => {
  const triedAtRest: string[] = [];
  const triedAtWork: string[] = [];
  await using idle = keepOne(["socket", "typing"], { ring: breaking(triedAtRest) });
  idle.store.send();
  await expect
    .poll(() => idle.store.mail.agentReport("strategist")?.bell, soon)
    .toMatchObject({ state: "held", why: "zellij-failed" });
  expect(triedAtRest.slice(0, 2)).toEqual(["socket", "typing"]);
  await expect.poll(() => idle.store.mail.flag("strategist"), soon).toBeUndefined();
  await using busy = keepOne(["socket", "typing"], { ring: breaking(triedAtWork) });
  busy.view.state = "busy";
  busy.store.send({ priority: "urgent" });
  await expect
    .poll(() => busy.store.mail.agentReport("strategist")?.bell, soon)
    .toMatchObject({ state: "held", why: "socket-refused" });
  expect(new Set(triedAtWork)).toEqual(new Set(["socket"]));
});

it("a bell that is rung again renews its flag, and names its mail and the unfinished turn", async () => {
  await using kept = keepOne(["socket", "typing"]);
  const id = kept.store.send();
  kept.bell.wasAsked([{ id, from: "overlord", subject: "order", priority: "normal" }]);
  kept.store.mail.claim("strategist").settle();
  kept.bell.hear(hook("turn-failed", { failure: { error: "server_error" } }));
  kept.store.send({ subject: "the north wall" });
  await expect.poll(() => kept.rings, soon).toEqual(["socket"]);
  expect(kept.texts[0]).toMatch(/broke off in an error.* You have mail about the-north-wall, note/);
  expect(kept.store.mail.flag("strategist")).toMatchObject({ by: "strategist", way: "socket" });
  kept.wait(4_000);
  await expect.poll(() => kept.store.mail.flag("strategist"), soon).toMatchObject({ way: "typing" });
  expect(markIn(kept.texts[1])).not.toBe(markIn(kept.texts[0]));
});

it("an agent in an unknown state is not rung, and as long as its registry may be late nothing is decided", async () => {
  await using kept = keepOne(["typing"]);
  Object.assign(kept.view, { state: "unknown", evidence: "none", lags: true, at: undefined });
  kept.store.send();
  await kept.looked();
  expect(kept.report()).toBeUndefined();
  kept.view.lags = false;
  await expect
    .poll(() => kept.store.mail.agentReport("strategist")?.bell, soon)
    .toMatchObject({ why: "state-unknown" });
  expect(kept.rings).toEqual([]);
});

it("if no flag can be raised, on a full disk, a turn ends, no mail is carried, and it is rung for later", async () => {
  await using kept = keepOne(["socket"], carrying);
  const { mail } = kept.store;
  const raiseFlag = mail.raiseFlag.bind(mail);
  kept.bell.hear(hook("tool-ended"));
  kept.view.state = "busy";
  kept.store.send();
  await expect.poll(() => kept.report(), soon).toBe("held");
  mail.raiseFlag = () => {
    throw new Error("the disk is full");
  };
  expect(kept.bell.hear(hook("turn-ended"))).toBe(undefined);
  kept.view.state = "idle";
  await kept.looked();
  expect([kept.store.inbox().length, kept.rings]).toEqual([1, []]);
  mail.raiseFlag = raiseFlag;
  await expect.poll(() => kept.texts.map(isCarrying), soon).toEqual([true]);
});
