import { parseSettings } from "../../src/config/settings.ts";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { planArmyFiles, writeArmyFiles, makeSecrets, type RoleSecrets } from "../../src/summon/army-files.ts";
import { practice } from "../../src/agent/practice/practice.ts";
import { ROLES, type Role } from "../../src/army/roles.ts";
import type { Mail } from "../../src/mail/mail.ts";
import { OVLD } from "../support/ovld.ts";
import { makePerson, type Person } from "../support/person.ts";
import { startRelay, type RelayClient } from "../support/relay.ts";

interface SummonedArmy {
  mail: Mail;
  secrets: RoleSecrets;
  relayDir: string;
  /** The relay that the role's own configuration starts. */
  relay: (role: Role) => Promise<RelayClient>;
}

/** An army as `summon` creates it, except for its session. */
function summon(person: Person, config = ""): SummonedArmy {
  const secrets = makeSecrets();
  const relayDir = person.relayDir();
  const mail = person.army();
  const files = planArmyFiles({
    session: "overlord",
    relayDir,
    cwd: person.project,
    agent: practice,
    agentProgram: process.execPath,
    ovld: { node: process.execPath, file: OVLD },
    zellij: "/nowhere/zellij",
    settings: parseSettings({}, config),
    secrets,
  });
  writeArmyFiles(files);
  const relay = (role: Role): Promise<RelayClient> =>
    startRelay(person.sandbox, role, { env: environmentOf(relayDir, role) });
  return { mail, secrets, relayDir, relay };
}

function environmentOf(relayDir: string, role: Role): Record<string, string> {
  return JSON.parse(readFileSync(join(relayDir, "mcp", `${role}.json`), "utf8")).mcpServers["ovld-relay"].env;
}

const order = { to: "strategist", subject: "order", body: "take the hill" };

async function readBy(army: SummonedArmy, role: Role): Promise<any[]> {
  const reader = await army.relay(role);
  return (await reader.call("check_inbox")).json;
}

const storedIn = (mail: Mail): any[] => [...mail.journal().next()].filter(({ event }) => event === "stored");

it("the journal says who stored a message: a role's relay, or a command of the person", async () => {
  await using person = makePerson();
  const army = summon(person);
  const overlord = await army.relay("overlord");
  await overlord.call("send_message", order);
  await person.ovld(["send", "strategist", "hello"]);
  expect(await readBy(army, "strategist")).toMatchObject([{ from: "overlord" }, { from: "human" }]);
  expect(storedIn(army.mail)).toMatchObject([
    { by: { program: "relay", role: "overlord", process: expect.stringMatching(`^${overlord.pid}-`) } },
    { by: { program: "command" } },
  ]);
  expect(storedIn(army.mail)[1].by).not.toHaveProperty("role");
});

it("what an agent sends with ovld send is from its role, even if it took its mark away", async () => {
  await using person = makePerson();
  const army = summon(person);
  await person.ovld(["send", "strategist", "do it"], { below: join(army.relayDir, "mcp/storm.json") });
  expect(await readBy(army, "strategist")).toMatchObject([{ from: "storm" }]);
});

const ORDER_OF_COMMAND = `[command]
overlord = ["strategist"]
strategist = ["overlord", "storm"]
storm = ["strategist", "shadow"]`;

it("mail against the order of command is not stored, and comes back with whom to write to; the person's is never refused", async () => {
  await using person = makePerson();
  const army = summon(person, ORDER_OF_COMMAND);
  mkdirSync(dirname(person.configFile), { recursive: true });
  writeFileSync(person.configFile, ORDER_OF_COMMAND);
  const storm = await army.relay("storm");
  const letter = { subject: "report", body: "the hill is taken" };
  const refused = await storm.call("send_message", { ...letter, to: "overlord", status: "done" });
  expect(refused).toMatchObject({
    isError: true,
    text: "Not stored. storm may not write to overlord here; write to strategist or shadow.",
  });
  expect(army.mail.status("storm").status).toBe("idle");
  expect((await storm.call("send_message", { ...letter, to: "strategist" })).text).toBe("stored");
  const sent = await storm.call("broadcast", letter);
  expect(sent.isError).toBe(false);
  expect(sent.json).toMatchObject({ stored: 2 });
  expect(Object.keys(sent.json.notStored)).toEqual(["overlord", "inferno", "glacier"]);
  // A role that is not in the table may write to anybody.
  expect((await (await army.relay("shadow")).call("send_message", { ...letter, to: "overlord" })).text).toBe(
    "stored",
  );
  const agent = { below: join(army.relayDir, "mcp/storm.json") };
  const byCommand = await person.ovld(["send", "overlord", "it is taken"], agent);
  expect([byCommand.code, byCommand.stderr]).toEqual([
    1,
    expect.stringContaining("storm may not write to overlord"),
  ]);
  expect((await person.ovld(["send", "storm", "well done"])).code).toBe(0);
  expect(storedIn(army.mail).map(({ from, to }) => `${from} ${to}`)).toEqual([
    "storm strategist",
    "storm strategist",
    "storm shadow",
    "shadow overlord",
    "human storm",
  ]);
});

it("the story of a message names the process that stored it, and the agent that ran the command", async () => {
  await using person = makePerson();
  const army = summon(person);
  await person.ovld(["send", "strategist", "do it"], { below: join(army.relayDir, "mcp/storm.json") });
  const [{ id, by }] = storedIn(army.mail);
  expect(by).toMatchObject({ program: "command", role: "storm" });
  const { stdout } = await person.ovld(["log", id]);
  const pid = Number.parseInt(by.process, 10);
  expect(stdout).toContain(`sent by the command line, process ${pid}, run by the agent of storm`);
});

it("no role's relay gets another's secrets, and only the owner can read them", async () => {
  await using person = makePerson();
  const { relayDir, secrets } = summon(person);
  expect(new Set(Object.values(secrets)).size).toBe(6);
  for (const role of ROLES) {
    const config = readFileSync(join(relayDir, "mcp", `${role}.json`), "utf8");
    for (const other of ROLES) expect(config.includes(secrets[other])).toBe(other === role);
  }
  for (const file of ["mcp/storm.json", "settings/storm.json"]) {
    expect(statSync(join(relayDir, file)).mode & 0o777).toBe(0o600);
  }
  expect(statSync(relayDir).mode & 0o777).toBe(0o700);
});

it("a dry run shows no secret, and neither log nor status nor doctor does", async () => {
  await using person = makePerson();
  const army = summon(person);
  await (await army.relay("overlord")).call("send_message", order);
  for (const words of [
    ["summon", "--dry-run", "--agent", "practice"],
    ["log", "--json"],
    ["status", "--json"],
    ["doctor"],
  ]) {
    const { stdout, stderr } = await person.ovld(words);
    expect(stdout).not.toBe("");
    for (const secret of Object.values(army.secrets)) expect(stdout + stderr).not.toContain(secret);
  }
  const journal = readFileSync(join(army.relayDir, "journal.jsonl"), "utf8");
  for (const secret of Object.values(army.secrets)) expect(journal).not.toContain(secret);
});

it("a relay's child processes do not get its secrets", async () => {
  await using person = makePerson();
  const { relayDir, secrets } = summon(person);
  const probe = join(person.sandbox.root, "probe.cjs");
  // Stands for any child of a relay: prints the environment that it would get.
  writeFileSync(
    probe,
    `process.on("exit", () => require("node:fs").writeFileSync("${probe}.env", JSON.stringify(process.env)));`,
  );
  const env = { ...person.env, ...environmentOf(relayDir, "storm"), NODE_OPTIONS: `--require ${probe}` };
  const child = spawn(process.execPath, [OVLD, "relay"], { env, stdio: ["pipe", "ignore", "ignore"] });
  child.stdin.end();
  await once(child, "exit");
  const handedOn = readFileSync(`${probe}.env`, "utf8");
  expect(handedOn).toContain("OVLD_ROLE");
  expect(handedOn).not.toContain(secrets.storm);
});
