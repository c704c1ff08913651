import { expect, it } from "vitest";
import { expectRead } from "../support/bell-expectations.ts";
import { seatClaudes } from "../support/claude-seats.ts";
import { letter } from "../support/store.ts";
import { soon } from "../support/wait-until.ts";

it("a Claude Code suspended by Ctrl-Z is reported by status, and continued by continue", async () => {
  await using seats = await seatClaudes(["strategist"]);
  const { world } = seats;
  await seats.pane("strategist").type("\u001a");
  await expect
    .poll(async () => (await world.ovld("status", "--session", "seats")).stdout, soon)
    .toContain("strategist is suspended (Ctrl-Z)  →  ovld restart --continue strategist --army seats");
  const { stdout } = await world.ovld("restart", "--continue", "--session", "seats");
  expect(stdout).toBe("Running again: strategist.\n");
  await expect.poll(() => seats.pane("strategist").composer(), soon).toBe("");
  await seats.pane("strategist").say("please work 1");
  const heard = (): boolean => seats.model.requests.some(({ last }) => last.includes("please work 1"));
  await expect.poll(heard, soon).toBe(true);
});

it("nothing is typed into a stopped Claude Code, and it is rung for its mail when it continues", async () => {
  await using seats = await seatClaudes(["strategist"]);
  const pid = Number.parseInt(seats.report("strategist")?.agent ?? "", 10);
  process.kill(pid, "SIGSTOP");
  const { id } = seats.mail.deliver(letter);
  // By the socket, then by typing, which is refused, and by the socket again.
  await expect.poll(() => seats.journal("rung")).toHaveLength(2);
  process.kill(pid, "SIGCONT");
  await expectRead(seats, [id]);
  expect(seats.journal("rung").map(({ way }) => way)).toEqual(["socket", "socket"]);
  expect(await seats.pane("strategist").composer()).toBe("");
});
