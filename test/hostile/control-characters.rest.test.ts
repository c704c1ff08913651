import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openMail } from "../../src/mail/mail.ts";
import { makePerson } from "../support/person.ts";

/** A title, a colour, an upper control character, one that reverses the order, and a line of its own. */
const EVIL = "h\u001b]0;x\u0007\u001b[31m\u009b2J\u202eevil\u2066\nfake: all is well";
const RAW = /[^\P{Cc}\n\t]|\p{Bidi_Control}/u;

/** A person whose home, project and mail have the worst possible names. */
function makeUnluckyPerson() {
  const person = makePerson();
  const home = join(person.sandbox.root, EVIL);
  const project = join(home, EVIL);
  mkdirSync(project, { recursive: true });
  const config = join(home, ".config/ovld");
  const relayDir = join(config, "relay");
  const mail = openMail(relayDir);
  mail.init();
  mail.recordArmy({ folder: project, agent: "claude", summoned: new Date().toISOString() });
  mail.deliver({ from: "overlord", to: "human", subject: EVIL, body: EVIL, priority: "urgent" });
  writeFileSync(join(relayDir, "inbox/storm", `${EVIL}.json`), "{");
  mail.claim("storm").settle();
  mail.setStatus("storm", "blocked", EVIL);
  chmodSync(relayDir, 0o755);
  const insight = join(home, "insight");
  mkdirSync(insight);
  writeFileSync(join(insight, `${EVIL}.md`), EVIL);
  const env = { HOME: home, OVLD_INSIGHT_DIR: insight };
  return { person, home, config, relayDir, project, env };
}

const COMMANDS = [
  [],
  ["doctor"],
  ["doctor", "--json"],
  ["status"],
  ["status", "--json"],
  ["armies"],
  ["log"],
  ["log", "--json"],
  ["log", "0", "--lang", "ja"],
  ["inbox", "--all"],
  ["inbox"],
  ["reply", EVIL, EVIL],
  ["log", EVIL],
  ["log", "--since", EVIL],
  ["notes"],
  ["notes", "--json"],
  ["notes", "show", EVIL],
  ["notes", "show", EVIL, "--json"],
  ["notes", "show", `${EVIL}${EVIL}`],
  ["init"],
  ["summon", "--dry-run"],
  ["summon", "--dry-run", "--json"],
  ["summon", "--session", EVIL],
  ["summon", "--rituals", EVIL, "--dry-run"],
  ["send", "storm", "--json", EVIL],
  ["send", EVIL, "hello"],
  ["complete", "notes", "show", ""],
  [EVIL],
  ["--lang", EVIL],
  ["status", `--${EVIL}`],
  ["status", EVIL],
];

it("no command prints a character that controls a terminal, nor a line that comes from a path", async () => {
  const { person, project, env } = makeUnluckyPerson();
  await using _ = person;
  const madeUp = new Set<string>();
  for (const colour of ["0", "1"]) {
    for (const words of COMMANDS) {
      const run = await person.ovld([...words], { env: { ...env, FORCE_COLOR: colour }, cwd: project });
      const output = `${run.stdout}${run.stderr}`;
      expect(output, `ovld ${words.join(" ")}`).not.toBe("");
      // Our own colours, and nothing else.
      const rest = colour === "1" ? output.replaceAll(/\u001b\[(?:\d+)m(?!\u009b|\ufffd)/g, "") : output;
      expect(RAW.exec(rest), `ovld ${words.join(" ")}: ${JSON.stringify(rest)}`).toBeNull();
      if (/^fake:/m.test(output)) madeUp.add(words.slice(0, 2).join(" "));
    }
  }
  // A message and a note may contain lines of their own.
  expect([...madeUp].toSorted()).toEqual(["log 0", "notes show"]);
});

it("JSON contains paths and names exactly as they are", async () => {
  const { person, project, relayDir, env } = makeUnluckyPerson();
  await using _ = person;
  const ask = async (...words: string[]) =>
    JSON.parse((await person.ovld([...words, "--json"], { env, cwd: project })).stdout);
  expect(await ask("status")).toMatchObject({ relayDir, folder: project });
  expect((await ask("notes")).notes).toMatchObject([{ name: EVIL }]);
  expect(await ask("notes", "show", EVIL)).toMatchObject({ text: EVIL });
  expect(await ask("summon", "--dry-run")).toMatchObject({ relayDir });
});

it("the doctor's commands can be copied into a shell, whatever the folder's name", async () => {
  const { person, project, relayDir, env } = makeUnluckyPerson();
  await using _ = person;
  const { stdout } = await person.ovld(["doctor", "--json"], { env, cwd: project });
  const fixes: string[] = JSON.parse(stdout).findings.flatMap(({ fix }: { fix?: string }) => fix ?? []);
  const printPath = (beginning: string): string => {
    const command = fixes.find((fix) => fix.startsWith(beginning)) ?? "";
    expect(command).not.toBe("");
    return spawnSync("sh", ["-c", `printf %s ${command.slice(beginning.length)}`], { encoding: "utf8" })
      .stdout;
  };
  expect(printPath("ls -l ")).toBe(join(relayDir, "quarantine"));
  expect(printPath("chmod -R go= ")).toBe(relayDir);
});

it("a colour in a text is not shown, not even where ours are", async () => {
  const { person, project, env } = makeUnluckyPerson();
  await using _ = person;
  const run = (...words: string[]) => person.ovld(words, { env: { ...env, FORCE_COLOR: "1" }, cwd: project });
  expect((await run("notes")).stdout).toContain("\u001b[2m");
  const { stdout } = await run("notes", "show", EVIL);
  expect(stdout).toContain("\u{FFFD}[31m\u{FFFD}2J\u{FFFD}evil");
  expect(stdout).not.toContain("\u001b");
});
