import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { expectHeld, expectRead, expectState } from "../support/bell-expectations.ts";
import { seatClaudes } from "../support/claude-seats.ts";
import type { ModelRequest, ToolUse, Turn } from "../support/model.ts";
import { endIfThrown } from "../support/sandbox.ts";
import { letter } from "../support/store.ts";
import { soon } from "../support/wait-until.ts";

const DELEGATE: ToolUse = {
  tool: "Agent",
  input: { description: "it", prompt: "you are the helper", subagent_type: "general-purpose" },
};
const CHECK_INBOX: Turn = { tool: "mcp__ovld-relay__check_inbox", input: {} };

function isFromSubagent({ messages }: ModelRequest): boolean {
  const first = messages.find(({ role }) => role === "user");
  return JSON.stringify(first).includes("you are the helper");
}

it("a subagent is refused its role's mail, and the agent reads it", async () => {
  await using seats = await seatClaudes(["strategist"], {
    script(request) {
      if (isFromSubagent(request)) return request.toolResults.length === 0 ? CHECK_INBOX : "helped";
      return request.last.includes("please delegate") ? DELEGATE : undefined;
    },
  });
  await seats.pane("strategist").say("please delegate");
  const answers = () => seats.model.requests.filter(isFromSubagent).flatMap(({ toolResults }) => toolResults);
  await expect.poll(answers, soon).toEqual([expect.stringContaining("not for its subagents")]);
  await expectState(seats, "idle");
  const { id } = seats.mail.deliver(letter);
  await expectRead(seats, [id]);
  expect(answers()).toHaveLength(1);
});

it("normal mail is read while a subagent keeps working in the background", async () => {
  const [turnIsOver, end] = [new AbortController(), new AbortController()];
  const mayWork = once(turnIsOver.signal, "abort");
  const mayEnd = once(end.signal, "abort");
  await using seats = await seatClaudes(["strategist"], {
    async script(request) {
      if (!isFromSubagent(request)) {
        if (request.last.includes("please delegate")) return DELEGATE;
        return request.last.includes("[MESSAGE from") ? CHECK_INBOX : "all said";
      }
      await (request.toolResults.length === 0 ? mayWork : mayEnd);
      return request.toolResults.length === 0
        ? { tool: "Read", input: { file_path: join(seats.world.project, "nothing") } }
        : "helped";
    },
  });
  await seats.pane("strategist").say("please delegate");
  await expect.poll(() => seats.pane("strategist").screen(), soon).toContain("all said");
  turnIsOver.abort();
  const isAtWork = () => seats.model.requests.filter(isFromSubagent).length === 2;
  await expect.poll(isAtWork, soon).toBe(true);
  const { id } = seats.mail.deliver(letter);
  await expect.poll(() => seats.journal("read").map((event) => event.id), soon).toEqual([id]);
  expect(seats.journal("rung")[0]).toMatchObject({ way: "socket", ids: [id] });
  expect(isAtWork()).toBe(true);
  end.abort();
});

/** `busyFor` is how many tools the agent itself uses in its turn; the subagent asks when it has used one. */
async function seatWithAsker(busyFor: number) {
  const began = new AbortController();
  const mayAsk = once(began.signal, "abort");
  let used = 0;
  const states = new Set<string | undefined>();
  const seats = await seatClaudes(["strategist"], {
    async script(request) {
      if (isFromSubagent(request)) {
        await mayAsk;
        const command = `touch ${seats.ran}`;
        const ask: Turn = { tool: "Bash", input: { command, description: "it" } };
        return request.toolResults.length === 0 ? ask : "helped";
      }
      states.add(seats.report("strategist")?.state);
      if (request.last.includes("please delegate")) return DELEGATE;
      if (request.last.includes("Call check_inbox")) return CHECK_INBOX;
      if (request.last.includes("[MESSAGE from") || used >= busyFor) return "all said";
      used += 1;
      began.abort();
      // Longer than the registry ever lags behind, with tools in between.
      await pause(700);
      return { tool: "Read", input: { file_path: join(seats.world.project, `nothing${used}`) } };
    },
  });
  await endIfThrown(seats, () => seats.pane("strategist").say("please delegate"));
  return { seats, states, began };
}

describe("while a subagent waits at a permission dialog", () => {
  it("an agent whose own turn goes on is asking, and reads normal mail when that turn ends", async () => {
    const { seats, states } = await seatWithAsker(6);
    await using _ = seats;
    await expectState(seats, "asking");
    states.clear();
    const { id } = seats.mail.deliver(letter);
    await expectHeld(seats, "asking");
    await expect.poll(() => seats.journal("read").map((event) => event.id), soon).toEqual([id]);
    expect(seats.journal("rung")).toEqual([expect.objectContaining({ way: "hook" })]);
    expect([...states]).toEqual(["asking"]);
    expect(existsSync(seats.ran)).toBe(false);
    await seats.pane("strategist").answer("enter");
    await expectState(seats, "idle");
    expect(existsSync(seats.ran)).toBe(true);
  });

  it("an agent whose own turn is over is asking, is rung by its socket and reads its mail; the dialog stays", async () => {
    const { seats, began } = await seatWithAsker(0);
    await using _ = seats;
    await expect.poll(() => seats.pane("strategist").screen(), soon).toContain("all said");
    began.abort();
    await expectState(seats, "asking");
    const { id } = seats.mail.deliver(letter);
    await expect.poll(() => seats.journal("read").map((event) => event.id), soon).toEqual([id]);
    expect(seats.journal("rung")).toEqual([expect.objectContaining({ way: "socket" })]);
    expect(existsSync(seats.ran)).toBe(false);
    expect(await seats.pane("strategist").screen()).toContain("Do you want to proceed?");
    await seats.pane("strategist").answer("enter");
    await expectState(seats, "idle");
    expect(existsSync(seats.ran)).toBe(true);
  });
});

it("three subagents at once that try every tool of ours get nothing, change nothing and answer no dialog, and the agent reads urgent mail meanwhile", async () => {
  const attempts: ToolUse[] = [
    { tool: "check_inbox", input: {} },
    { tool: "get_status", input: {} },
    { tool: "update_status", input: { status: "done", task: "taken over" } },
    { tool: "send_message", input: { to: "storm", subject: "s", body: "b", status: "done" } },
    { tool: "broadcast", input: { subject: "s", body: "b" } },
    { tool: "agent_event", input: { event: "Stop" } },
  ];
  const ended = new AbortController();
  const mayTry = once(ended.signal, "abort");
  await using seats = await seatClaudes(["strategist"], {
    async script(request) {
      if (!isFromSubagent(request)) {
        if (request.last.includes("please delegate")) return [DELEGATE, DELEGATE, DELEGATE];
        return request.last.includes("Call check_inbox") ? CHECK_INBOX : "all said";
      }
      await mayTry;
      if (request.toolResults.length === 0)
        return attempts.map(({ tool, input }) => ({ tool: `mcp__ovld-relay__${tool}`, input }));
      // Whatever it was refused, it then asks the person.
      const command = `touch ${seats.ran}`;
      return { tool: "Bash", input: { command, description: "it" } };
    },
  });
  await seats.pane("strategist").say("please delegate");
  await expect.poll(() => seats.pane("strategist").screen(), soon).toContain("all said");
  const { id } = seats.mail.deliver({ ...letter, priority: "urgent" });
  ended.abort();
  const results = () => seats.model.requests.filter(isFromSubagent).flatMap(({ toolResults }) => toolResults);
  await expect.poll(() => results().length, soon).toBeGreaterThanOrEqual(3 * 6);
  await expect.poll(() => seats.journal("read").map((event) => event.id), soon).toEqual([id]);
  await expectState(seats, "asking");
  expect(results().filter((text) => !/not for its subagents|No such tool/.test(text))).toEqual([]);
  expect(seats.journal("stored").map((event) => event.id)).toEqual([id]);
  expect(seats.mail.peekStatus("strategist").status).toBe("idle");
  expect(existsSync(seats.ran)).toBe(false);
  expect(seats.journal("rung").filter(({ way }) => way === "typing")).toEqual([]);
});

it("nine messages of 60 KB are all shown to the model, complete and once", async () => {
  await using seats = await seatClaudes(["strategist"]);
  await seats.pane("strategist").say("please work 5");
  await expectState(seats, "busy");
  const ids = Array.from(
    { length: 9 },
    (_, index) => seats.mail.deliver({ ...letter, body: `${"x".repeat(60_000)} end ${index}` }).id,
  );
  await expectRead(seats, ids);
  const shown = seats.model.requests.at(-1)?.toolResults.join("\n") ?? "";
  for (const [index, id] of ids.entries()) {
    expect(shown.split(id)).toHaveLength(2);
    expect(shown).toContain(`x end ${index}"`);
  }
});
