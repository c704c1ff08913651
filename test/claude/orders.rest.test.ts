import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { expectRead, expectState } from "../support/bell-expectations.ts";
import { seatClaudes, type ClaudeSeats } from "../support/claude-seats.ts";
import type { ModelRequest, ToolUse, Turn } from "../support/model.ts";
import { order } from "../support/store.ts";
import { soon } from "../support/wait-until.ts";

const RELAY = "mcp__ovld-relay__";
const CHECK_INBOX: ToolUse = { tool: `${RELAY}check_inbox`, input: {} };
const REPORT: ToolUse = {
  tool: `${RELAY}send_message`,
  input: { to: "overlord", subject: "r", body: "taken" },
};

const isReminded = ({ last }: ModelRequest): boolean => last.includes("[REMINDER from ovld]");

/** The strategist's model reads its mail and then says this; `reminded` is what it answers to a reminder. */
async function seatForgetful(said: Turn, reminded: Turn): Promise<ClaudeSeats> {
  return seatClaudes(["strategist"], {
    script(request) {
      if (isReminded(request)) return reminded;
      if (request.last.includes("[MESSAGE from")) return CHECK_INBOX;
      return request.toolResults.some((text) => text.includes(order.body)) ? said : "fine";
    },
  });
}

const toldTo = (seats: ClaudeSeats) => seats.journal("stored").filter(({ from }) => from === "ovld");

const UNHEARD: [string, string][] = [
  ["answers with text only", "The hill is taken. Done: everything. Open: nothing."],
  ["refuses", "I will not take the hill."],
];

it.each(UNHEARD)(
  "an agent that %s is reminded by one request, and then the overlord is told what it said, once",
  async (_, words) => {
    await using seats = await seatForgetful(words, words);
    const { id } = seats.mail.deliver(order);
    await expectRead(seats, [id]);
    await expect.poll(() => toldTo(seats), soon).toHaveLength(1);
    await expectState(seats, "idle");
    expect(toldTo(seats)[0]).toMatchObject({ to: "overlord", body: expect.stringContaining(words) });
    expect(seats.model.requests.filter(isReminded)).toHaveLength(1);
    await seats.pane("strategist").say("hello");
    await pause(1_000);
    expect(toldTo(seats)).toHaveLength(1);
    expect(seats.journal("reminded")).toHaveLength(1);
  },
);

it("an agent that forgot reports when it is reminded, and nobody is told", async () => {
  await using seats = await seatForgetful("fine", REPORT);
  const { id } = seats.mail.deliver(order);
  await expectRead(seats, [id]);
  const reports = () => seats.journal("stored").filter(({ from }) => from === "strategist");
  await expect.poll(reports, soon).toHaveLength(1);
  await expectState(seats, "idle");
  expect(seats.journal("reminded")).toMatchObject([{ role: "strategist", ids: [id] }]);
  expect(toldTo(seats)).toEqual([]);
});

it("an agent that leaves a command in the background is reminded when that is over, and not before", async () => {
  let isOver = false;
  await using seats = await seatClaudes(["strategist"], {
    personSettings: { permissions: { allow: ["Bash(sleep:*)"] } },
    script(request) {
      const { last, toolResults } = request;
      if (isReminded(request)) return REPORT;
      if (last.includes("<task-notification>")) {
        isOver = true;
        return "It is over.";
      }
      if (last.includes("[MESSAGE from")) return CHECK_INBOX;
      if (!toolResults.at(-1)?.includes(order.body)) return "I wait for it.";
      return { tool: "Bash", input: { command: "sleep 4", description: "it", run_in_background: true } };
    },
  });
  const { id } = seats.mail.deliver(order);
  await expectRead(seats, [id]);
  await expect.poll(() => seats.journal("reminded"), soon).toHaveLength(1);
  expect(isOver).toBe(true);
  expect(toldTo(seats)).toEqual([]);
});

it("an agent that dies after it has read its order is reported to whoever gave it, by their relay", async () => {
  await using seats = await seatClaudes(["overlord", "strategist"]);
  const { id } = seats.mail.deliver(order);
  await expect.poll(() => seats.journal("read").map((each) => each.id), soon).toEqual([id]);
  process.kill(Number.parseInt(seats.report("strategist")?.agent ?? "", 10), "SIGKILL");
  await expect
    .poll(() => toldTo(seats), { ...soon, interval: 500 })
    .toMatchObject([{ to: "overlord", subject: "strategist is gone: order" }]);
  await pause(15_000);
  expect(toldTo(seats)).toHaveLength(1);
});
