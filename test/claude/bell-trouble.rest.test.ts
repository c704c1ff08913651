import { expect, it } from "vitest";
import { otherRoles, type Role } from "../../src/army/roles.ts";
import { WAKES } from "../../src/config/relay-settings.ts";
import { expectHeld, expectRead, expectState } from "../support/bell-expectations.ts";
import { seatClaudes } from "../support/claude-seats.ts";
import type { Turn } from "../support/model.ts";
import { acceptTrust } from "../support/trust-dialog.ts";
import { letter } from "../support/store.ts";
import { soon } from "../support/wait-until.ts";

it.each(WAKES)(
  "DG3 wake = %s: fifty messages from five senders in one burst are all read, in a handful of turns",
  async (wake) => {
    await using seats = await seatClaudes(["strategist"], { wake });
    const senders = otherRoles("strategist");
    const ids = Array.from({ length: 50 }, (_, index) => {
      const from: Role = senders[index % senders.length] ?? "overlord";
      return seats.mail.deliver({ ...letter, from, subject: `report ${index}` }).id;
    });
    await expectRead(seats, ids);
    expect(seats.bells().length).toBeLessThanOrEqual(3);
  },
);

it.each(WAKES)("wake = %s: after a failed turn the agent is rung for new mail", async (wake) => {
  await using seats = await seatClaudes(["strategist"], { wake });
  await seats.pane("strategist").say("please fail");
  await expect.poll(() => seats.pane("strategist").screen(), soon).toContain("API Error");
  await expectState(seats, "failed");
  const { id } = seats.mail.deliver(letter);
  await expectRead(seats, [id]);
});

it("a turn that dies right after check_inbox is reported with its error, and the agent is woken to finish its work", async () => {
  let deaths = 0;
  await using seats = await seatClaudes(["strategist"], {
    script({ last }) {
      if (last.includes("broke off")) return "done after all";
      return last.includes(letter.body) && (deaths += 1) === 1 ? 403 : undefined;
    },
  });
  const { id } = seats.mail.deliver(letter);
  await expect
    .poll(() => seats.report("strategist"), soon)
    .toMatchObject({ state: "failed", failure: { error: "authentication_failed" } });
  expect(seats.journal("failed")).toEqual([expect.objectContaining({ ids: [id] })]);
  await expectRead(seats, [id]);
  const woken = seats.model.requests.filter(({ last }) => last.includes("broke off"));
  expect(woken).toHaveLength(1);
  expect(JSON.stringify(woken[0]?.messages)).toContain(letter.body);
  expect(seats.journal("rung").map(({ ids }) => ids)).toEqual([[id], [id]]);
});

it("a turn that dies after its relay was killed is not forgotten: the relay that the person connects wakes the agent to finish its work", async () => {
  let deaths = 0;
  await using seats = await seatClaudes(["strategist"], {
    script({ last }) {
      if (last.includes("broke off")) return "done after all";
      return last.includes(letter.body) && (deaths += 1) === 1 ? dieWithoutRelay() : undefined;
    },
  });
  async function dieWithoutRelay(): Promise<Turn> {
    await expect.poll(() => seats.mail.countUnread("strategist"), soon).toBe(0);
    process.kill(Number.parseInt(seats.report("strategist")?.relay ?? "", 10), "SIGKILL");
    await expectState(seats, "gone");
    return 403;
  }
  const { id } = seats.mail.deliver({ ...letter, from: "human" });
  await expect.poll(() => seats.pane("strategist").screen(), soon).toContain("API Error");
  await seats.pane("strategist").say("/mcp reconnect ovld-relay");
  await expect.poll(() => seats.pane("strategist").screen(), soon).toContain("done after all");
  expect(seats.journal("rung").map(({ ids }) => ids)).toEqual([[id], [id]]);
});

it("after /compact an agent is still woken for the mail of a failed turn", async () => {
  let deaths = 0;
  await using seats = await seatClaudes(["strategist"], {
    script({ last }) {
      if (last.includes("create a detailed summary")) return "<summary>The hill.</summary>";
      if (last.includes("broke off")) return "done after all";
      return last.includes(letter.body) && (deaths += 1) === 1 ? 403 : undefined;
    },
  });
  const { id } = seats.mail.deliver({ ...letter, from: "human" });
  await expectState(seats, "failed");
  await seats.pane("strategist").say("/compact");
  await expect.poll(() => seats.pane("strategist").screen(), soon).toContain("Compacted");
  await expect.poll(() => seats.pane("strategist").screen(), soon).toContain("done after all");
  expect(seats.journal("rung").map(({ ids }) => ids)).toEqual([[id], [id]]);
  await expectState(seats, "idle");
});

it("a usage limit with a known end holds every bell until then", async () => {
  const reset = new Date();
  reset.setHours(reset.getHours() + 3, 0, 0, 0);
  const [hour, half] = [reset.getHours() % 12 || 12, reset.getHours() < 12 ? "am" : "pm"];
  const words = `You've hit your session limit · resets ${hour}${half}`;
  await using seats = await seatClaudes(["strategist", "inferno"], {
    script: ({ last }) => (last.includes("please hit the limit") ? { status: 429, words } : undefined),
  });
  await seats.pane("strategist").say("please hit the limit");
  await expect
    .poll(() => seats.report("strategist"), soon)
    .toMatchObject({ state: "failed", failure: { error: "rate_limit", until: reset.toISOString() } });
  for (const to of ["strategist", "inferno"] as const) seats.mail.deliver({ ...letter, to });
  for (const role of ["strategist", "inferno"] as const) await expectHeld(seats, "limit", role);
  expect(seats.journal("rung")).toEqual([]);
});

it.each(WAKES)(
  "wake = %s: nothing is typed into the trust dialog and no agent exits; the mail waits for the person's answer",
  async (wake) => {
    await using seats = await seatClaudes(["strategist"], { trusted: false, wake });
    await expect.poll(() => seats.pane("strategist").screen(), soon).toContain("trust this folder");
    const { id } = seats.mail.deliver(letter);
    expect(seats.report("strategist")).toBeUndefined();
    await acceptTrust(seats.pane("strategist"));
    await expectRead(seats, [id]);
  },
);

it("M7.1b DG1 a broadcast wakes every other agent, and each reads it once", async () => {
  const others: Role[] = ["strategist", "inferno", "glacier"];
  await using seats = await seatClaudes(["overlord", ...others]);
  expect(await seats.send("overlord", "broadcast", { subject: "sync", body: "now" })).toEqual({ stored: 5 });
  const ids = others
    .flatMap((role) => seats.journal("stored").filter(({ to }) => to === role))
    .map(({ id }) => id);
  await expectRead(seats, ids);
  expect(seats.bells()).toHaveLength(others.length);
});

it("D3 an agent whose relay was killed is rung by the sender's, by typing, once", async () => {
  await using seats = await seatClaudes(["strategist"]);
  process.kill(Number.parseInt(seats.report("strategist")?.relay ?? "", 10), "SIGKILL");
  await expectState(seats, "gone");
  const answer = await seats.send("overlord", "send_message", { to: "strategist", subject: "s", body: "b" });
  expect(answer).toBe("stored");
  expect(seats.journal("rung")).toEqual([expect.objectContaining({ way: "typing" })]);
  await expect.poll(() => seats.bells(), soon).toHaveLength(1);
  const again = await seats.send("overlord", "send_message", { to: "strategist", subject: "s", body: "b" });
  expect(again).toBe("stored");
  expect(seats.bells()).toHaveLength(1);
});

it("a message to an agent that has exited is stored, the sender is told that the agent is gone, and its pane shows no error of ours", async () => {
  await using seats = await seatClaudes(["strategist"]);
  await seats.pane("strategist").say("/exit");
  await expectState(seats, "gone");
  await expect.poll(async () => (await seats.world.panes(seats.session))[0].exited, soon).toBe(true);
  expect(await seats.pane("strategist").screen()).not.toMatch(/hook|ovld-relay|agent_event/);
  const answer = await seats.send("overlord", "send_message", { to: "strategist", subject: "s", body: "b" });
  expect(answer).toEqual({ stored: true, why: "the program in its pane has ended" });
  const [pane] = await seats.world.panes(seats.session);
  expect(pane).toMatchObject({ exited: true });
});

it("mail read in a turn that the person interrupted is not said to be unfinished when a later turn fails", async () => {
  const hill = "take the hill";
  let isInterrupted = false;
  await using seats = await seatClaudes(["strategist"], {
    script: ({ last }) => (last.includes(hill) && !isInterrupted ? new Promise(() => {}) : undefined),
  });
  seats.mail.deliver(letter);
  await expect.poll(() => seats.model.requests.at(-1)?.last, soon).toContain(hill);
  await expectState(seats, "busy");
  await seats.pane("strategist").press("escape");
  isInterrupted = true;
  await expectState(seats, "idle");
  await seats.pane("strategist").say("please fail");
  await expectState(seats, "failed");
  seats.mail.deliver({ ...letter, subject: "second" });
  await expect.poll(() => seats.bells().at(-1)?.last, soon).toContain("second");
  expect(seats.bells().filter(({ last }) => last.includes("broke off"))).toEqual([]);
});
