import { expect, it } from "vitest";
import { otherRoles, type Role } from "../../src/army/roles.ts";
import { WAKES } from "../../src/config/relay-settings.ts";
import { expectRead, expectState, soon } from "../support/bell-expectations.ts";
import { seatClaudes } from "../support/claude-seats.ts";
import { acceptTrust } from "../support/trust-dialog.ts";
import { letter } from "../support/store.ts";

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

it.each(WAKES)("wake = %s: after a failed turn the agent is idle and is rung", async (wake) => {
  await using seats = await seatClaudes(["strategist"], { wake });
  await seats.say("strategist", "please fail");
  await expect.poll(async () => (await seats.screen("strategist")).join("\n"), soon).toContain("API Error");
  await expectState(seats, "idle");
  const { id } = seats.mail.deliver(letter);
  await expectRead(seats, [id]);
});

it.each(WAKES)(
  "wake = %s: over the trust dialog nothing is typed and nobody exits; the mail waits for the person's answer",
  async (wake) => {
    await using seats = await seatClaudes(["strategist"], { trusted: false, wake });
    await expect
      .poll(async () => (await seats.screen("strategist")).join("\n"), soon)
      .toContain("trust this folder");
    const { id } = seats.mail.deliver(letter);
    expect(seats.report("strategist")).toBeUndefined();
    await acceptTrust({
      screen: async () => (await seats.screen("strategist")).join("\n"),
      type: (text) => seats.type("strategist", text),
    });
    await expectRead(seats, [id]);
  },
);

it("M7.1b DG1 a broadcast wakes every other agent, and each reads it once", async () => {
  const others: Role[] = ["strategist", "inferno", "glacier"];
  await using seats = await seatClaudes(["overlord", ...others]);
  const answers = await seats.send("overlord", "broadcast", { subject: "sync", body: "now" });
  expect(answers.filter(({ to }: { to: Role }) => others.includes(to))).toEqual(
    others.map((to) => expect.objectContaining({ to, stored: true, bell: "rung", way: "socket" })),
  );
  const ids = answers
    .filter(({ to }: { to: Role }) => others.includes(to))
    .map(({ id }: { id: string }) => id);
  await expectRead(seats, ids);
  expect(seats.bells()).toHaveLength(others.length);
});

it("D3 an agent whose relay was killed is rung by the sender's, by typing, and the answer says so", async () => {
  await using seats = await seatClaudes(["strategist"]);
  process.kill(Number.parseInt(seats.report("strategist")?.relay ?? "", 10), "SIGKILL");
  await expectState(seats, "gone");
  const answer = await seats.send("overlord", "send_message", { to: "strategist", subject: "s", body: "b" });
  expect(answer).toMatchObject({ stored: true, bell: "rung", way: "typing", by: "sender" });
  await expect.poll(() => seats.bells(), soon).toHaveLength(1);
  const again = await seats.send("overlord", "send_message", { to: "strategist", subject: "s", body: "b" });
  expect(again).toMatchObject({ stored: true, bell: "already rung" });
  expect(seats.bells()).toHaveLength(1);
});

it("a message to an agent that has exited is stored, and the sender is told that nobody is there", async () => {
  await using seats = await seatClaudes(["strategist"]);
  await seats.say("strategist", "/exit");
  await expectState(seats, "gone");
  const answer = await seats.send("overlord", "send_message", { to: "strategist", subject: "s", body: "b" });
  expect(answer).toMatchObject({ stored: true, bell: "held", why: "the program in its pane has ended" });
  const [pane] = await seats.world.panes(seats.session);
  expect(pane).toMatchObject({ exited: true });
});
