import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROLES } from "../../src/army/roles.ts";
import { openMail } from "../../src/mail/mail.ts";
import { programPath } from "../support/program-path.ts";
import { STARTING_CALLS } from "../support/stop-call.ts";
import { waitUntil } from "../support/wait-until.ts";
import { makeZellijWorld, type ZellijWorld } from "../support/zellij.ts";

const CTRL_Q = "\u0011";
const CTRL_U = "\u0015";
const CAMPAIGN_MS = 60_000;

/** A world whose practice army is quick, does what the script says. */
function makePracticeWorld(script: object = {}): ZellijWorld {
  const world = makeZellijWorld();
  const file = join(world.sandbox.root, "script.json");
  writeFileSync(file, JSON.stringify({ workMs: 60, ...script }));
  Object.assign(world.env, { OVLD_PRACTICE_SCRIPT: file });
  return world;
}

it(
  "two campaigns at once do not mix, and one prints everything as a JSON document",
  async () => {
    await using world = makePracticeWorld();
    const [castle, moat] = await Promise.all([
      world.ovld("practice", "A castle", "--json"),
      world.ovld("practice", "--json", "堀"),
    ]);
    const told = [castle, moat].map(({ code, stdout }) => ({ code, ...JSON.parse(stdout) }));
    expect(told).toMatchObject([
      { code: 0, fulfilled: true, wish: "A castle", missing: [] },
      { code: 0, fulfilled: true, wish: "堀", missing: [] },
    ]);
    expect(told[0].session).not.toBe(told[1].session);
    for (const { messages, standings, report, wish } of told) {
      expect(messages).toHaveLength(11);
      expect(messages[1].subject).toBe(`Order: ${wish}`);
      expect(messages.every(({ read }: { read?: string }) => read !== undefined)).toBe(true);
      expect(Object.keys(standings)).toEqual([...ROLES]);
      expect(report).toContain("All four have reported");
    }
    expect(await world.sessions()).toBe("");
  },
  2 * CAMPAIGN_MS,
);

it(
  "as on macOS, where processes are listed by ps and there is no /proc, a campaign is fulfilled and leaves nothing behind",
  async () => {
    await using world = makePracticeWorld();
    const asked = join(world.sandbox.root, "asked");
    const preload = `--import=${programPath("pretend-mac.mjs")}`;
    Object.assign(world.env, { NODE_OPTIONS: preload, OVLD_TEST_ASKED: asked });
    const { code, stdout, stderr } = await world.ovld("practice", "A castle", "--json");
    expect({ code, stderr, ...JSON.parse(stdout) }).toMatchObject({ code: 0, stderr: "", fulfilled: true });
    const questions = readFileSync(asked, "utf8");
    for (const way of ["ps -o stat=", "ps -ww -o args=", "ps -E -ww", "ps -xww"])
      expect(questions).toContain(way);
    expect(await world.sessions()).toBe("");
  },
  3 * CAMPAIGN_MS,
);

it(
  "with --trees four generals commit, one conflicts and one is red, all of it lands and is reported, and nothing is left behind",
  async () => {
    await using world = makePracticeWorld();
    const temporary = join(world.sandbox.root, "t");
    mkdirSync(temporary);
    Object.assign(world.env, { TMPDIR: temporary });
    const { code, stdout, stderr } = await world.ovld("practice", "A castle", "--trees", "--json");
    const told = JSON.parse(stdout);
    expect({ code, stderr, ...told }).toMatchObject({ code: 0, stderr: "", fulfilled: true, missing: [] });
    const tasks: { owner: string; state: string; tries: { outcome: { is: string; checked?: boolean } }[] }[] =
      told.tasks;
    expect(tasks.map(({ owner, state }) => `${owner} ${state}`)).toEqual([
      "inferno landed",
      "glacier landed",
      "shadow landed",
      "storm landed",
    ]);
    const outcomes = tasks.flatMap(({ tries }) => tries.map(({ outcome }) => outcome));
    expect(outcomes.map(({ is }) => is).toSorted()).toEqual([
      "conflict",
      ...tasks.map(() => "landed"),
      "red",
    ]);
    expect(outcomes.filter(({ is, checked }) => is === "landed" && !checked)).toEqual([]);
    expect(told.report).toContain(`ovld/${told.session}`);
    expect(told.report).toContain("storm: it can be used and read (");
    expect(readdirSync(temporary).filter((name) => name.startsWith("ovld-"))).toEqual([]);
    expect(await world.sessions()).toBe("");
  },
  2 * CAMPAIGN_MS,
);

it(
  "with --lang ja the agents of a campaign speak Japanese, whatever the environment",
  async () => {
    await using world = makePracticeWorld();
    const { messages, report } = JSON.parse(
      (await world.ovld("practice", "A castle", "--json", "--lang", "ja")).stdout,
    );
    for (const { subject } of messages.slice(1)) expect(subject).toMatch(/[ぁ-んァ-ヶ一-龠]/);
    expect(report).toMatch(/[ぁ-ん]/);
  },
  2 * CAMPAIGN_MS,
);

it(
  "an overlord that never reacts ends the campaign with exit 1, and the output says where it stopped",
  async () => {
    const deaf = { listTools: { file: "/nonexistent/never" } };
    await using world = makePracticeWorld({ patienceMs: 4_000, roles: { overlord: deaf } });
    const { code, stdout } = await world.ovld("practice", "A castle");
    expect(code).toBe(1);
    expect(stdout).toContain("Nothing has happened for 4 s.\nWhat is missing:\n");
    expect(stdout).toContain(
      'overlord has not read "A castle" from human: its agent has not started its relay',
    );
    expect(stdout).toContain("The wish is not fulfilled: 1 message sent, 0 read");
    expect(await world.sessions()).toBe("");
  },
  2 * CAMPAIGN_MS,
);

it(
  "a general's question is not answered by its bell, and is named as what the army waits for",
  async () => {
    const ran = "ran";
    const asking = { when: "start", turn: [{ do: "ask", command: "rm -rf castle", ran }] };
    await using world = makePracticeWorld({ patienceMs: 10_000, roles: { shadow: { acts: [asking] } } });
    const { code, stdout } = await world.ovld("practice", "A castle");
    expect({ code, stdout }).toMatchObject({ code: 1 });
    expect(stdout).toMatch(/shadow has not read "Task.*" from strategist: it is asking/);
    expect(world.record().filter(({ event }) => event === "approved")).toEqual([]);
    expect(existsSync(join(world.project, ran))).toBe(false);
  },
  2 * CAMPAIGN_MS,
);

it(
  "a person's draft is never sent by a bell: the campaign continues when it is cleared",
  async () => {
    const drafting = { acts: [{ when: "start", draft: "half a th" }] };
    await using world = makePracticeWorld({ roles: { storm: drafting } });
    const running = world.ovld("practice", "A castle", "--session", "drill");
    const mail = openMail(world.relayDir("drill"));
    await expect.poll(() => mail.agentReport("storm")?.bell).toMatchObject({ state: "held", why: "draft" });
    await world.pane("storm", "drill").type(CTRL_U);
    expect((await running).code).toBe(0);
    const submitted = world.record().filter(({ role, event }) => role === "storm" && event === "submitted");
    expect(submitted.map(({ prompt }) => prompt)).toEqual([
      expect.stringMatching(/^\[MESSAGE from strategist\]/),
    ]);
  },
  2 * CAMPAIGN_MS,
);

it.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)(
  "%s in the middle of a campaign cleans everything up",
  async (signal, exitCode) => {
    await using world = makePracticeWorld();
    // On a terminal inside Zellij it runs in the background as well; a terminal turns Ctrl-C into a signal.
    Object.assign(world.env, { ZELLIJ: "0" });
    const terminal = world.ovldOnTerminal("practice", "A castle");
    await expect.poll(terminal.output).toContain("overlord → strategist");
    if (signal === "SIGINT") terminal.pty.write("\u0003");
    else terminal.pty.kill(signal);
    expect(await terminal.exited).toBe(exitCode);
    expect(await world.sessions()).toBe("");
    expect(existsSync(join(world.sandbox.home, ".config/ovld/relays"))).toBe(false);
  },
  2 * CAMPAIGN_MS,
);

it.each(["before", "after"] as const)(
  "Ctrl-C %s any call of Zellij that creates the session leaves nothing either",
  async (when) => {
    await using world = makePracticeWorld();
    Object.assign(world.env, { ZELLIJ: "0" });
    for (const call of STARTING_CALLS) {
      const step = world.stopAt(call, when);
      const terminal = world.ovldOnTerminal("practice");
      await waitUntil(`practice has come to ${call}`, step.isReached);
      terminal.pty.write("\u0003");
      step.release();
      expect([call, await terminal.exited]).toEqual([call, 130]);
      expect(await world.sessions()).toBe("");
      expect(existsSync(join(world.sandbox.home, ".config/ovld/relays"))).toBe(false);
    }
  },
  2 * CAMPAIGN_MS,
);

it(
  "on a terminal the session opens for the person to watch, and afterwards the result is printed",
  async () => {
    await using world = makePracticeWorld();
    const terminal = world.ovldOnTerminal("practice", "A castle", "--session", "drill");
    const mail = openMail(world.relayDir("drill"));
    await expect
      .poll(() => existsSync(world.relayDir("drill")) && mail.status("overlord").status)
      .toBe("done");
    expect(terminal.output()).toContain("battlefield");
    await expect.poll(() => mail.countUnread("overlord")).toBe(0);
    terminal.pty.write(CTRL_Q);
    expect(await terminal.exited).toBe(0);
    expect(terminal.output()).toContain("The wish is fulfilled: 11 messages sent, 11 read");
    expect(existsSync(world.relayDir("drill"))).toBe(false);
  },
  2 * CAMPAIGN_MS,
);

it(
  "a practice army that is left without quitting ends as well",
  async () => {
    await using world = makePracticeWorld();
    const terminal = world.ovldOnTerminal("practice", "A castle");
    await expect.poll(terminal.output).toContain("send_message → strategist");
    terminal.pty.write("\u000f");
    terminal.pty.write("d");
    await terminal.exited;
    expect(terminal.output()).toContain("messages sent");
    expect(await world.sessions()).toBe("");
    expect(existsSync(join(world.sandbox.home, ".config/ovld/relays"))).toBe(false);
  },
  2 * CAMPAIGN_MS,
);

it(
  "on a terminal, leaving before the end is exit 1 and says what is missing",
  async () => {
    const deaf = { listTools: { file: "/nonexistent/never" } };
    await using world = makePracticeWorld({ roles: { strategist: deaf } });
    const terminal = world.ovldOnTerminal("practice", "A castle");
    await expect.poll(terminal.output).toContain("send_message → strategist");
    terminal.pty.write(CTRL_Q);
    expect(await terminal.exited).toBe(1);
    expect(terminal.output()).toContain("strategist has not read");
    expect(await world.sessions()).toBe("");
  },
  2 * CAMPAIGN_MS,
);

it(
  "a campaign whose session is ended from outside is over at once, exit 1",
  async () => {
    await using world = makePracticeWorld({
      roles: { strategist: { listTools: { file: "/nonexistent/never" } } },
    });
    const running = world.ovld("practice", "A castle", "--session", "short");
    const mail = openMail(world.relayDir("short"));
    await expect.poll(() => mail.unread("strategist", { handedOut: true })).toHaveLength(1);
    expect((await world.ovld("unsummon", "--session", "short", "--yes")).code).toBe(0);
    const { code, stdout } = await running;
    expect(code).toBe(1);
    expect(stdout).toContain("Somebody else has ended the army.");
  },
  2 * CAMPAIGN_MS,
);

it("the name of another army is refused, and that army is left alone", async () => {
  await using world = makePracticeWorld();
  const mail = openMail(world.relayDir("mine"));
  mail.init();
  const { code, stderr } = await world.ovld("practice", "--session", "mine");
  expect(code).toBe(5);
  expect(stderr).toContain("The name mine is already used");
  expect(mail.exists()).toBe(true);
});

it("Z1.2 summon --agent practice gives every pane a practice agent with its own relay, drawn in panes of any size", async () => {
  await using world = makePracticeWorld();
  expect((await world.ovld("summon", "--agent", "practice", "--no-rituals", "--detached")).code).toBe(0);
  const ready = (): string[] =>
    world.record().flatMap(({ event, role }): string[] => (event === "ready" ? [role] : []));
  await expect.poll(() => ready().toSorted()).toEqual([...ROLES].toSorted());
  for (const role of ROLES) {
    expect([role, await world.pane(role).composer()]).toEqual([role, ""]);
    const config = JSON.parse(readFileSync(join(world.relayDir(), "mcp", `${role}.json`), "utf8"));
    expect(config.mcpServers["ovld-relay"].env.OVLD_ROLE).toBe(role);
  }
  expect((await world.ovld("unsummon", "--yes")).code).toBe(0);
  expect(existsSync(world.relayDir())).toBe(false);
});

it("an agent that ended and is restarted in its held pane, which has no size at first, draws its composer", async () => {
  const end = join(tmpdir(), `ovld-practice-end-${process.pid}`);
  await using world = makePracticeWorld({ roles: { glacier: { acts: [{ when: { file: end }, exit: 3 }] } } });
  world.sandbox.defer(() => rmSync(end, { force: true }));
  expect((await world.ovld("summon", "--agent", "practice", "--no-rituals", "--detached")).code).toBe(0);
  const starts = (): number =>
    world.record().filter(({ role, event }) => role === "glacier" && event === "ready").length;
  await expect.poll(starts).toBe(1);
  writeFileSync(end, "");
  const hasEnded = async (): Promise<boolean> =>
    (await world.panes()).some(({ title, exited }) => title === "glacier" && exited);
  await expect.poll(hasEnded).toBe(true);
  rmSync(end);
  const pane = world.pane("glacier");
  await pane.type("\r");
  await expect.poll(starts).toBe(2);
  await expect.poll(() => pane.composer()).toBe("");
});
