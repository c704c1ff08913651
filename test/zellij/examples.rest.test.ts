import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { idsOf } from "../../src/mail/journal/journal-entry.ts";
import { openMail } from "../../src/mail/mail.ts";
import { addToArchive } from "../../src/summon/archive/archive.ts";
import { freePort } from "../../src/system/free-port.ts";
import { OVLD } from "../support/ovld.ts";
import { runCommand } from "../support/run-command.ts";
import { letter } from "../support/store.ts";
import { TEXTS } from "../support/texts.ts";
import { makeZellijWorld, type ZellijWorld } from "../support/zellij.ts";
import { soon } from "../support/wait-until.ts";

const CTRL_C = "\u0003";
const LEAVE_ZELLIJ = "\u000fd";

/** Commands in the order in which a person uses them: each finds what the one before has left. */
const ORDER = [
  "init",
  "notes",
  "completion",
  "relay",
  "summon",
  "attach",
  "rituals",
  "send",
  "log",
  "status",
  "answer",
  "inbox",
  "reply",
  "budget",
  "desk",
  "restart",
  "armies",
  "doctor",
  "update",
  "hub",
  "practice",
  "unsummon",
] as const;

/** What these do needs agents that work in trees; trees.test.ts plays that. */
const WITH_TREES = ["land", "task"];

/** These need a terminal: they run until they are ended, or ask before they do what cannot be undone. */
const ON_TERMINAL = new Map([
  ["log --follow", { sign: "overlord", keys: CTRL_C, code: 130 }],
  ["status --watch", { sign: "overlord", keys: CTRL_C, code: 130 }],
  ["attach", { sign: "overlord", keys: LEAVE_ZELLIJ, code: 0 }],
  ["attach storm", { sign: "overlord", keys: LEAVE_ZELLIJ, code: 0 }],
  ["answer storm --choose 1", { sign: TEXTS.en.answer.askToAnswer, keys: "y\r", code: 0 }],
  ["desk", { sign: "http://127.0.0.1", keys: CTRL_C, code: 0 }],
  ["init --lang ja --force", { sign: TEXTS.ja.init.askToWrite, keys: "y\r", code: 0 }],
  ["armies rm overlord@20261116-031200", { sign: TEXTS.en.armies.askToRemove, keys: "y\r", code: 0 }],
]);

function shellIn(world: ZellijWorld): (line: string) => Promise<{ code: number | null; said: string }> {
  return async (line) => {
    const { env, project: cwd } = world;
    const { code, stdout, stderr } = await runCommand(world.sandbox, ["bash", "-c", line], { env, cwd });
    return { code, said: code === 0 ? "" : `${stdout}${stderr}` };
  };
}

async function seeOnTerminal(
  world: ZellijWorld,
  words: string[],
  sign: string,
  leave: string,
): Promise<number> {
  const terminal = world.ovldOnTerminal(...words);
  await expect.poll(() => terminal.output(), soon).toContain(sign);
  terminal.pty.write(leave);
  return terminal.exited;
}

it("every example in help does what it says, one after the other, with a practice army", async () => {
  await using world = makeZellijWorld();
  const bin = join(world.sandbox.root, "bin");
  writeFileSync(join(bin, "ovld"), `#!/bin/sh\nexec '${process.execPath}' '${OVLD}' "$@"\n`);
  chmodSync(join(bin, "ovld"), 0o755);
  // The desk would open a browser.
  writeFileSync(join(bin, "xdg-open"), "#!/bin/sh\n", { mode: 0o755 });
  mkdirSync(join(world.sandbox.home, ".config/fish/completions"), { recursive: true });
  writeFileSync(join(world.project, "notes.txt"), "Mind the moat.\n");
  const notes = join(world.sandbox.root, "notes");
  mkdirSync(notes);
  writeFileSync(join(notes, "build.md"), "How to build it\n");
  world.env["OVLD_INSIGHT_DIR"] = notes;
  world.env["EDITOR"] = "true";
  leaveArchivedArmy(world);
  leaveCampaign(world);
  const asks = { acts: [{ when: { file: askFile(world) }, turn: [{ do: "ask", command: "rm x" }] }] };
  const script = join(world.sandbox.root, "script.json");
  writeFileSync(script, JSON.stringify({ workMs: 0, roles: { inferno: asks, storm: asks } }));
  world.env["OVLD_PRACTICE_SCRIPT"] = script;
  world.env["OVLD_NATS_SERVER"] = process.env["OVLD_TEST_NATS"] ?? "";
  world.sandbox.defer(async () => void (await world.ovld("hub", "stop")));
  const shell = shellIn(world);
  const lines = ORDER.flatMap((name) =>
    TEXTS.en.commands[name].examples.map(({ input }) => `${name} ${input}`.trim()),
  );
  expect([...ORDER, ...WITH_TREES].toSorted()).toEqual(Object.keys(TEXTS.en.commands).toSorted());
  // What help shows first is among them.
  for (const [example] of TEXTS.en.help.exampleLines) expect(lines).toContain(example.replace(/^ovld /, ""));
  const codes: [string, number | null, string][] = [];
  for (const line of lines) codes.push(await tryOut(world, shell, line));
  expect(codes).toEqual(lines.map((line) => [line, ON_TERMINAL.get(line)?.code ?? 0, ""]));
  expect(await world.sessions()).toBe("");
});

const ARCHIVED = "overlord@20261116-031200";

/** The archived army of the examples. */
function leaveArchivedArmy(world: ZellijWorld): void {
  const mail = openMail(join(world.sandbox.root, "old"));
  mail.deliver(letter);
  const ended = new Date(2026, 10, 16, 3, 12, 0);
  const archiveDir = join(world.sandbox.home, ".config/ovld/archive");
  const name = addToArchive(archiveDir, { session: "overlord", ended }, (path) =>
    mail.copyTo(path, { forUse: false }),
  );
  expect(name).toBe(ARCHIVED);
}

/** A campaign that was cut off when nobody had begun yet. */
function leaveCampaign(world: ZellijWorld): void {
  const mail = openMail(world.relayDir("practice-1"));
  const summoned = new Date().toISOString();
  mail.recordArmy({ session: "practice-1", folder: world.project, agent: "practice", summoned });
  mail.deliver({ ...letter, from: "human", to: "overlord" });
}

function askFile(world: ZellijWorld): string {
  return join(world.sandbox.root, "ask");
}

/** Two agents ask for a permission, and the person has had time to see it. */
async function letTwoAsk(world: ZellijWorld): Promise<void> {
  writeFileSync(askFile(world), "");
  const asked = async (): Promise<string[]> => {
    const { stdout } = await world.ovld("answer", "--json");
    const { requests }: { requests: { role: string; since: string }[] } = JSON.parse(stdout);
    return requests.filter(({ since }) => Date.now() - Date.parse(since) > 3_000).map(({ role }) => role);
  };
  await expect.poll(async () => (await asked()).toSorted(), soon).toEqual(["inferno", "storm"]);
  rmSync(askFile(world));
}

/** With its exit code, and its output if that is not 0. */
async function tryOut(
  world: ZellijWorld,
  shell: ReturnType<typeof shellIn>,
  line: string,
): Promise<[string, number | null, string]> {
  if (line === "summon") {
    writeFileSync(
      join(world.sandbox.home, ".config/ovld/config.toml"),
      'agent = "practice"\n[budget]\narmy = 1_000_000_000\n',
    );
    return [line, await seeOnTerminal(world, ["summon"], "overlord", LEAVE_ZELLIJ), ""];
  }
  if (line === "summon --resume")
    return [line, await seeOnTerminal(world, line.split(" "), "overlord", LEAVE_ZELLIJ), ""];
  const seen = ON_TERMINAL.get(line);
  if (seen) return [line, await seeOnTerminal(world, line.split(" "), seen.sign, seen.keys), ""];
  if (line === "answer") await letTwoAsk(world);
  const mail = openMail(world.relayDir());
  const question = line.startsWith("reply") && mail.deliver({ ...letter, from: "overlord", to: "human" });
  const [id = ""] = question ? [question.id] : [...mail.journal().next()].flatMap(idsOf);
  const real = line
    .replace("0mabc", id)
    // Only nushell understands the rest of the line.
    .replace(/ \| save .*/, "")
    // A program of the person's may listen on the hub's usual port.
    .replace(/^hub start/, `$& --listen 127.0.0.1:${await freePort()}`);
  // As on another machine.
  const where = line === "hub join b.join" ? "HOME=$PWD/far XDG_CONFIG_HOME=$PWD/far/.config " : "";
  const { code, said } = await shell(`mkdir -p far; ${where}ovld ${real}`);
  return [line, code, said];
}
