import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { makePerson, type Person } from "../support/person.ts";

const STRAYS = ["work.bak", "$(touch PWNED)", "-rf", "two words", "*", "`id`"];

function plantStrays(person: Person): void {
  const real = join(person.sandbox.home, ".config/ovld/relays/real");
  person.army("real");
  for (const name of STRAYS) cpSync(real, join(dirname(real), name), { recursive: true });
  mkdirSync(join(dirname(real), "empty"));
  writeFileSync(join(dirname(real), "file"), "");
  // A file that was left where the first army's mail would be.
  const first = join(person.sandbox.home, ".config/ovld/relay");
  mkdirSync(first);
  writeFileSync(join(first, "notes.txt"), "mine");
}

it.each([[["armies", "--json"]], [["doctor", "--json"]], [[]]])(
  "ovld %o works although there are other folders among the armies",
  async (words) => {
    await using person = makePerson();
    plantStrays(person);
    const run = await person.ovld([...words]);
    expect(run.stderr).toBe("");
    expect(run.stdout).not.toBe("");
    for (const stray of STRAYS) expect(run.stdout).not.toContain(`relays/${stray}`);
  },
);

it("only armies are completed, and bash gets every word quoted", async () => {
  await using person = makePerson();
  plantStrays(person);
  const { stdout } = await person.ovld(["complete", "unsummon", "--session", ""]);
  expect(stdout).toBe("real\n");
  const script = (await person.ovld(["completion", "bash"])).stdout;
  const run = spawnSync(
    "bash",
    [
      "--norc",
      "-c",
      `${script}
ovld() { printf '%s\\t%s\\n' '$(touch PWNED)' meaning '*' meaning 'plain-word' meaning; }
COMP_WORDS=(ovld unsummon --session ""); COMP_CWORD=3
_ovld
eval "set -- \${COMPREPLY[*]}"
printf '<%s>' "$@"`,
    ],
    { cwd: person.project, encoding: "utf8" },
  );
  expect(run.stdout).toBe("<$(touch PWNED)><*><plain-word>");
  expect(readdirSync(person.project)).not.toContain("PWNED");
});

it("unsummon removes nothing from a folder that is not a store, whatever the names in it, and says so", async () => {
  await using person = makePerson();
  const precious = join(person.relayDir(), "settings/precious");
  mkdirSync(dirname(precious), { recursive: true });
  writeFileSync(precious, "mine");
  const { stdout } = await person.ovld(["unsummon", "--force"]);
  expect(stdout).not.toContain("has been cleaned up");
  expect(stdout).toContain(dirname(precious));
  expect(readFileSync(precious, "utf8")).toBe("mine");
});

it.each(['{"items":[]}', '{"format":1,"items":[]}', "no JSON"])(
  "unsummon --all removes nothing next to another program's store.json (%s), says so, and ends the other armies",
  async (content) => {
    await using person = makePerson();
    person.army("real");
    const folder = person.relayDir("a-program");
    const names = ["inbox", "tmp", "journal", "mcp", "settings"];
    for (const name of names) {
      mkdirSync(join(folder, name), { recursive: true });
      writeFileSync(join(folder, name, "precious"), "mine");
    }
    writeFileSync(join(folder, "store.json"), content);
    const { code, stdout, stderr } = await person.ovld(["unsummon", "--all", "--force"]);
    expect(code).toBe(4);
    expect(stderr).toContain(`${join(folder, "store.json")} was not created by ovld`);
    expect(stdout).toContain("The army real has ended, and everything it left has been cleaned up.");
    expect(readdirSync(folder).toSorted()).toEqual([...names, "store.json"].toSorted());
    for (const name of names) expect(readFileSync(join(folder, name, "precious"), "utf8")).toBe("mine");
  },
);

it.each([
  ["unsummon", "--force"],
  ["summon", "--detached", "--no-rituals", "--agent", "practice"],
])(
  "ovld %s touches nothing in the folder of an army that a newer ovld has made, and says so",
  async (...words) => {
    await using person = makePerson();
    const mail = person.army();
    mail.deliver({ from: "overlord", to: "storm", subject: "s", body: "b", priority: "normal" });
    mkdirSync(join(person.relayDir(), "mcp"));
    writeFileSync(join(person.relayDir(), "mcp/storm.json"), "{}");
    writeFileSync(join(person.relayDir(), "store.json"), '{"format":99}');
    const list = (): string[] =>
      readdirSync(person.relayDir(), { recursive: true, encoding: "utf8" }).toSorted();
    const before = list();
    const env = { PATH: pathWithZellij(person.env["PATH"]) };
    const { code, stdout, stderr } = await person.ovld(words, { env });
    expect(code).toBe(4);
    expect(stdout).not.toContain("has been cleaned up");
    expect(`${stdout}${stderr}`).toContain("has format 99");
    expect(list()).toEqual(before);
  },
);

function pathWithZellij(path = ""): string {
  return `${dirname(process.env["OVLD_TEST_ZELLIJ"] ?? "zellij")}:${path}`;
}
