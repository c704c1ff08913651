import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openMail } from "../../src/mail/mail.ts";
import { identifyProcess } from "../../src/system/process.ts";
import { makeSandbox, type Sandbox } from "../support/sandbox.ts";
import { startPracticeAgent, type PracticeAgent } from "../support/practice.ts";
import { packagedRitual } from "../support/packaged-ritual.ts";

const ENTER = "\r";
const ESC = "\u001b";
const UP = `${ESC}[A`;
const DOWN = `${ESC}[B`;
const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const TRIGGER = "[MESSAGE from overlord] New mail.";

const hooks = (agent: PracticeAgent): string[] => agent.record("hook").map(({ hook }) => hook);

it("the agent draws a composer, starts its relay, lists the five tools and reports to the relay", async () => {
  await using sandbox = makeSandbox();
  const agent = startPracticeAgent(sandbox);
  await agent.ready();
  expect(agent.record("ready")[0].tools).toHaveLength(5);
  await expect.poll(() => hooks(agent)).toEqual(["SessionStart"]);
  expect(agent.composer()).toBe("");
  expect(agent.screen().at(-1)).toBe("? for shortcuts");
  expect(openMail(sandbox.relayDir).presences()).toMatchObject([{ role: "inferno" }]);
});

it("typed text appears in the composer, is removed by backspaces, and is submitted by Enter", async () => {
  await using sandbox = makeSandbox();
  const agent = startPracticeAgent(sandbox);
  await agent.ready();
  agent.pty.write("hello there");
  await expect.poll(agent.composer).toBe("hello there");
  agent.pty.write("\u007f".repeat(6));
  await expect.poll(agent.composer).toBe("hello");
  agent.pty.write("、世界");
  await expect.poll(agent.composer).toBe("hello、世界");
  agent.pty.write(ENTER);
  await expect.poll(() => agent.record("turn ended")).toMatchObject([{ how: "done" }]);
  expect(agent.record("submitted")).toMatchObject([{ prompt: "hello、世界" }]);
  expect(hooks(agent)).toEqual(["SessionStart", "UserPromptSubmit", "Stop"]);
  await expect.poll(() => agent.composer()).toBe("");
});

it("Enter in an empty composer does nothing", async () => {
  await using sandbox = makeSandbox();
  const agent = startPracticeAgent(sandbox);
  await agent.ready();
  agent.pty.write(ENTER);
  agent.pty.write("x");
  await expect.poll(agent.composer).toBe("x");
  expect(agent.record("submitted")).toEqual([]);
});

it("a paste with line ends is text, and a long read that ends in an Enter is a paste", async () => {
  await using sandbox = makeSandbox();
  const agent = startPracticeAgent(sandbox);
  await agent.ready();
  agent.pty.write(`${ESC}[200~one\rtwo${ESC}[201~`);
  await expect.poll(agent.composer).toBe("one\ntwo");
  const long = "x".repeat(70);
  agent.pty.write(`${long}${ENTER}`);
  await expect.poll(() => agent.record("draft").at(-1).text).toBe(`one\ntwo${long}\n`);
  agent.pty.write(ENTER);
  await expect.poll(() => agent.record("submitted")).toMatchObject([{ prompt: `one\ntwo${long}` }]);
});

it("a ritual of 20 KB arrives byte for byte", async () => {
  await using sandbox = makeSandbox();
  const agent = startPracticeAgent(sandbox, { columns: 14, rows: 20 });
  await agent.ready();
  const packaged = packagedRitual("inferno", "ja");
  const ritual = packaged.repeat(Math.ceil(20_000 / Buffer.byteLength(packaged))).trimEnd();
  agent.pty.write(ritual);
  await expect.poll(() => agent.record("draft").at(-1)?.text.length).toBe(ritual.length);
  agent.pty.write(ENTER);
  await expect.poll(() => agent.record("submitted").at(0)?.prompt).toBe(ritual);
  await expect.poll(() => agent.screen().join("").replaceAll(" ", "")).toContain("Theforgeishot");
});

it("mail is read when the trigger is submitted, acted on through the tools, and each call is reported to the hooks", async () => {
  await using sandbox = makeSandbox();
  const agent = startPracticeAgent(sandbox);
  await agent.ready();
  const mail = openMail(sandbox.relayDir);
  mail.deliver({ from: "strategist", to: "inferno", subject: "Task", body: "forge", priority: "normal" });
  agent.pty.write(TRIGGER);
  await expect.poll(agent.composer).toBe(TRIGGER);
  agent.pty.write(ENTER);
  await expect.poll(() => agent.record("turn ended")).toHaveLength(1);
  const tools = agent.record("tool called");
  expect(tools.map(({ tool }) => tool)).toEqual([
    "check_inbox",
    "update_status",
    "send_message",
    "update_status",
  ]);
  expect(tools.every(({ failed }) => !failed)).toBe(true);
  expect(hooks(agent)).toEqual([
    "SessionStart",
    "UserPromptSubmit",
    ...tools.slice(0, 2).flatMap(() => ["PreToolUse", "PostToolUse"]),
    // Each piece of its work is a tool of its own, of which only the end is reported.
    ...Array<string>(3).fill("PostToolUse"),
    ...tools.slice(2).flatMap(() => ["PreToolUse", "PostToolUse"]),
    "Stop",
  ]);
  expect(mail.status("inferno")).toMatchObject({ status: "done" });
  expect(mail.unread("strategist", { handedOut: true })).toHaveLength(1);
});

it("mail that follows its trigger is acted on without being asked for, once", async () => {
  await using sandbox = makeSandbox();
  const agent = startPracticeAgent(sandbox);
  await agent.ready();
  const mail = [{ id: "1", from: "strategist", subject: "Task", body: "forge" }];
  for (const times of [1, 2]) {
    agent.pty.write(`${ESC}[200~${TRIGGER}\n${JSON.stringify(mail)}${ESC}[201~`);
    await expect.poll(agent.composer).toContain("forge");
    agent.pty.write(ENTER);
    await expect.poll(() => agent.record("turn ended")).toHaveLength(times);
  }
  expect(agent.record("tool called").map(({ tool }) => tool)).toEqual([
    "update_status",
    "send_message",
    "update_status",
  ]);
});

it("a turn continues while the script says so, and prompts submitted in the meantime wait for its end", async () => {
  await using sandbox = makeSandbox();
  const go = join(sandbox.root, "go");
  const act = { when: { prompt: "work" }, turn: [{ do: "busy", for: { file: go } }] };
  const agent = startPracticeAgent(sandbox, { script: { acts: [act] } });
  await agent.ready();
  await submit(agent, "work");
  await expect.poll(() => agent.screen().at(-1)).toBe("esc to interrupt");
  await submit(agent, "and then this");
  expect(agent.record("turn begun")).toHaveLength(1);
  writeFileSync(go, "");
  await expect
    .poll(() => agent.record("turn begun"))
    .toMatchObject([{ prompt: "work" }, { prompt: "and then this" }]);
  await expect.poll(() => agent.screen().at(-1)).toBe("? for shortcuts");
});

it("Esc interrupts a turn, which is reported as a failed stop, and the next prompt starts another", async () => {
  await using sandbox = makeSandbox();
  const act = {
    when: { prompt: "work" },
    turn: [{ do: "busy", for: { file: join(sandbox.root, "never") } }],
  };
  const agent = startPracticeAgent(sandbox, { script: { acts: [act] } });
  await agent.ready();
  await submit(agent, "work");
  await expect.poll(() => agent.screen().at(-1)).toBe("esc to interrupt");
  agent.pty.write(ESC);
  await expect.poll(() => agent.record("turn ended")).toMatchObject([{ how: "interrupted" }]);
  expect(hooks(agent)).toEqual(["SessionStart", "UserPromptSubmit", "StopFailure"]);
  await submit(agent, "again");
  await expect.poll(() => agent.record("turn ended")).toMatchObject([{}, { how: "done" }]);
});

const ASK = (sandbox: Sandbox) => ({
  acts: [
    {
      when: { prompt: "clean" },
      turn: [{ do: "ask", command: "rm -rf x", ran: join(sandbox.root, "ran") }],
    },
  ],
});

it("DR3 while a question is open there is no composer, a typed trigger is ignored, and its Enter says yes", async () => {
  await using sandbox = makeSandbox();
  const agent = startPracticeAgent(sandbox, { script: ASK(sandbox) });
  await agent.ready();
  await submit(agent, "clean up");
  await expect.poll(() => agent.screen().join("\n")).toContain("❯ 1. Yes");
  await expect.poll(() => hooks(agent).at(-1)).toBe("PermissionRequest");
  expect(agent.composer()).toBeUndefined();
  const before = agent.record("draft").length;
  agent.pty.write("[MESSAGE from overlord] 12 new.");
  // The keys after it have been handled, so the text has been, too; it has selected, answered and drafted nothing.
  agent.pty.write(DOWN);
  await expect.poll(() => agent.screen().join("\n")).toContain("❯ 2. No");
  agent.pty.write(UP);
  await expect.poll(() => agent.screen().join("\n")).toContain("❯ 1. Yes");
  expect([
    ...agent.record("approved"),
    ...agent.record("refused"),
    ...agent.record("draft").slice(before),
  ]).toEqual([]);
  agent.pty.write(ENTER);
  await expect.poll(() => agent.record("approved")).toHaveLength(1);
  const ran = join(sandbox.root, "ran");
  await expect.poll(() => existsSync(ran) && readFileSync(ran, "utf8")).toBe("rm -rf x\n");
  await expect
    .poll(() => hooks(agent))
    .toEqual(["SessionStart", "UserPromptSubmit", "PermissionRequest", "PostToolUse", "Stop"]);
  await expect.poll(agent.composer).toBe("");
  expect(agent.record("submitted")).toHaveLength(1);
});

it.each([
  ["Esc", [ESC]],
  ["2", ["2"]],
  ["down and Enter", [DOWN, ENTER]],
])("a question is refused by %s, and the turn ends as a failed stop", async (_name, keys) => {
  await using sandbox = makeSandbox();
  const agent = startPracticeAgent(sandbox, { script: ASK(sandbox) });
  await agent.ready();
  await submit(agent, "clean up");
  await expect.poll(() => hooks(agent).at(-1)).toBe("PermissionRequest");
  for (const key of keys) agent.pty.write(key);
  await expect.poll(() => agent.record("turn ended")).toMatchObject([{ how: "interrupted" }]);
  expect(agent.record("refused")).toHaveLength(1);
  expect(existsSync(join(sandbox.root, "ran"))).toBe(false);
  expect(hooks(agent).at(-1)).toBe("StopFailure");
  await expect.poll(agent.composer).toBe("");
});

it("a script can set a draft, delay the tools, and make the agent exit", async () => {
  await using sandbox = makeSandbox();
  const [go, end] = [join(sandbox.root, "go"), join(sandbox.root, "end")];
  const acts = [
    { when: "start", draft: "half a th" },
    { when: { file: end }, exit: 7 },
  ];
  const agent = startPracticeAgent(sandbox, { script: { listTools: { file: go }, acts } });
  await expect.poll(agent.composer).toBe("");
  expect(agent.record("ready")).toEqual([]);
  writeFileSync(go, "");
  await agent.ready();
  await expect.poll(agent.composer).toBe("half a th");
  writeFileSync(end, "");
  expect(await agent.exited).toBe(7);
});

it("an agent whose relay dies says so and continues without tools", async () => {
  await using sandbox = makeSandbox();
  const agent = startPracticeAgent(sandbox);
  await agent.ready();
  const [presence] = openMail(sandbox.relayDir).presences();
  process.kill(Number.parseInt(presence?.relay ?? "", 10), "SIGKILL");
  await expect.poll(() => agent.screen().join("\n")).toContain("I continue without mail");
  await submit(agent, "still there?");
  await expect.poll(() => agent.record("turn ended")).toMatchObject([{ how: "done" }]);
});

it.each([
  ["Ctrl-D in an empty composer", [CTRL_D]],
  ["Ctrl-C twice, whatever stands there", ["draft", CTRL_C, CTRL_C]],
])("%s quits, and the relay ends as well", async (_name, keys) => {
  await using sandbox = makeSandbox();
  const agent = startPracticeAgent(sandbox);
  await agent.ready();
  await expect.poll(() => openMail(sandbox.relayDir).presences()).toHaveLength(1);
  const relay = Number.parseInt(openMail(sandbox.relayDir).presences()[0]?.relay ?? "", 10);
  for (const key of keys) agent.pty.write(key);
  expect(await agent.exited).toBe(0);
  await expect.poll(() => identifyProcess(relay)).toBeUndefined();
});

it("the screen follows the terminal's size", async () => {
  await using sandbox = makeSandbox();
  const agent = startPracticeAgent(sandbox, { columns: 14, rows: 10 });
  await agent.ready();
  agent.pty.write(TRIGGER);
  await expect.poll(() => agent.composer()?.replaceAll(/\s/g, "")).toBe(TRIGGER.replaceAll(/\s/g, ""));
  agent.resize(60, 12);
  await expect.poll(agent.composer).toBe(TRIGGER);
});

it("the agent speaks Japanese in a Japanese environment", async () => {
  await using sandbox = makeSandbox();
  const agent = startPracticeAgent(sandbox, { env: { OVLD_LANG: "ja" } });
  await agent.ready();
  await submit(agent, "やあ");
  await expect.poll(() => agent.screen().join("\n")).toContain("演習で俺に火をつけるのは軍師だ");
});

/** Like a person: the text first, and Enter once it is visible. */
async function submit(agent: PracticeAgent, text: string): Promise<void> {
  agent.pty.write(text);
  await expect.poll(agent.composer).toBe(text);
  const before = agent.record("submitted").length;
  agent.pty.write(ENTER);
  await expect.poll(() => agent.record("submitted")).toHaveLength(before + 1);
}
