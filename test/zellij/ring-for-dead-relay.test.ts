import { type ProcessIdentity, identifyProcess } from "../../src/system/process.ts";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { ringByTyping } from "../../src/bell/ring-by-typing.ts";
import { ringerForDeadRelay, type RingForDeadRelay } from "../../src/bell/await-bell-outcome.ts";
import { writeTrigger } from "../../src/bell/trigger.ts";
import type { AgentReport } from "../../src/mail/records/agent-report.ts";
import { claudeScreen } from "../../src/agent/claude/claude-screen.ts";
import { claudeFolder } from "../../src/agent/claude/own-files.ts";
import { openMail } from "../../src/mail/mail.ts";
import { kdlString } from "../../src/zellij/layout.ts";
import { startRelayLookalike } from "../support/stand-in.ts";
import { letter } from "../support/store.ts";
import { makeZellijWorld, type ZellijWorld } from "../support/zellij.ts";
import { programPath } from "../support/program-path.ts";

const ZELLIJ = process.env["OVLD_TEST_ZELLIJ"] ?? "zellij";

const report: AgentReport = {
  role: "strategist",
  relay: "1-0",
  state: "gone",
  since: "2026-11-15T00:00:00.000Z",
  evidence: "none",
  bell: { state: "quiet" },
};

/** What an agent shows instead of its composer, from the first byte it gets or from an Enter on. */
interface Trouble {
  after: "a letter" | "Enter";
  shows: "a turn" | "a dialog";
}

/** Makes Claude Code's registry say this about the process of the test, which poses as the agent. */
function register(world: ZellijWorld, status: string): string {
  const file = join(claudeFolder(world.env), "sessions", `${process.pid}.json`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ pid: process.pid, status, statusUpdatedAt: Date.now() }));
  return file;
}

/** A pane that draws an empty composer and records what is typed into it. */
async function openPanes(world: ZellijWorld, names: string[], trouble?: Trouble): Promise<string> {
  const typed = join(world.sandbox.root, "typed");
  const registry = register(world, "idle");
  const known = trouble && { ...trouble, pid: process.pid, registry };
  const words = [programPath("troubled-agent.mjs"), typed, JSON.stringify(known ?? null)];
  const panes = names.map(
    (name) =>
      `pane name=${kdlString(name)} command=${kdlString(process.execPath)} { args ${words.map(kdlString).join(" ")}; }`,
  );
  const layout = join(world.sandbox.root, "panes.kdl");
  writeFileSync(layout, `session_serialization false\nlayout {\n${panes.join("\n")}\n}\n`);
  await world.zellij("attach", "--create-background", "army", "options", "--default-layout", layout);
  await expect.poll(async () => (await world.panes("army")).length).toBe(names.length);
  await expect.poll(() => world.pane(names[0] ?? "", "army").screen()).toContain("❯");
  return typed;
}

async function ring(
  world: ZellijWorld,
  pane: number | undefined,
  agent: ProcessIdentity | undefined = identifyProcess(process.pid),
): ReturnType<RingForDeadRelay> {
  const relayDir = world.relayDir("army");
  const mail = openMail(relayDir);
  mail.deliver(letter);
  const { env } = world;
  const ringer = { by: "overlord", ringer: "2-0", session: "army", relayDir, mail, env } as const;
  return ringerForDeadRelay({ ...ringer, zellij: ZELLIJ, isBudgetReached: () => false })("strategist", {
    ...report,
    pane,
    agent,
  });
}

function flagStands(world: ZellijWorld): boolean {
  return existsSync(join(world.relayDir("army"), "pending/strategist"));
}

it("D3 DR2 the trigger and then one Enter are typed into the pane with that number, whichever has the focus", async () => {
  await using world = makeZellijWorld();
  const typed = await openPanes(world, ["overlord", "strategist"]);
  expect(await ring(world, 1)).toEqual({ rung: true });
  const [text = "", enter, ...more] = readFileSync(typed, "utf8").split("\u001b[201~");
  expect(text).toMatch(
    /^\u001b\[200~\[MESSAGE from overlord\] You have mail about order, note \w+\. Call check_inbox\.$/,
  );
  expect(enter?.split("\r")).toHaveLength(2);
  expect(more).toEqual([]);
  expect(flagStands(world)).toBe(true);
  expect(await ring(world, 1)).toBe("already rung");
});

it("M3.2 a pane whose number was not reported, or with another number, is not typed into, and no flag is up", async () => {
  await using world = makeZellijWorld();
  const typed = await openPanes(world, ["overlord", "strategist"]);
  expect(await ring(world, undefined)).toEqual({ held: "no-pane" });
  expect(await ring(world, 7)).toEqual({ held: "no-pane" });
  expect(existsSync(typed)).toBe(false);
  expect(flagStands(world)).toBe(false);
});

it("a report that calls the relay gone leads to no typing while another relay of the role is alive", async () => {
  await using world = makeZellijWorld();
  const typed = await openPanes(world, ["overlord", "strategist"]);
  const relay = startRelayLookalike(world.sandbox, world.relayDir("army"), "strategist");
  openMail(world.relayDir("army")).announce({ role: "strategist", relay, agent: undefined });
  expect(await ring(world, 1)).toBe("relay-lives");
  expect(existsSync(typed)).toBe(false);
  expect(flagStands(world)).toBe(false);
});

it("a closed pane and a killed session are reported as such", async () => {
  await using world = makeZellijWorld();
  await openPanes(world, ["overlord", "strategist"]);
  await world.zellij("--session", "army", "action", "close-pane", "--pane-id", "terminal_1");
  expect(await ring(world, 1)).toEqual({ held: "no-pane" });
  await world.zellij("kill-session", "army");
  await expect.poll(() => world.sessions()).not.toContain("army");
  expect(await ring(world, 1)).toEqual({ held: "session-gone" });
  expect(flagStands(world)).toBe(false);
});

it("a killed Zellij server is reported as such, soon, and no flag is up", async () => {
  await using world = makeZellijWorld();
  await openPanes(world, ["overlord", "strategist"]);
  process.kill(world.server("army"), "SIGKILL");
  expect(await ring(world, 1)).toEqual({ held: "session-gone" });
  expect(flagStands(world)).toBe(false);
});

it("a turn that begins during typing holds the trigger: no Enter, and what was typed is taken back", async () => {
  await using world = makeZellijWorld();
  const typed = await openPanes(world, ["strategist"], { after: "a letter", shows: "a turn" });
  expect(await ring(world, 0)).toEqual({ held: "relay-gone" });
  expect(readFileSync(typed, "utf8")).not.toContain("\r");
  expect(await world.pane("strategist", "army").screen()).not.toContain("MESSAGE");
  expect(flagStands(world)).toBe(false);
});

it("a dialog that appears after Enter gets no second one, even while hooks still call the agent idle", async () => {
  await using world = makeZellijWorld();
  const typed = await openPanes(world, ["strategist"], { after: "Enter", shows: "a dialog" });
  const { env } = world;
  const outcome = ringByTyping(
    {
      zellij: { program: ZELLIJ, env },
      session: "army",
      role: "strategist",
      pane: 0,
      alone: (action) => action(),
      whyNot: () => undefined,
      hasBegun: () => false,
      agentScreen: claudeScreen,
      memory: {},
    },
    writeTrigger([{ from: "overlord" }]),
  );
  expect(await outcome).toEqual({ held: "no-composer" });
  expect(readFileSync(typed, "utf8").split("\r")).toEqual([
    expect.stringContaining("MESSAGE"),
    expect.any(String),
  ]);
});

it.each(["busy", "waiting"])(
  "an agent whose relay is dead and that is %s is reported as such",
  async (status) => {
    await using world = makeZellijWorld();
    const typed = await openPanes(world, ["strategist"]);
    register(world, status);
    expect(await ring(world, 0)).toEqual({ held: "relay-gone" });
    expect(existsSync(typed)).toBe(false);
  },
);
