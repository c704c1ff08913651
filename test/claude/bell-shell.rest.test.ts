import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { WAKES } from "../../src/config/relay-settings.ts";
import { expectRead, expectState } from "../support/bell-expectations.ts";
import { seatClaudes, type ClaudeSeats } from "../support/claude-seats.ts";
import type { Turn } from "../support/model.ts";
import { endIfThrown } from "../support/sandbox.ts";
import { letter } from "../support/store.ts";
import { soon } from "../support/wait-until.ts";

const BACKGROUND: Turn = {
  tool: "Bash",
  input: { command: "sleep 50", description: "it", run_in_background: true },
};

/** An idle Claude with a command that still runs in the background. */
async function seatWithShell(wake: (typeof WAKES)[number]): Promise<ClaudeSeats> {
  const seats = await seatClaudes(["strategist"], {
    wake,
    settings: { permissions: { allow: ["mcp__ovld-relay", "Bash(sleep:*)"] } },
    script: ({ last }) => (last.includes("please stay") ? BACKGROUND : undefined),
  });
  return endIfThrown(seats, async () => {
    await seats.pane("strategist").say("please stay");
    await expect.poll(() => seats.registry("strategist")?.status, soon).toBe("shell");
    return seats;
  });
}

it.each(WAKES)(
  "wake = %s: with a command in the background an agent is idle, and reads its mail",
  async (wake) => {
    await using seats = await seatWithShell(wake);
    await expectState(seats, "idle");
    const { id } = seats.mail.deliver(letter);
    await expectRead(seats, [id]);
    expect(seats.bells()).toHaveLength(1);
  },
);

it("with a command in the background, after Esc in a turn an agent is idle, and reads its mail", async () => {
  await using seats = await seatWithShell("auto");
  await seats.pane("strategist").say("please work 40");
  await expectState(seats, "busy");
  await seats.pane("strategist").press("escape");
  await expect.poll(() => seats.registry("strategist")?.status, soon).toBe("shell");
  await expectState(seats, "idle");
  const { id } = seats.mail.deliver(letter);
  await expectRead(seats, [id]);
});

it("with a command in the background, after a refused permission an agent is idle, and reads its mail", async () => {
  await using seats = await seatWithShell("auto");
  await seats.pane("strategist").say("please run it");
  await expectState(seats, "asking");
  await seats.pane("strategist").answer("no");
  await expect.poll(() => seats.registry("strategist")?.status, soon).toBe("shell");
  const { id } = seats.mail.deliver(letter);
  await expectRead(seats, [id]);
  expect(existsSync(seats.ran)).toBe(false);
});
