import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Verdict } from "../../src/mail/records/request.ts";
import {
  answerRequest,
  type AnswerOutcome,
  type StoredRequest,
  openRequests,
  openRequestBox,
} from "../../src/requests/request-box.ts";
import { withoutBlanks } from "../../src/system/clean-text.ts";
import { resolveLinks } from "../../src/system/paths.ts";
import { expectState } from "../support/bell-expectations.ts";
import { seatClaudes, type ClaudeSeats } from "../support/claude-seats.ts";
import { OVLD } from "../support/ovld.ts";
import { QUESTION, type ModelRequest, type ToolUse, type Turn } from "../support/model.ts";
import { awaitRequest } from "../support/requests.ts";
import { atMost, soon } from "../support/wait-until.ts";

const ALLOW: Verdict = { verdict: "allow", suggestions: [] };
const TWO = { questions: [QUESTION, { ...QUESTION, question: "With what?", multiSelect: true }] };
const PLAN = "# Take the hill\n\n1. climb\n2. plant the flag";

/** A stand-in that also asks several questions, and makes plans. */
function script({ last }: ModelRequest): Turn | undefined {
  if (last.includes("please question")) return { tool: "AskUserQuestion", input: TWO };
  if (last.includes("please plan")) return { tool: "ExitPlanMode", input: { plan: PLAN } };
  return undefined;
}

interface Scene {
  seats: ClaudeSeats;
  /** Has the agent ask; resolves when the request is open. */
  makeItAsk(prompt: string): Promise<StoredRequest>;
  open: () => StoredRequest[];
  answer(request: StoredRequest, verdict: Verdict): Promise<AnswerOutcome>;
  /** What the model read last. */
  read: () => string;
  [Symbol.asyncDispose](): Promise<void>;
}

async function setScene(more: Parameters<typeof seatClaudes>[1] = {}): Promise<Scene> {
  const seats = await seatClaudes(["strategist"], { script, ...more });
  const relayDir = seats.world.relayDir(seats.session);
  const box = openRequestBox(relayDir);
  return {
    seats,
    async makeItAsk(prompt) {
      await seats.pane("strategist").say(prompt);
      return awaitRequest(box);
    },
    open: () => openRequests(box),
    answer: (request, verdict) => answerRequest(box, request, { from: "terminal", verdict }),
    read: () => seats.model.requests.at(-1)?.last ?? "",
    [Symbol.asyncDispose]: () => seats[Symbol.asyncDispose](),
  };
}

it("a permission and questions are answered outside the pane, and Claude Code does what was answered", async () => {
  await using scene = await setScene();
  const { seats } = scene;
  const screen = () => seats.pane("strategist").screen();

  const denied = await scene.makeItAsk("please run");
  expect(denied.request).toMatchObject({
    kind: "permission",
    tool: "Bash",
    action: { what: "command", command: `touch ${seats.ran}` },
  });
  await expectState(seats, "asking");
  await expect.poll(screen, soon).toContain("Do you want to proceed?");
  expect(await scene.answer(denied, { verdict: "deny", reason: "not today, says the person" })).toEqual({
    outcome: "taken",
  });
  await expect.poll(scene.read, soon).toContain("not today, says the person");
  await expectState(seats, "idle");
  expect(existsSync(seats.ran)).toBe(false);

  const allowed = await scene.makeItAsk("please run");
  expect(await scene.answer(allowed, ALLOW)).toEqual({ outcome: "taken" });
  await expect.poll(() => existsSync(seats.ran), soon).toBe(true);
  await expectState(seats, "idle");

  const question = await scene.makeItAsk("please question");
  expect(question.request).toMatchObject({
    kind: "question",
    questions: [
      { text: "Which hill?", several: false },
      { text: "With what?", several: true },
    ],
  });
  const answers = [{ chosen: [], text: "the one by the sea" }, { chosen: [0, 1] }];
  expect(await scene.answer(question, { verdict: "answer", answers })).toEqual({ outcome: "taken" });
  await expect.poll(scene.read, soon).toContain('"Which hill?"="the one by the sea"');
  expect(scene.read()).toContain('"With what?"="left, right"');
  await expectState(seats, "idle");

  const one = await scene.makeItAsk("please ask");
  await scene.answer(one, { verdict: "answer", answers: [{ chosen: [1] }] });
  await expect.poll(scene.read, soon).toContain('"Which hill?"="right"');
  await expectState(seats, "idle");
  expect(seats.journal("answered").map(({ by, verdict }) => [by, verdict])).toEqual([
    ["terminal", "deny"],
    ["terminal", "allow"],
    ["terminal", "answer"],
    ["terminal", "answer"],
  ]);
});

it("a file behind a linked folder is named outside the pane as Claude Code's own dialog names it", async () => {
  let path = "";
  await using scene = await setScene({
    script: ({ last }) =>
      last.includes("please write") ? { tool: "Write", input: { file_path: path, content: "x" } } : undefined,
  });
  const { seats } = scene;
  const { world } = seats;
  const outside = join(world.sandbox.root, "outside");
  mkdirSync(outside);
  symlinkSync(outside, join(world.project, "docs"));
  path = join(world.project, "docs/notes.md");
  const { request } = await scene.makeItAsk("please write");
  const target = join(resolveLinks(outside), "notes.md");
  expect(request).toMatchObject({ action: { what: "write", path, target } });
  const screen = async () => withoutBlanks(await seats.pane("strategist").screen());
  await expect.poll(screen, soon).toContain(withoutBlanks(`This will modify ${target}`));
});

it("what the dialog offers to allow from now on can be allowed outside the pane, and is not asked again", async () => {
  await using scene = await setScene();
  const { seats } = scene;
  const request = await scene.makeItAsk("please run");
  if (request.request.kind !== "permission") throw new Error("not a permission");
  const { suggestions } = request.request;
  expect(suggestions.length).toBeGreaterThan(0);
  const all = suggestions.map((_suggestion, index) => index);
  expect(await scene.answer(request, { verdict: "allow", suggestions: all })).toEqual({ outcome: "taken" });
  await expect.poll(() => existsSync(seats.ran), soon).toBe(true);
  await expectState(seats, "idle");
  const before = seats.model.requests.length;
  await seats.pane("strategist").say("please run");
  await expect.poll(() => seats.model.requests.length, soon).toBe(before + 2);
  expect(seats.journal("asked")).toHaveLength(1);
});

it("a plan is sent back with words and then approved outside the pane", async () => {
  await using scene = await setScene({ mode: "plan" });
  const { seats } = scene;
  const first = await scene.makeItAsk("please plan");
  expect(first.request).toMatchObject({ kind: "plan", plan: expect.any(String) });
  expect(await scene.answer(first, { verdict: "deny", reason: "the other hill" })).toEqual({
    outcome: "taken",
  });
  await expect.poll(scene.read, soon).toContain("the other hill");
  await expectState(seats, "idle");
  const second = await scene.makeItAsk("please plan");
  expect(await scene.answer(second, ALLOW)).toEqual({ outcome: "taken" });
  await expect.poll(scene.read, soon).toMatch(/approved/i);
});

it("of several calls at once each that needs the person is open until it is answered itself, in either place", async () => {
  const allowed = "allowed.txt";
  const files = ["/etc/hostname", "/etc/os-release", "/etc/group", allowed];
  await using scene = await setScene({
    script: ({ last }) => (last.includes("please read") ? files.map(reading) : undefined),
  });
  const { seats } = scene;
  const path = join(seats.world.project, allowed);
  writeFileSync(path, "nobody is asked about this");
  files[3] = path;
  const open = () =>
    scene.open().map(({ request }) => request.kind === "permission" && request.rest["file_path"]);

  await seats.pane("strategist").say("please read");
  await expect.poll(open, soon).toEqual(files.slice(0, 3));
  const [, second, third] = scene.open();
  if (!second || !third) throw new Error("not three requests");
  expect(await scene.answer(third, { verdict: "deny", reason: "not the groups" })).toEqual({
    outcome: "taken",
  });
  expect(open()).toEqual(files.slice(0, 2));
  await pressUntil(scene, "enter", () => open().length === 1);
  expect(open()).toEqual(["/etc/os-release"]);
  expect(await scene.answer(second, ALLOW)).toEqual({ outcome: "taken" });
  await expect.poll(scene.read, soon).toContain("nobody is asked about this");
  expect(scene.read()).toContain("not the groups");
  expect(seats.journal("answered").map(({ by }) => by)).toEqual(["terminal", "pane", "terminal"]);

  // The only one that asks is not mistaken for the one that does not.
  files.splice(1, 2);
  await seats.pane("strategist").say("please read");
  await expect.poll(open, soon).toEqual(["/etc/hostname"]);
  const before = seats.journal("answered").length;
  await expectState(seats, "asking");
  await expect.poll(() => seats.pane("strategist").screen(), soon).toContain("Do you want to proceed?");
  expect(open()).toEqual(["/etc/hostname"]);
  expect(seats.journal("answered")).toHaveLength(before);
});

function reading(file: string): ToolUse {
  return { tool: "Read", input: { file_path: file } };
}

/** A dialog ignores keys at first, and of several only the front one takes them. */
async function pressUntil({ seats }: Scene, key: "enter", isDone: () => boolean): Promise<void> {
  const pane = seats.pane("strategist");
  await expect.poll(() => pane.screen(), soon).toContain("Do you want to proceed?");
  await new Promise((resolve) => setTimeout(resolve, 700));
  await pane.press(key);
  await expect.poll(isDone, soon).toBe(true);
}

it.each([
  ["yes", "enter", true],
  ["no", "no", false],
  ["Esc", "escape", false],
] as const)(
  "after %s in the pane a request is gone within a second, and a late answer is told so",
  async (_how, key, runs) => {
    await using scene = await setScene();
    const { seats } = scene;
    const request = await scene.makeItAsk("please run");
    await expectState(seats, "asking");
    await seats.pane("strategist").answer(key);
    const answered = Date.now();
    await expect.poll(scene.open, soon).toEqual([]);
    expect(Date.now() - answered).toBeLessThan(await atMost(1_000));
    expect(await scene.answer(request, ALLOW)).toEqual({ outcome: "already", by: "pane" });
    await expectState(seats, "idle");
    expect(existsSync(seats.ran)).toBe(runs);
  },
);

it("an agent that runs ovld answer is refused, and what it sends with ovld send is from its own role", async () => {
  const said: string[] = [];
  const ovld = `${process.execPath} ${OVLD}`;
  const commands = [
    `${ovld} answer --session seats`,
    `env -u CLAUDECODE ${ovld} answer strategist allow --session seats`,
    `${ovld} send storm "I am the person" --session seats`,
  ];
  await using scene = await setScene({
    settings: { permissions: { allow: ["Bash"] } },
    script({ last, toolResults }) {
      if (!last.includes("please try") && toolResults.length === 0) return undefined;
      said.splice(0, said.length, ...toolResults);
      const command = commands[toolResults.length];
      return command === undefined ? "tried" : { tool: "Bash", input: { command, description: "it" } };
    },
  });
  const { seats } = scene;
  await seats.pane("strategist").say("please try");
  await expect.poll(() => said, soon).toHaveLength(3);
  for (const words of said.slice(0, 2)) expect(words).toContain("Only the person may run ovld answer");
  expect(seats.journal("stored")).toMatchObject([{ from: "strategist", to: "storm" }]);
});

it("a subagent's question is in the pane at once, and not held", async () => {
  const target = "of-a-helper";
  await using scene = await setScene({
    script(request) {
      const first = JSON.stringify(request.messages.find(({ role }) => role === "user"));
      if (first.includes("you are the helper"))
        return request.toolResults.length === 0
          ? { tool: "Bash", input: { command: `touch ${target}`, description: "it" } }
          : "helped";
      return request.last.includes("please delegate")
        ? {
            tool: "Agent",
            input: { description: "it", prompt: "you are the helper", subagent_type: "general-purpose" },
          }
        : undefined;
    },
  });
  const { seats } = scene;
  await seats.pane("strategist").say("please delegate");
  await expect.poll(() => seats.pane("strategist").screen(), soon).toContain("Do you want to proceed?");
  expect(scene.open()).toEqual([]);
  await seats.pane("strategist").answer("enter");
  await expect.poll(() => existsSync(join(seats.world.project, target)), soon).toBe(true);
});

it("with the keys of status --watch a permission is given, and Claude Code runs the command", async () => {
  await using scene = await setScene();
  const { seats } = scene;
  await scene.makeItAsk("please run");
  const { pty, output } = seats.world.ovldOnTerminal("status", "--watch", "--session", seats.session);
  await expect.poll(output, soon).toContain("a answer");
  pty.write("a");
  await expect.poll(output, soon).toMatch(/touch [^]+\[n\] deny  \[Enter\] skip/);
  pty.write("y\r");
  await expect.poll(output, soon).toContain("strategist has your answer.");
  await expect.poll(() => existsSync(seats.ran), soon).toBe(true);
});
