import { readFileSync, statSync, writeFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, it } from "vitest";
import { planArmyFiles, writeArmyFiles } from "../../src/agent/army-files.ts";
import { practice } from "../../src/agent/practice/practice.ts";
import { ROLES, type Role } from "../../src/army/roles.ts";
import type { Mail } from "../../src/mail/mail.ts";
import { makeSecrets, readSecrets, type RoleSecrets } from "../../src/mail/secrets.ts";
import { seatStrategist, wordsOf } from "../support/hooked-relay.ts";
import { OVLD } from "../support/ovld.ts";
import { makePerson, type Person } from "../support/person.ts";
import { makeSandbox } from "../support/sandbox.ts";
import { startRelay, type RelayClient } from "../support/relay.ts";
import { letter } from "../support/store.ts";
import { programPath } from "../support/program-path.ts";

interface SummonedArmy {
  mail: Mail;
  secrets: RoleSecrets;
  relayDir: string;
  /** The relay that the role's own configuration starts. */
  relay: (role: Role) => Promise<RelayClient>;
}

/** An army as `summon` creates it, except for its session. */
function summon(person: Person, secrets = makeSecrets()): SummonedArmy {
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
    wake: "auto",
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
const readIn = (mail: Mail): any[] => [...mail.journal().next()].filter(({ event }) => event === "read");

it("mail through its sender's own relay and mail from the person are not marked; the journal says who stored it", async () => {
  await using person = makePerson();
  const army = summon(person);
  const overlord = await army.relay("overlord");
  await overlord.call("send_message", order);
  expect((await person.ovld(["send", "strategist", "hello"])).stdout).not.toContain("unverified");
  const read = await readBy(army, "strategist");
  expect(read).toMatchObject([{ from: "overlord" }, { from: "human" }]);
  for (const message of read) expect(message).not.toHaveProperty("unverified");
  expect(storedIn(army.mail)).toMatchObject([
    { by: { program: "relay", role: "overlord", process: expect.stringMatching(`^${overlord.pid}-`) } },
    { by: { program: "command" } },
  ]);
  expect(storedIn(army.mail)[1].by).not.toHaveProperty("role");
  expect(JSON.stringify([...army.mail.journal().next()])).not.toContain("unverified");
});

type Intruder = [
  how: string,
  intrude: (person: Person, army: SummonedArmy) => Promise<unknown>,
  as: object,
  isHonest: boolean,
];

const INTRUDERS: Intruder[] = [
  [
    "a relay that was started under another's name",
    async (person, { relayDir }) => {
      const env = { OVLD_RELAY_DIR: relayDir };
      await (await startRelay(person.sandbox, "overlord", { env })).call("send_message", order);
    },
    { from: "overlord" },
    true,
  ],
  [
    "a relay with the secret of another role",
    async (person, { relayDir }) => {
      const env = { ...environmentOf(relayDir, "storm"), OVLD_ROLE: "overlord" };
      await (await startRelay(person.sandbox, "overlord", { env })).call("send_message", order);
    },
    { from: "overlord" },
    false,
  ],
  [
    "a relay with its whole configuration, started by another role's agent",
    async (person, { relayDir }) => {
      const env = environmentOf(relayDir, "overlord");
      const prefix = [
        process.execPath,
        programPath("run-below.mjs"),
        "--mcp-config",
        join(relayDir, "mcp/storm.json"),
      ];
      await (await startRelay(person.sandbox, "overlord", { env, prefix })).call("send_message", order);
    },
    { from: "overlord" },
    true,
  ],
  [
    "ovld send, run by an agent",
    async (person) => {
      const run = await person.ovld(["send", "strategist", "do it"], { env: { CLAUDECODE: "1" } });
      expect(run.stdout).toContain("is unverified");
    },
    { from: "human" },
    true,
  ],
  [
    "ovld send, run by an agent that took its mark away",
    (person, { relayDir }) =>
      person.ovld(["send", "strategist", "do it"], { below: join(relayDir, "mcp/storm.json") }),
    { from: "storm" },
    true,
  ],
  [
    "a file put directly into the inbox",
    async (_person, { relayDir }) => {
      const message = { ...letter, timestamp: new Date().toISOString(), seal: "made up" };
      writeFileSync(join(relayDir, "inbox/strategist/0mwhgow9k000-ij3jyo.json"), JSON.stringify(message));
    },
    { from: letter.from },
    false,
  ],
];

it.each(INTRUDERS)(
  "mail that came by %s is marked as unverified to its reader and in the log",
  async (_how, intrude, as, isHonest) => {
    await using person = makePerson();
    const army = summon(person);
    await intrude(person, army);
    expect(await readBy(army, "strategist")).toMatchObject([{ ...as, unverified: true }]);
    await expect.poll(() => readIn(army.mail)).toMatchObject([{ unverified: true }]);
    const { stdout } = await person.ovld(["log"]);
    expect(stdout).toMatch(/read +strategist +\[unverified\]/);
    // A relay that lies to its reader need not tell the journal the truth.
    expect(/stored .*→ strategist +\[unverified\]/.test(stdout)).toBe(isHonest);
  },
);

it("the story of a message names the process that stored it, and the agent that ran the command", async () => {
  await using person = makePerson();
  const army = summon(person);
  await person.ovld(["send", "strategist", "do it"], { below: join(army.relayDir, "mcp/storm.json") });
  const [{ id, by }] = storedIn(army.mail);
  expect(by).toMatchObject({ program: "command", role: "storm" });
  const { stdout } = await person.ovld(["log", id]);
  const pid = Number.parseInt(by.process, 10);
  expect(stdout).toContain(`stored by the command line, process ${pid}, run by the agent of storm`);
});

it("a message that was altered, or copied to another name or inbox, is unverified", async () => {
  await using person = makePerson();
  const army = summon(person);
  await (await army.relay("overlord")).call("send_message", order);
  const [{ id }] = storedIn(army.mail);
  const inbox = join(army.relayDir, "inbox/strategist");
  const text = readFileSync(join(inbox, `${id}.json`), "utf8");
  writeFileSync(join(inbox, "zzzzzzzzz000-aaaaaa.json"), text);
  writeFileSync(join(inbox, `${id}.json`), text.replace("take", "burn"));
  writeFileSync(
    join(army.relayDir, `inbox/storm/${id}.json`),
    text.replace('"to":"strategist"', '"to":"storm"'),
  );
  expect(await readBy(army, "strategist")).toMatchObject([{ unverified: true }, { unverified: true }]);
  expect(await readBy(army, "storm")).toMatchObject([{ unverified: true }]);
});

it("mail that outlived its session is still verified in the next one, which keeps the secrets", async () => {
  await using person = makePerson();
  const before = summon(person);
  await (await before.relay("overlord")).call("send_message", order);
  before.mail.cleanUp({ keepMail: true });
  const kept = readSecrets(before.relayDir);
  expect(kept).toEqual(before.secrets);
  const [message] = await readBy(summon(person, kept), "strategist");
  expect(message).not.toHaveProperty("unverified");
  before.mail.cleanUp();
  expect(readSecrets(before.relayDir)).toBeUndefined();
});

it("no role's relay gets another's secrets, and only the owner can read them", async () => {
  await using person = makePerson();
  const { relayDir, secrets } = summon(person);
  expect(new Set(Object.values(secrets)).size).toBe(6);
  for (const role of ROLES) {
    const config = readFileSync(join(relayDir, "mcp", `${role}.json`), "utf8");
    for (const other of ROLES) expect(config.includes(secrets[other])).toBe(other === role);
  }
  for (const file of ["secrets.json", "mcp/storm.json", "settings/storm.json"]) {
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
  expect(handedOn).not.toContain("OVLD_KEYS");
});

it("carried mail has the mark as well", async () => {
  await using sandbox = makeSandbox();
  const { agent, mail, posts } = await seatStrategist(sandbox, { OVLD_KEYS: "overlord:key" });
  await agent.hook("SessionStart");
  mail.deliver(letter);
  await expect.poll(() => posts.join(""), { timeout: 20_000 }).toContain(letter.body);
  expect(wordsOf(posts[0])).toContain('"unverified":true');
});
