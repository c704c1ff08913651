import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { makePerson, type Person } from "../support/person.ts";

function machineWith(person: Person, ...programs: string[]): Record<string, string> {
  const bin = join(person.sandbox.root, "bin");
  mkdirSync(bin);
  for (const name of programs) {
    writeFileSync(join(bin, name), "#!/bin/sh\n");
    chmodSync(join(bin, name), 0o755);
  }
  return { PATH: bin, XDG_CACHE_HOME: person.project };
}

const steps = (stdout: string): string[] =>
  [...stdout.matchAll(/^ {2}(ovld .+?) {2}/gm)].map(([, step = ""]) => step);

it("if something is missing, the next steps are to watch a practice army, which can get Zellij by itself, and the doctor", async () => {
  await using person = makePerson();
  const { code, stdout } = await person.ovld([], { env: machineWith(person, "claude") });
  expect(code).toBe(0);
  expect(stdout).toContain("Zellij, which runs the army's panes, was not found.\nNext:\n");
  expect(stdout).not.toContain("Claude Code, which");
  expect(steps(stdout)).toEqual(["ovld practice", "ovld doctor", "ovld --help"]);
});

it("on a bare machine a practice army is offered, and it is not if the Zellij of the configuration is not there", async () => {
  await using person = makePerson();
  const { stdout } = await person.ovld([], { env: machineWith(person, "zellij") });
  expect(stdout).toContain("Claude Code, the program that the agents run, was not found.\nNext:\n");
  expect(steps(stdout)).toEqual(["ovld practice", "ovld doctor", "ovld --help"]);
  const nothing = { PATH: "/nowhere", XDG_CACHE_HOME: person.project };
  const offered = async (): Promise<string[]> => steps((await person.ovld([], { env: nothing })).stdout);
  expect(await offered()).toEqual(["ovld practice", "ovld doctor", "ovld --help"]);
  mkdirSync(dirname(person.configFile), { recursive: true });
  writeFileSync(person.configFile, 'zellij = "/nowhere/zellij"\n');
  expect(await offered()).toEqual(["ovld doctor", "ovld --help"]);
});

it("if everything is there, the next step is to summon, and to set up what is not set up yet", async () => {
  await using person = makePerson();
  const env = machineWith(person, "claude", "zellij");
  expect(steps((await person.ovld([], { env })).stdout)).toEqual(["ovld summon", "ovld init", "ovld --help"]);
  await person.ovld(["init"]);
  expect(steps((await person.ovld([], { env })).stdout)).toEqual(["ovld summon", "ovld --help"]);
});

it("the welcome is in Japanese for a Japanese environment, and creates nothing", async () => {
  await using person = makePerson();
  const { stdout } = await person.ovld([], { env: { ...machineWith(person), OVLD_LANG: "ja" } });
  expect(stdout).toContain("軍勢のペインを動かす Zellij が見つかりません。");
});
