import { expect, it } from "vitest";
import { expectHeld, expectRead, expectState } from "../support/bell-expectations.ts";
import { seatClaudes } from "../support/claude-seats.ts";
import { letter } from "../support/store.ts";
import { soon } from "../support/wait-until.ts";

it("urgent mail reaches a working agent through its socket, and is read once", async () => {
  await using seats = await seatClaudes(["strategist"]);
  await seats.pane("strategist").say("please work 8");
  await expectState(seats, "busy");
  const { id } = seats.mail.deliver({ ...letter, priority: "urgent" });
  await expect.poll(() => seats.journal("rung"), soon).toEqual([expect.objectContaining({ way: "socket" })]);
  expect(seats.report("strategist")?.state).toBe("busy");
  await expectRead(seats, [id]);
  expect(seats.bells()).toHaveLength(1);
});

it("without a socket an idle agent is rung by typing, a working one at the end of its turn", async () => {
  await using seats = await seatClaudes(["strategist"], { relayEnv: { CLAUDE_CODE_MESSAGING_SOCKET: "" } });
  const first = seats.mail.deliver(letter).id;
  await expectRead(seats, [first]);
  await seats.pane("strategist").say("please work 3");
  await expectState(seats, "busy");
  const second = seats.mail.deliver({ ...letter, priority: "urgent" }).id;
  await expectRead(seats, [first, second]);
  expect(seats.journal("rung").map(({ way }) => way)).toEqual(["typing", "hook"]);
});

it("after a socket has refused, the agent is rung by typing", async () => {
  await using seats = await seatClaudes(["strategist"], {
    relayEnv: { CLAUDE_CODE_MESSAGING_SOCKET: "/nowhere/to/be/found.sock" },
  });
  const { id } = seats.mail.deliver(letter);
  await expectRead(seats, [id]);
  expect(seats.journal("rung").map(({ way }) => way)).toEqual(["typing"]);
});

it("with hooks switched off the registry is enough: idle at once, working after the turn", async () => {
  await using seats = await seatClaudes(["strategist"], { settings: { disableAllHooks: true } });
  const first = seats.mail.deliver(letter).id;
  await expectRead(seats, [first]);
  await seats.pane("strategist").say("please work 3");
  await expectState(seats, "busy");
  const second = seats.mail.deliver(letter).id;
  await expectHeld(seats, "busy");
  await expectRead(seats, [first, second]);
  expect(seats.journal("rung").map(({ way }) => way)).toEqual(["socket", "socket"]);
});

it("nothing is typed into a Claude of which neither hooks nor registry say what it does", async () => {
  await using seats = await seatClaudes(["strategist"], {
    settings: { disableAllHooks: true },
    relayEnv: { CLAUDE_CODE_MESSAGING_SOCKET: "", CLAUDE_CONFIG_DIR: "/nowhere" },
    ready: "unknown",
  });
  seats.mail.deliver(letter);
  await expectHeld(seats, "state-unknown");
  expect([seats.journal("rung"), seats.journal("read")]).toEqual([[], []]);
});
