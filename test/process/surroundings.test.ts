import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { identifyProcess } from "../../src/system/process.ts";
import { makePerson } from "../support/person.ts";
import { letter } from "../support/store.ts";

const inPaneOf = (session: string): Record<string, string> => ({
  ZELLIJ: "0",
  ZELLIJ_PANE_ID: "3",
  ZELLIJ_SESSION_NAME: session,
});

it("in a pane of an army that army is the default of status, send, log and unsummon", async () => {
  await using person = makePerson();
  person.army().deliver(letter);
  const work = person.army("work");
  const env = { ...inPaneOf("work"), PATH: "/nowhere" };
  expect(JSON.parse((await person.ovld(["status", "--json"], { env })).stdout).session).toBe("work");
  await person.ovld(["send", "storm", "hello"], { env });
  expect(work.countUnread("storm")).toBe(1);
  expect((await person.ovld(["log"], { env })).stdout).toContain("human → storm");
  const other = await person.ovld(["status", "--json", "--session", "overlord"], { env });
  expect(JSON.parse(other.stdout).session).toBe("overlord");
  expect((await person.ovld(["unsummon", "--force"], { env })).code).toBe(0);
  expect([person.relayDir(), person.relayDir("work")].map(existsSync)).toEqual([true, false]);
});

it("in a session that is not an army the configured name is the default, as anywhere else", async () => {
  await using person = makePerson();
  person.army();
  const { stdout } = await person.ovld(["status", "--json"], { env: inPaneOf("mine") });
  expect(JSON.parse(stdout).session).toBe("overlord");
});

const AGENTS: [string, Record<string, string>, boolean][] = [
  ["below a Claude Code", { CLAUDECODE: "1" }, false],
  ["below a relay", { OVLD_ROLE: "storm" }, false],
  ["below an agent that an army has started, without a mark", {}, true],
];

it.each(AGENTS)(
  "%s nobody may end an army, not even with --force and --yes",
  async (_where, marks, isBelow) => {
    await using person = makePerson();
    const mail = person.army();
    person.army("other");
    const below = isBelow ? join(person.relayDir("other"), "mcp/storm.json") : undefined;
    const env = { ...marks, PATH: "/nowhere" };
    for (const flags of [
      [],
      ["--force"],
      ["--all", "--force"],
      ["--session", "overlord", "--force", "--yes"],
    ]) {
      expect(await person.ovld(["unsummon", ...flags], { env, ...(below && { below }) })).toMatchObject({
        code: 4,
        stderr: expect.stringContaining("Only the person may run ovld unsummon, not an agent."),
      });
    }
    expect(mail.exists()).toBe(true);
  },
);

it("an agent may end an army if the configuration allows it", async () => {
  await using person = makePerson();
  const mail = person.army();
  mkdirSync(dirname(person.configFile), { recursive: true });
  writeFileSync(person.configFile, "[agents]\nmay_unsummon = true\n");
  const env = { CLAUDECODE: "1", PATH: "/nowhere" };
  expect((await person.ovld(["unsummon", "--force"], { env })).code).toBe(0);
  expect(mail.exists()).toBe(false);
});

it("a presence file that calls the person's own shell an agent does not prevent the person from ending an army", async () => {
  await using person = makePerson();
  const mail = person.army();
  const shell = identifyProcess(process.pid);
  mail.announce({ role: "storm", relay: "1-1", agent: shell });
  const run = await person.ovld(["unsummon", "--force"], { env: { PATH: "/nowhere" } });
  expect(run).toMatchObject({ code: 0, stderr: "" });
  expect(mail.exists()).toBe(false);
});
