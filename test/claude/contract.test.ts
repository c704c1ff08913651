import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { environmentForArmy } from "../../src/agent/army-process.ts";
import { expectRead, expectState } from "../support/bell-expectations.ts";
import { seatClaudes } from "../support/claude-seats.ts";
import { letter } from "../support/store.ts";
import { soon } from "../support/wait-until.ts";

/**
 * What we rely on in Claude Code although it is not, or only partly, documented: a version that changes it fails
 * here, under the name of what it changed.
 */
it("contract: a server's environment names its pane, its session and its Claude's socket", async () => {
  await using seats = await seatClaudes(["strategist"]);
  const env = seats.relayEnv("strategist");
  expect(env["ZELLIJ_SESSION_NAME"]).toBe(seats.session);
  expect(env["ZELLIJ_PANE_ID"]).toMatch(/^\d+$/);
  expect(env["CLAUDE_CODE_MESSAGING_SOCKET"]).toMatch(/\.sock$/);
  expect(env["CLAUDE_CODE_MESSAGING_TOKEN"]).toMatch(/./);
});

it("contract: the registry has pid, status, its time, what is waited for and the socket", async () => {
  await using seats = await seatClaudes(["strategist"]);
  const agent = Number.parseInt(seats.report("strategist")?.agent ?? "", 10);
  expect(seats.registry("strategist")).toMatchObject({
    pid: agent,
    status: "idle",
    statusUpdatedAt: expect.any(Number),
    messagingSocketPath: seats.relayEnv("strategist")["CLAUDE_CODE_MESSAGING_SOCKET"],
  });
  await seats.pane("strategist").say("please run it");
  await expect
    .poll(() => seats.registry("strategist"), soon)
    .toMatchObject({ status: "waiting", waitingFor: "permission prompt" });
  await seats.pane("strategist").answer("escape");
  await expect.poll(() => seats.registry("strategist")?.status, soon).toBe("idle");
});

it("contract: hooks of the type mcp_tool report a prompt, a question and the end of a turn", async () => {
  await using seats = await seatClaudes(["strategist"], {
    // Only hooks are tested: the relay looks for the registry where there is none.
    relayEnv: { CLAUDE_CONFIG_DIR: "/nowhere" },
    ready: "unknown",
  });
  await seats.pane("strategist").say("please run it");
  await expect
    .poll(() => seats.report("strategist"), soon)
    .toMatchObject({
      state: "asking",
      evidence: "hook",
      waitingFor: "Bash",
    });
  await expect.poll(() => seats.pane("strategist").screen(), soon).toContain("Do you want to proceed?");
  await seats.pane("strategist").answer("enter");
  await expect
    .poll(() => seats.report("strategist"), soon)
    .toMatchObject({ state: "idle", evidence: "hook" });
});

it("contract: a line on the inbox socket begins a turn, shown as one line with its sender's name", async () => {
  await using seats = await seatClaudes(["strategist"]);
  const { id } = seats.mail.deliver(letter);
  await expectRead(seats, [id]);
  const screen = await seats.pane("strategist").screen();
  expect(screen).toContain("Message from @overlord: [MESSAGE from overlord]");
  expect(screen).not.toContain("Another Claude session");
});

it("contract: additionalContext in a Stop hook's answer makes the turn continue", async () => {
  await using seats = await seatClaudes(["strategist"]);
  await seats.pane("strategist").say("please work 3");
  await expectState(seats, "busy");
  const { id } = seats.mail.deliver(letter);
  await expectRead(seats, [id]);
  expect(seats.journal("rung")).toEqual([expect.objectContaining({ way: "hook" })]);
  expect(seats.journal("begun")).toEqual([expect.objectContaining({ way: "hook" })]);
});

it("contract: the rival mail tools are denied and ours need no permission", async () => {
  await using seats = await seatClaudes(["strategist"]);
  const { id } = seats.mail.deliver(letter);
  await expectRead(seats, [id]);
  const tools = seats.model.requests.at(-1)?.tools ?? [];
  expect(tools).toContain("mcp__ovld-relay__check_inbox");
  expect(tools).not.toContain("SendMessage");
  expect(tools).not.toContain("ListAgents");
});

it("contract: everything that a Claude adds to the environment of its children is removed again, and no setting is", async () => {
  const settings = { CLAUDE_CODE_MAX_OUTPUT_TOKENS: "9000", CLAUDE_CODE_SUBAGENT_MODEL: "haiku" };
  const seen = (): string => join(seats.world.sandbox.root, "seen");
  await using seats = await seatClaudes(["strategist"], {
    env: settings,
    script: ({ last }) =>
      last.includes("please show")
        ? { tool: "Bash", input: { command: `env -0 > ${seen()}`, description: "it" } }
        : undefined,
  });
  await seats.pane("strategist").say("please show it");
  await expectState(seats, "asking");
  await seats.pane("strategist").answer("enter");
  await expect.poll(() => existsSync(seen()), soon).toBe(true);
  const inShell = Object.fromEntries(
    readFileSync(seen(), "utf8")
      .split("\0")
      .map((line): [string, string] => [line.slice(0, line.indexOf("=")), line]),
  );
  const children = [inShell, seats.relayEnv("strategist")];
  for (const child of children) {
    const left = Object.keys(environmentForArmy(child)).filter((name) => /CLAUDE|AI_AGENT/.test(name));
    const own = Object.keys(seats.world.env).filter((name) => name.startsWith("CLAUDE"));
    // The army's own settings turn the suggestions off.
    expect(left.toSorted()).toEqual([...own, "CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION"].toSorted());
  }
});
