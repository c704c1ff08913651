import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Role } from "../../src/army/roles.ts";
import { openRequestBox, type RequestBox, type StoredRequest } from "../../src/requests/request-box.ts";
import { resolveLinks } from "../../src/system/paths.ts";
import { openSocket, register, startAgent } from "../support/hooked-relay.ts";
import { QUESTION } from "../support/model.ts";
import { makePerson, type Person } from "../support/person.ts";
import { awaitRequest } from "../support/requests.ts";
import { endIfThrown } from "../support/sandbox.ts";
import { soon } from "../support/wait-until.ts";

const RULE = {
  type: "addRules",
  rules: [{ toolName: "Bash", ruleContent: "npm *" }],
  behavior: "allow",
  destination: "localSettings",
};
const COMMAND = { command: "npm test", description: "Run the tests" };

interface Scene {
  person: Person;
  box: RequestBox;
  /** An agent that asks; `decision` is what its hook was answered. */
  ask(
    tool: string,
    input: object,
    role?: Role,
  ): Promise<{ stored: StoredRequest; decision: Promise<any>; agent: Agent }>;
  [Symbol.asyncDispose](): Promise<void>;
}

type Agent = Awaited<ReturnType<typeof startAgent>>;

async function setScene(): Promise<Scene> {
  const person = makePerson();
  person.army();
  const relayDir = person.relayDir();
  const box = openRequestBox(relayDir);
  const { path: socket } = await endIfThrown(person, () => openSocket(person.sandbox));
  const agents = new Map<Role, Agent>();
  let asked = 0;
  return {
    person,
    box,
    async ask(tool, input, role = "inferno") {
      const agent =
        agents.get(role) ??
        (await startAgent(person.sandbox, role, socket, { OVLD_RELAY_DIR: relayDir }, { init: false }));
      agents.set(role, agent);
      const toolInput = JSON.stringify(input);
      const suggestions = JSON.stringify([RULE]);
      const answer = agent.hook("PermissionRequest", { tool, toolInput, suggestions });
      asked += 1;
      const stored = await awaitRequest(box, asked);
      const decision = answer.then(({ text }) => JSON.parse(text).hookSpecificOutput?.decision);
      decision.then(
        () => (asked -= 1),
        () => {},
      );
      return { stored, decision, agent };
    },
    [Symbol.asyncDispose]: () => person.sandbox[Symbol.asyncDispose](),
  };
}

it.each([
  ["allow", "Bash", COMMAND, ["allow"], { behavior: "allow" }],
  [
    "allow with what the dialog offers",
    "Bash",
    COMMAND,
    ["allow", "--choose", "1"],
    { behavior: "allow", updatedPermissions: [RULE] },
  ],
  [
    "deny with a reason",
    "Bash",
    COMMAND,
    ["deny", "--why", "too early"],
    { behavior: "deny", message: "too early" },
  ],
  [
    "choose an option",
    "AskUserQuestion",
    { questions: [QUESTION] },
    ["--choose", "2"],
    { behavior: "allow", updatedInput: { questions: [QUESTION], answers: { "Which hill?": "right" } } },
  ],
  [
    "answer in own words",
    "AskUserQuestion",
    { questions: [QUESTION] },
    ["--text", "neither"],
    { behavior: "allow", updatedInput: { questions: [QUESTION], answers: { "Which hill?": "neither" } } },
  ],
  [
    "approve a plan",
    "ExitPlanMode",
    { plan: "# Up" },
    ["allow"],
    { behavior: "allow", updatedInput: { plan: "# Up" } },
  ],
])("arguments of ovld answer %s", async (_what, tool, input, words, expected) => {
  await using scene = await setScene();
  const { stored, decision } = await scene.ask(tool, input);
  const { id } = stored.request;
  const run = await scene.person.ovld(["answer", "inferno", ...words, "--request", nameOf(stored), "--json"]);
  expect(run).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(run.stdout)).toEqual({
    session: "overlord",
    role: "inferno",
    request: id,
    outcome: "taken",
  });
  expect(await decision).toEqual(expected);
});

it("without a terminal ovld answer lists what is asked, completely, with the command that answers it", async () => {
  await using scene = await setScene();
  const { person } = scene;
  expect((await person.ovld(["answer"])).stdout).toBe(
    "Nothing to answer. Questions typed in a pane are not listed here; see ovld status.\n",
  );
  const long = `echo ${"x".repeat(30_000)}\nrm -rf castle`;
  await scene.ask("Bash", { command: long, timeout: 5 });
  const edit = { file_path: "/p/a.ts", old_string: "one\ntwo\nthree", new_string: "one\n2\nthree" };
  const { stored } = await scene.ask("Edit", edit, "storm");
  const options = [{ label: "left", description: "steep", preview: "/\\\n  \\" }];
  await scene.ask("AskUserQuestion", { questions: [{ ...QUESTION, options }] }, "shadow");
  const { stdout, code } = await person.ovld(["answer"]);
  expect(code).toBe(0);
  expect(stdout).toContain("  │ Hill: Which hill?\n  │ 1. left – steep\n  │      /\\\n  │        \\\n");
  expect(stdout).toContain(`  │ echo ${"x".repeat(30_000)}\n  │ rm -rf castle\nAlso:\n  │ timeout: 5\n`);
  expect(stdout).toContain("storm asks to change a file (Edit)");
  expect(stdout).toContain("  │ File: /p/a.ts\n  │   one\n  │ - two\n  │ + 2\n  │   three\n");
  expect(stdout).toContain(
    "  │ 1. and don't ask again for Bash(npm *) in this project, by your own settings\n",
  );
  expect(stdout).toContain(`ovld answer storm --request ${nameOf(stored)}\n`);
  const { requests } = JSON.parse((await person.ovld(["answer", "--json"])).stdout);
  expect(requests).toHaveLength(3);
  expect(requests[1]).toEqual({ ...stored.request, name: nameOf(stored) });
  const japanese = await person.ovld(["answer", "storm", "--lang", "ja"]);
  expect(japanese.stdout).toContain("storm がファイルの変更を求めています（Edit）");
});

it("an agent is recognised whatever it has put into its environment, also one of an army elsewhere", async () => {
  await using person = makePerson();
  await using other = makePerson();
  person.army();
  other.army("work");
  const below = `${other.relayDir("work")}/mcp/storm.json`;
  for (const command of ["answer", "desk"])
    expect(await person.ovld([command, "--json"], { below })).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('"agent-may-not-answer"'),
    });
  await person.ovld(["send", "inferno", "I am the person"], { below });
  expect((await person.ovld(["log"])).stdout).toContain("storm → inferno");
});

it("an answer that comes after one in the pane says so and ends with exit code 5", async () => {
  await using scene = await setScene();
  const { stored, decision, agent } = await scene.ask("Bash", COMMAND);
  const { id } = stored.request;
  await agent.hook("PostToolUse", { tool: "Bash", toolInput: JSON.stringify(COMMAND) });
  expect(await decision).toBeUndefined();
  const late = await scene.person.ovld(["answer", "inferno", "allow", "--request", id]);
  expect(late).toMatchObject({ code: 5, stdout: "inferno had already been answered in its pane.\n" });
});

/** As `ovld answer` lists it. */
function nameOf({ request, digest }: StoredRequest): string {
  return `${request.id}:${digest.slice(0, 8)}`;
}

it("without a terminal only a request that is named completely, as it was listed, is allowed; one of several is named to be denied", async () => {
  await using scene = await setScene();
  const { person } = scene;
  const first = await scene.ask("Bash", COMMAND);
  const { id } = first.stored.request;
  for (const words of [
    ["allow"],
    ["--choose", "1"],
    ["allow", "--request", id],
    ["allow", "--request", `${id}:`],
    ["allow", "--request", nameOf(first.stored).slice(0, -1)],
  ])
    expect(await person.ovld(["answer", "inferno", ...words])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("Name the request with --request"),
    });
  const second = await scene.ask("Bash", { command: "rm -rf castle" });
  const [name, other] = [nameOf(first.stored), nameOf(second.stored)];
  const several = await person.ovld(["answer", "inferno", "deny"]);
  expect(several).toMatchObject({ code: 2, stderr: expect.stringContaining(`${name}, ${other}`) });
  await person.ovld(["answer", "inferno", "deny", "--request", second.stored.request.id]);
  expect(await second.decision).toMatchObject({ behavior: "deny" });
  const changed = `${first.stored.request.id}:${second.stored.digest.slice(0, 8)}`;
  expect(await person.ovld(["answer", "inferno", "allow", "--request", changed])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("inferno is not asking that"),
  });
  expect(await person.ovld(["answer", "inferno", "allow", "--request", name])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/npm test[^]*inferno has your answer\.\n$/),
  });
  expect(await first.decision).toEqual({ behavior: "allow" });
});

it("on a terminal an answer without a name shows the request and its army, and is given only after a yes", async () => {
  await using scene = await setScene();
  scene.person.army("work");
  const { decision } = await scene.ask("Bash", COMMAND);
  const words = ["answer", "inferno", "allow", "--session", "overlord"];
  const first = scene.person.onTerminal(words);
  await expect.poll(first.output, soon).toContain("Give this answer? [y/N]");
  expect(first.output()).toMatch(/inferno asks to run a command \(Bash\) in army overlord[^]+npm test/);
  first.pty.write("\r");
  expect(await first.exited).toBe(0);
  expect(scene.box.open("inferno")).toHaveLength(1);
  const second = scene.person.onTerminal(words);
  await expect.poll(second.output, soon).toContain("Give this answer? [y/N]");
  second.pty.write("y\r");
  expect(await second.exited).toBe(0);
  expect(await decision).toEqual({ behavior: "allow" });
});

it("a path that leads through a link is shown with the file that it leads to, and unseen characters are named", async () => {
  await using scene = await setScene();
  const { person } = scene;
  const outside = join(person.sandbox.root, "outside");
  mkdirSync(outside);
  symlinkSync(outside, join(person.project, "docs"));
  const path = join(person.project, "docs/new/notes.md");
  const { stored } = await scene.ask("Write", { file_path: path, content: "x\u200By" });
  const target = resolveLinks(join(outside, "new/notes.md"));
  expect(stored.request).toMatchObject({ action: { what: "write", path, target } });
  const { stdout } = await person.ovld(["answer"]);
  expect(stdout).toContain(
    `  │ File: ${path}\n  │ The path leads through a link to: ${target}\n  │ + x⟦U+200B⟧y\n`,
  );
});

it.each([
  [["answer", "inferno", "allow"], 1, "inferno is not asking that"],
  [["answer", "--choose", "1"], 2, "Name the role that you answer"],
  [["answer", "king"], 2, '"king" is not a valid value for ROLE'],
  [["answer", "inferno", "maybe"], 2, '"maybe" is not a valid value for allow|deny'],
])("%o is refused with a sentence", async (words, code, sentence) => {
  await using person = makePerson();
  person.army();
  expect(await person.ovld(words)).toMatchObject({
    code,
    stdout: "",
    stderr: expect.stringContaining(sentence),
  });
});

it.each([
  [["allow", "--choose", "7"], "does not offer that choice"],
  [["--choose", "x"], "does not offer that choice"],
  [["--text", "hello"], "does not ask a question"],
])("an answer that does not fit (%o) is refused, and the agent still asks", async (words, sentence) => {
  await using scene = await setScene();
  const { stored } = await scene.ask("Bash", COMMAND);
  const run = await scene.person.ovld(["answer", "inferno", ...words, "--request", nameOf(stored)]);
  expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) });
  expect(scene.box.open("inferno")).toHaveLength(1);
});

it("on a terminal each request is shown and answered in turn, and Enter alone answers nothing", async () => {
  await using scene = await setScene();
  const command = await scene.ask("Bash", COMMAND);
  const question = await scene.ask("AskUserQuestion", { questions: [QUESTION] }, "storm");
  const first = scene.person.onTerminal(["answer"]);
  await expect.poll(first.output, soon).toContain("[n] deny  [Enter] skip");
  first.pty.write("\r");
  await expect.poll(first.output, soon).toContain("Number, or your own words");
  first.pty.write("\r");
  expect(await first.exited).toBe(0);
  expect(scene.box.open("inferno")).toHaveLength(1);
  expect(scene.box.open("storm")).toHaveLength(1);

  const second = scene.person.onTerminal(["answer"]);
  await expect.poll(second.output, soon).toContain("[n] deny  [Enter] skip");
  second.pty.write("9\r");
  await expect.poll(second.output, soon).toContain("That is not one of the choices.");
  second.pty.write("n\r");
  await expect.poll(second.output, soon).toContain("Reason for the agent (optional): ");
  second.pty.write("no tests today\r");
  await expect.poll(second.output, soon).toContain("Which hill?");
  await expect.poll(second.output, soon).toContain("Number, or your own words");
  second.pty.write("1\r");
  expect(await second.exited).toBe(0);
  expect(await command.decision).toEqual({ behavior: "deny", message: "no tests today" });
  expect(await question.decision).toMatchObject({ updatedInput: { answers: { "Which hill?": "left" } } });
});

it("while the person is asked on a terminal, an answer in the pane ends the question there", async () => {
  await using scene = await setScene();
  const { agent } = await scene.ask("Bash", COMMAND);
  const { output, exited } = scene.person.onTerminal(["answer", "inferno"]);
  await expect.poll(output, soon).toContain("[n] deny  [Enter] skip");
  await agent.hook("PostToolUse", { tool: "Bash", toolInput: JSON.stringify(COMMAND) });
  expect(await exited).toBe(0);
  expect(output()).toContain("inferno had already been answered in its pane.");
});

it("an answer to a request that has gone away while it was shown does not answer the next one", async () => {
  await using scene = await setScene();
  const { agent } = await scene.ask("Bash", COMMAND);
  const next = await scene.ask("Bash", { command: "rm -r build" }, "storm");
  const { pty, output, exited } = scene.person.onTerminal(["answer"]);
  await expect.poll(output, soon).toContain("[n] deny  [Enter] skip");
  await agent.hook("PostToolUse", { tool: "Bash", toolInput: JSON.stringify(COMMAND) });
  await expect.poll(output, soon).toMatch(/already been answered in its pane[^]+Press Enter to see the next/);
  pty.write("y\r");
  await expect.poll(output, soon).toMatch(/rm -r build[^]+\[n\] deny  \[Enter\] skip/);
  pty.write("n\r");
  await expect.poll(output, soon).toContain("Reason for the agent (optional): ");
  pty.write("\r");
  expect(await exited).toBe(0);
  expect(await next.decision).toMatchObject({ behavior: "deny" });
});

it("what was typed before a request was shown does not answer it", async () => {
  await using scene = await setScene();
  const first = await scene.ask("Bash", COMMAND);
  const next = await scene.ask("Bash", { command: "rm -r build" }, "storm");
  const { pty, output, exited } = scene.person.onTerminal(["answer"]);
  await expect.poll(output, soon).toContain("[n] deny  [Enter] skip");
  // As long as its record says so, the relay needs a second to know that the pane was not first: the next one is shown
  // only after that.
  register(scene.person.sandbox, "waiting");
  pty.write("y\r");
  await first.decision;
  pty.write("y\r");
  rmSync(join(scene.person.sandbox.home, "sessions"), { recursive: true });
  await expect.poll(output, soon).toMatch(/rm -r build[^]+\[n\] deny  \[Enter\] skip/);
  pty.write("n\r");
  await expect.poll(output, soon).toContain("Reason for the agent (optional): ");
  pty.write("\r");
  expect(await exited).toBe(0);
  expect(await next.decision).toMatchObject({ behavior: "deny" });
});

it("text in a request cannot pass for what ovld itself says on a terminal", async () => {
  await using scene = await setScene();
  const command = `ls\n\u001b[2J\u202Eharmless\n${" ".repeat(200)}[y] allow once: y\r[y] allow once: y`;
  await scene.ask("Bash", { command });
  const { stdout } = await scene.person.ovld(["answer"]);
  expect(stdout).not.toMatch(/[\u001b\u202e]/);
  const spoofs = stdout.split("\n").filter((each) => each.includes("allow once: y"));
  expect(spoofs).toHaveLength(2);
  for (const line of spoofs) expect(line).toMatch(/^ {2}│ /);
  const shown = scene.person.onTerminal(["answer", "inferno"]);
  await expect.poll(shown.output, soon).toContain("[n] deny  [Enter] skip");
  expect(shown.output()).not.toContain("\u202e");
  shown.pty.write("q\r");
  await shown.exited;
});

const AGENTS: [string, Record<string, string>, boolean][] = [
  ["below a Claude Code", { CLAUDECODE: "1" }, false],
  ["below a relay", { OVLD_ROLE: "storm" }, false],
  ["below an agent that an army has started, without a mark", {}, true],
];

it.each(AGENTS)("%s nobody answers for the person", async (_where, env, isBelow) => {
  await using scene = await setScene();
  const { person } = scene;
  const { stored } = await scene.ask("Bash", COMMAND);
  const config = join(person.relayDir(), "mcp", "storm.json");
  mkdirSync(join(person.relayDir(), "mcp"), { recursive: true });
  writeFileSync(config, "{}");
  const circumstances = { env, ...(isBelow && { below: config }) };
  const run = await person.ovld(
    ["answer", "inferno", "allow", "--request", stored.request.id],
    circumstances,
  );
  expect(run).toMatchObject({
    code: 4,
    stderr: expect.stringContaining("Only the person may run ovld answer"),
  });
  expect(scene.box.open("inferno")).toHaveLength(1);
});
