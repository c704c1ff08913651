import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Verdict } from "../../src/mail/records/request.ts";
import {
  answerRequest,
  openRequestBox,
  type RequestBox,
  type StoredRequest,
  openRequests,
} from "../../src/requests/request-box.ts";
import { SECRET, seatStrategist } from "../support/hooked-relay.ts";
import { QUESTION } from "../support/model.ts";
import { readLines } from "../support/read-lines.ts";
import { endIfThrown, makeSandbox, type Sandbox } from "../support/sandbox.ts";
import { startStandIn } from "../support/stand-in.ts";
import { fillDisk, mountSmallDisk } from "../support/small-disk.ts";
import { atMost, soon } from "../support/wait-until.ts";

const ALLOW: Verdict = { verdict: "allow", suggestions: [] };
const RULE = {
  type: "addRules",
  rules: [{ toolName: "Bash", ruleContent: "touch it" }],
  behavior: "allow",
  destination: "session",
};

interface Scene {
  sandbox: Sandbox;
  seat: Awaited<ReturnType<typeof seatStrategist>>;
  box: RequestBox;
  /** The hook of an agent that asks; resolves with the hook's answer. */
  ask(tool: string, input: object, more?: Record<string, unknown>): Promise<any>;
  open: () => StoredRequest[];
  /** Waits until so many requests are open. */
  opened(count?: number): Promise<StoredRequest>;
  answer(request: StoredRequest, verdict?: Verdict): ReturnType<typeof answerRequest>;
  journal(event: string): Record<string, any>[];
  /** What the agent program's own record says. */
  register(status: string, at?: number): void;
  [Symbol.asyncDispose](): Promise<void>;
}

async function setScene(variables?: Record<string, string>, sandbox = makeSandbox()): Promise<Scene> {
  const seat = await endIfThrown(sandbox, () => seatStrategist(sandbox, variables));
  const box = openRequestBox(sandbox.relayDir);
  const open = (): StoredRequest[] => openRequests(box);
  return {
    sandbox,
    seat,
    box,
    open,
    async ask(tool, input, more = {}) {
      const toolInput = JSON.stringify(input);
      const { text } = await seat.agent.hook("PermissionRequest", { tool, toolInput, ...more });
      return JSON.parse(text);
    },
    async opened(count = 1) {
      await expect.poll(open, soon).toHaveLength(count);
      const request = open().at(-1);
      if (!request) throw new Error("no request");
      return request;
    },
    answer: (request, verdict = ALLOW) => answerRequest(box, request, { from: "terminal", verdict }),
    journal: (event) =>
      readLines(join(sandbox.relayDir, "journal.jsonl")).filter((line) => line["event"] === event),
    register(status, at = Date.now()) {
      const folder = join(sandbox.home, "sessions");
      mkdirSync(folder, { recursive: true });
      const entry = { pid: process.pid, status, statusUpdatedAt: at };
      writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(entry));
    },
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}

const command = { command: "touch it", description: "a touch" };
const plan = { plan: "# Up\n\nthe hill", planFilePath: "/p.md" };
const questions = {
  questions: [QUESTION, { ...QUESTION, question: "With what?", multiSelect: true }],
};

const DECISIONS: [string, string, object, Verdict, object][] = [
  ["a command is allowed once", "Bash", command, ALLOW, { behavior: "allow" }],
  [
    "a command is allowed with what the dialog offers",
    "Bash",
    command,
    { verdict: "allow", suggestions: [0] },
    { behavior: "allow", updatedPermissions: [RULE] },
  ],
  [
    "a command is denied with a reason",
    "Bash",
    command,
    { verdict: "deny", reason: "too early" },
    { behavior: "deny", message: "too early" },
  ],
  [
    "questions are answered with options and own words",
    "AskUserQuestion",
    questions,
    { verdict: "answer", answers: [{ chosen: [], text: "neither" }, { chosen: [0, 1] }] },
    {
      behavior: "allow",
      updatedInput: { ...questions, answers: { "Which hill?": "neither", "With what?": "left, right" } },
    },
  ],
  ["a plan is approved", "ExitPlanMode", plan, ALLOW, { behavior: "allow", updatedInput: plan }],
  [
    "a plan is sent back",
    "ExitPlanMode",
    plan,
    { verdict: "deny", reason: "not the hill" },
    { behavior: "deny", message: "not the hill" },
  ],
];

it.each(DECISIONS)("%s from outside the pane", async (_what, tool, input, verdict, decision) => {
  await using scene = await setScene();
  const asked = scene.ask(tool, input, { suggestions: JSON.stringify([RULE]) });
  const request = await scene.opened();
  expect(await scene.answer(request, verdict)).toEqual({ outcome: "taken" });
  expect(await asked).toEqual({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } });
  expect(scene.open()).toEqual([]);
  const files = () => readdirSync(join(scene.sandbox.relayDir, "requests/strategist"));
  await expect.poll(files, soon).toEqual(["ended"]);
  expect(scene.journal("asked")).toMatchObject([{ role: "strategist", tool, request: request.request.id }]);
  expect(scene.journal("answered")).toMatchObject([{ by: "terminal", verdict: verdict.verdict }]);
});

it("while the person is asked, the relay does everything else, and no bell is rung", async () => {
  await using scene = await setScene();
  const { agent, mail, posts } = scene.seat;
  await agent.hook("UserPromptSubmit", { prompt: "go" });
  const asked = scene.ask("Bash", command);
  const request = await scene.opened();
  await expect.poll(() => mail.agentReport("strategist")?.state, soon).toBe("asking");
  mail.deliver({ from: "overlord", to: "strategist", subject: "hi", body: "now", priority: "urgent" });
  await expect
    .poll(() => mail.agentReport("strategist")?.bell, soon)
    .toMatchObject({ state: "held", why: "asking" });
  expect((await agent.call("get_status", {})).isError).toBe(false);
  expect((await agent.call("send_message", { to: "storm", subject: "s", body: "b" })).isError).toBe(false);
  expect(posts).toEqual([]);
  expect(scene.open()).toHaveLength(1);
  await scene.answer(request);
  await asked;
  expect(posts).toEqual([]);
});

const SIGNS: [string, (scene: Scene) => Promise<unknown>][] = [
  [
    "its tool has run",
    ({ seat }) => seat.agent.hook("PostToolUse", { tool: "Bash", toolInput: JSON.stringify(command) }),
  ],
  [
    "its tool has failed",
    ({ seat }) => seat.agent.hook("PostToolUseFailure", { tool: "Bash", toolInput: JSON.stringify(command) }),
  ],
  ["its turn has ended", ({ seat }) => seat.agent.hook("Stop")],
  ["its turn has failed", ({ seat }) => seat.agent.hook("StopFailure", { error: "server_error" })],
  ["another turn has begun", ({ seat }) => seat.agent.hook("UserPromptSubmit", { prompt: "go" })],
  ["its conversation was cleared", ({ seat }) => seat.agent.hook("SessionStart", { source: "clear" })],
  [
    "its own record says that it no longer waits",
    async (scene) => {
      scene.register("waiting");
      await expect.poll(() => scene.seat.mail.agentReport("strategist")?.state, soon).toBe("asking");
      scene.register("busy");
    },
  ],
  ["its own record has changed since it asked", async (scene) => scene.register("idle", Date.now() + 5)],
];

it.each(SIGNS)("a request goes away if %s, and a late answer is told so", async (_sign, show) => {
  await using scene = await setScene();
  scene.register("busy", Date.now() - 10_000);
  const asked = scene.ask("Bash", command);
  const request = await scene.opened();
  await show(scene);
  const shownAt = Date.now();
  await expect.poll(scene.open, soon).toEqual([]);
  expect(Date.now() - shownAt).toBeLessThan(await atMost(1_000));
  expect(await asked).toEqual({});
  expect(await scene.answer(request)).toEqual({ outcome: "already", by: "pane" });
  expect(scene.journal("answered")).toMatchObject([{ by: "pane" }]);
});

it("a request goes away if the agent cancels its call, as it does after a no in the pane", async () => {
  await using scene = await setScene();
  const cancelled = new AbortController();
  const args = {
    secret: SECRET,
    event: "PermissionRequest",
    tool: "Bash",
    toolInput: JSON.stringify(command),
  };
  const asked = scene.seat.agent.client.callTool(
    { name: "agent_event", arguments: args },
    { signal: cancelled.signal },
  );
  asked.catch(() => {});
  const request = await scene.opened();
  cancelled.abort();
  await expect(asked).rejects.toThrow(/abort/i);
  await expect.poll(scene.open, soon).toEqual([]);
  expect(await scene.answer(request)).toEqual({ outcome: "already", by: "pane" });
});

it("an agent's record that has not caught up with its question yet does not withdraw it", async () => {
  await using scene = await setScene();
  scene.register("busy", Date.now() - 50);
  const asked = scene.ask("Bash", command);
  const request = await scene.opened();
  for (let look = 0; look < 20; look += 1) {
    expect(scene.open()).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  scene.register("waiting");
  await scene.answer(request);
  expect(await asked).toHaveProperty("hookSpecificOutput");
});

it("a no from outside that comes after a yes in the pane is told that the pane was first", async () => {
  await using scene = await setScene();
  scene.register("waiting", Date.now() - 1_000);
  const asked = scene.ask("Bash", command);
  const request = await scene.opened();
  const outcome = scene.answer(request, { verdict: "deny", reason: "no" });
  await asked;
  await scene.seat.agent.hook("PostToolUse", { tool: "Bash", toolInput: JSON.stringify(command) });
  expect(await outcome).toEqual({ outcome: "already", by: "pane" });
});

it("of two open requests only the one whose tool has run goes away", async () => {
  await using scene = await setScene();
  const other = { command: "touch that" };
  const asked = [scene.ask("Bash", command)];
  await scene.opened(1);
  asked.push(scene.ask("Bash", other));
  const second = await scene.opened(2);
  await scene.seat.agent.hook("PostToolUse", { tool: "Read", toolInput: "{}" });
  await scene.seat.agent.hook("PostToolUse", { tool: "Bash", toolInput: '{"command":"ls"}' });
  expect(scene.open()).toHaveLength(2);
  await scene.seat.agent.hook("PostToolUse", { tool: "Bash", toolInput: JSON.stringify(command) });
  await expect.poll(scene.open, soon).toEqual([second]);
  expect(await scene.answer(second)).toEqual({ outcome: "taken" });
  expect(await Promise.all(asked)).toMatchObject([
    {},
    { hookSpecificOutput: { decision: { behavior: "allow" } } },
  ]);
});

it("a request stays open while the same tool runs for a call that nobody had to allow", async () => {
  await using scene = await setScene();
  const asked = scene.ask("Read", { file_path: "/etc/hostname" });
  scene.register("waiting");
  const request = await scene.opened();
  await scene.seat.agent.hook("PostToolUse", { tool: "Read", toolInput: '{"file_path":"here.txt"}' });
  expect(scene.open()).toEqual([request]);
  expect(await scene.answer(request)).toEqual({ outcome: "taken" });
  expect((await asked).hookSpecificOutput.decision).toEqual({ behavior: "allow" });
});

it("of two requests in the same words, the one that was denied is not taken for the one that ran", async () => {
  await using scene = await setScene();
  const asked = [scene.ask("Bash", command)];
  const first = await scene.opened(1);
  asked.push(scene.ask("Bash", command));
  await scene.opened(2);
  scene.register("waiting");
  const outcome = scene.answer(first, { verdict: "deny", reason: "not twice" });
  await asked[0];
  await scene.seat.agent.hook("PostToolUse", { tool: "Bash", toolInput: JSON.stringify(command) });
  await scene.seat.agent.hook("Stop");
  expect(await outcome).toEqual({ outcome: "taken" });
  expect(scene.journal("answered")).toMatchObject([{ by: "pane" }, { by: "terminal", verdict: "deny" }]);
});

it("a request is gone when its relay ends or is killed", async () => {
  await using scene = await setScene();
  const asked = scene.ask("Bash", command).catch(() => "lost");
  const request = await scene.opened();
  process.kill(scene.seat.agent.pid, "SIGKILL");
  await expect.poll(scene.open, soon).toEqual([]);
  expect(await asked).toBe("lost");
  expect(await scene.answer(request)).toEqual({ outcome: "gone" });
  await using next = await setScene();
  const again = next.ask("Bash", command).catch(() => "lost");
  const other = await next.opened();
  await next.seat.agent.close();
  await again;
  await expect.poll(next.open, soon).toEqual([]);
  expect(await next.answer(other)).toEqual({ outcome: "gone" });
});

it("the person is not asked outside the pane for what cannot be answered there", async () => {
  await using scene = await setScene();
  expect(await scene.ask("Bash", command, { subagent: "a1" })).toEqual({});
  const broken = await scene.seat.agent.hook("PermissionRequest", { tool: "Bash", toolInput: "{" });
  expect(broken.text).toBe("{}");
  expect(scene.journal("asked")).toEqual([]);
  await using off = await setScene({ OVLD_DESK_ANSWER: "off" });
  expect(await off.ask("Bash", command)).toEqual({});
});

it("an answer to a request that was shown differently is not taken, and the person can still answer", async () => {
  await using scene = await setScene();
  const asked = scene.ask("Bash", command);
  const request = await scene.opened();
  openRequestBox(scene.sandbox.relayDir).answer({ ...request, digest: "another" }, "desk", ALLOW);
  await expect.poll(() => scene.journal("skipped"), soon).toHaveLength(1);
  const verdict: Verdict = { verdict: "deny", reason: "mine" };
  expect(await scene.answer(await scene.opened(), verdict)).toEqual({ outcome: "taken" });
  expect((await asked).hookSpecificOutput.decision).toEqual({ behavior: "deny", message: "mine" });
});

it("a command of 30 kB is shown completely, and more than a megabyte only in the pane", async () => {
  await using scene = await setScene();
  const long = "echo ".padEnd(30_000, "x");
  const asked = [scene.ask("Bash", { command: long })];
  const request = await scene.opened(1);
  expect(request.request).toMatchObject({ action: { what: "command", command: long } });
  asked.push(scene.ask("Bash", { command: "y".repeat(1_100_000) }));
  expect((await scene.opened(2)).request).toMatchObject({ kind: "oversized" });
  await scene.seat.agent.hook("Stop");
  expect(await Promise.all(asked)).toEqual([{}, {}]);
});

it("on a full disk what is asked is answered in the pane, an answer from outside says why not, and both work again later", async (context) => {
  await using sandbox = makeSandbox();
  mountSmallDisk(context, sandbox);
  const scene = await setScene(undefined, sandbox);
  const asked = scene.ask("Bash", command);
  const request = await scene.opened();
  const fillers = [1, 2].map((each) => join(sandbox.relayDir, `filler-${each}`));
  fillDisk(fillers[0] ?? "");
  await expect(scene.answer(request)).rejects.toThrow("disk-full");
  expect(scene.open()).toEqual([request]);
  await scene.seat.agent.hook("PostToolUse", { tool: "Bash", toolInput: JSON.stringify(command) });
  expect(await asked).toEqual({});
  // The request that has ended left some room.
  fillDisk(fillers[1] ?? "");
  expect(await scene.ask("Bash", command)).toEqual({});
  expect(scene.open()).toEqual([]);
  for (const filler of fillers) rmSync(filler);
  const again = scene.ask("Bash", command);
  expect(await scene.answer(await scene.opened())).toEqual({ outcome: "taken" });
  expect((await again).hookSpecificOutput.decision).toEqual({ behavior: "allow" });
  expect(readdirSync(join(sandbox.relayDir, "tmp"))).toEqual([]);
});

/** A desktop whose notifications end up in a file; the program itself hangs, as one without an answer does. */
async function withDesktop(variables: Record<string, string> = {}) {
  const sandbox = makeSandbox();
  const shown = join(sandbox.root, "notifications");
  const bin = join(sandbox.root, "desktop");
  mkdirSync(bin);
  const script = `#!/bin/sh\nprintf '%s\\n' "$*" >> '${shown}'\nsleep 2\n`;
  writeFileSync(join(bin, "notify-send"), script, { mode: 0o700 });
  const PATH = `${bin}:${process.env["PATH"]}`;
  const scene = await setScene({ PATH, DISPLAY: ":7", ...variables }, sandbox);
  return {
    scene,
    notifications: () => (existsSync(shown) ? readFileSync(shown, "utf8").trim().split("\n") : []),
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}

it("the person gets one desktop notification for each request, without what other users may not see, and the relay does not wait for it", async () => {
  await using desktop = await withDesktop({ OVLD_LANG: "en" });
  const { scene } = desktop;
  const asked = scene.ask("Bash", { command: "curl -H 'Authorization: Bearer secret'" });
  const request = await scene.opened();
  await expect
    .poll(desktop.notifications, soon)
    .toEqual(["--app-name=ovld -- strategist is asking you (army test) Bash"]);
  expect((await scene.seat.agent.call("get_status")).isError).toBe(false);
  expect(await scene.answer(request)).toEqual({ outcome: "taken" });
  await asked;
  const again = scene.ask("Bash", command);
  await expect.poll(desktop.notifications, soon).toHaveLength(2);
  await scene.seat.agent.hook("Stop");
  await again;
  expect(desktop.notifications()).toHaveLength(2);
});

it("a desktop notification takes the place of a command of the person's that fails", async () => {
  await using desktop = await withDesktop({ OVLD_LANG: "en", OVLD_NOTIFY_COMMAND: "exit 3" });
  expect(desktop.scene.ask("Bash", command)).toBeInstanceOf(Promise);
  await expect
    .poll(desktop.notifications, soon)
    .toEqual(["--app-name=ovld -- strategist is asking you (army test) Bash"]);
});

it("the person is notified in their language, also if they answer in the pane only", async () => {
  await using desktop = await withDesktop({ OVLD_LANG: "ja", OVLD_DESK_ANSWER: "off" });
  expect(await desktop.scene.ask("Bash", command)).toEqual({});
  await expect
    .poll(desktop.notifications, soon)
    .toEqual([expect.stringContaining("strategist があなたの回答を待っています（軍勢 test）")]);
});

it("the person is notified when a subagent asks, which can be answered in the pane only", async () => {
  await using desktop = await withDesktop({ OVLD_LANG: "en" });
  const { scene } = desktop;
  expect(await scene.ask("Bash", command, { subagent: "a1" })).toEqual({});
  await scene.seat.agent.hook("PostToolUse", { tool: "Bash", subagent: "a1" });
  await expect
    .poll(desktop.notifications, soon)
    .toEqual(["--app-name=ovld -- strategist is asking you (army test) Bash"]);
  expect(scene.journal("asked")).toEqual([]);
});

it.each([
  ["the person wants none", { OVLD_DESK_NOTIFY: "off" }, false],
  ["there is no desktop", { DISPLAY: "" }, false],
  ["a desk is open", {}, true],
])("there is no notification if %s", async (_why, variables, hasDesk) => {
  await using desktop = await withDesktop(variables);
  const { scene } = desktop;
  if (hasDesk) scene.box.openDesk(startStandIn(scene.sandbox, ["desk"]));
  const asked = scene.ask("Bash", command);
  await scene.answer(await scene.opened());
  await asked;
  // The relay answers in the order in which it is asked, so the notification would have been started.
  await scene.seat.agent.hook("Stop");
  expect(desktop.notifications()).toEqual([]);
});
