import { once } from "node:events";
import { join } from "node:path";
import { expect, it } from "vitest";
import { expectRead, expectState } from "../support/bell-expectations.ts";
import { seatClaudes } from "../support/claude-seats.ts";
import type { ModelRequest, Turn } from "../support/model.ts";
import { letter } from "../support/store.ts";
import { soon } from "../support/wait-until.ts";

const DELEGATE: Turn = {
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

it("nine messages of 60 KB are all shown to the model, complete and once", async () => {
  await using seats = await seatClaudes(["strategist"]);
  await seats.pane("strategist").say("please work 5");
  await expectState(seats, "busy");
  const ids = Array.from(
    { length: 9 },
    (_, index) => seats.mail.deliver({ ...letter, body: `${"x".repeat(60_000)} end ${index}` }).id,
  );
  await expectRead(seats, ids, { timeout: 40_000 });
  const shown = seats.model.requests.at(-1)?.toolResults.join("\n") ?? "";
  for (const [index, id] of ids.entries()) {
    expect(shown.split(id)).toHaveLength(2);
    expect(shown).toContain(`x end ${index}"`);
  }
});
