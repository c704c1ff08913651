import { existsSync, mkdirSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openMail } from "../../src/mail/mail.ts";
import { CONFIGURATIONS, ENVIRONMENTS, FOLDERS, NAMES } from "../support/people.ts";
import { OVLD } from "../support/ovld.ts";
import { letter } from "../support/store.ts";
import { openTerminal } from "../support/terminal.ts";
import { waitUntil } from "../support/wait-until.ts";
import { makeZellijWorld, type ZellijWorld } from "../support/zellij.ts";

interface Person {
  config: string;
  env: Readonly<Record<string, string>>;
  folder: string;
  name: string;
}

const PATIENCE = { timeout: 120_000, interval: 50 };

function promptsOf(world: ZellijWorld): string[] {
  return world
    .record()
    .flatMap(({ role, event, prompt = "" }) => (event === "submitted" ? [`${role}: ${prompt}`] : []));
}

/** Summons an army, gives a ritual, rings, and ends the army, and checks each. */
async function commandArmy({ config, env, folder, name }: Person): Promise<void> {
  await using world = makeZellijWorld({ OVLD_WAKE: "pane", ...env });
  const { root, home } = world.sandbox;
  mkdirSync(join(home, ".config/zellij"), { recursive: true });
  writeFileSync(join(home, ".config/zellij/config.kdl"), `${config}\n`);
  const project = join(root, folder);
  mkdirSync(project);
  const army = ["--session", name];
  const ovld = (...words: string[]) => world.ovldIn(project, ...words, ...army);
  const command = [OVLD, "summon", "--agent", "practice", "--no-rituals", ...army];
  const terminal = openTerminal(world.sandbox, world.env, project, [process.execPath, ...command]);
  const relayDir = world.relayDir(name === "overlord" ? undefined : name);
  const mail = openMail(relayDir);
  await waitUntil("the agent is idle", () => mail.agentReport("glacier")?.state === "idle", PATIENCE);
  const agent = Number.parseInt(mail.agentReport("glacier")?.agent ?? "", 10);
  expect(readlinkSync(`/proc/${agent}/cwd`)).toBe(project);
  expect(JSON.parse((await ovld("status", "--json")).stdout)).toMatchObject({
    session: name,
    folder: project,
  });
  expect(await ovld("rituals", "give", "glacier")).toMatchObject({ code: 0, stderr: "" });
  mail.deliver({ ...letter, from: "human", to: "glacier" });
  await waitUntil("the mail is read", () => mail.countUnread("glacier") === 0, PATIENCE);
  expect(promptsOf(world)).toEqual([
    expect.stringMatching(/^glacier: #/),
    expect.stringMatching(/^glacier: \[MESSAGE from human\] /),
  ]);
  expect(await ovld("unsummon", "--yes")).toMatchObject({ code: 0, stderr: "" });
  expect(await terminal.exited).toBe(0);
  expect(await world.sessions()).toBe("");
  expect([existsSync(relayDir), readdirSync(project)]).toEqual([false, []]);
}

it("whatever a person's Zellij, environment, folder and army's name: the army is summoned, given its rituals, rung and ended without a trace", async () => {
  const failures: string[] = [];
  const cases = CONFIGURATIONS.map(([what, config], index): [string, Person] => {
    const env = ENVIRONMENTS[index % ENVIRONMENTS.length] ?? {};
    const folder = FOLDERS[index % FOLDERS.length] ?? "";
    const name = NAMES[index % NAMES.length] ?? "";
    const label = `${what}, ${JSON.stringify(env)}, ${folder}, ${name}`;
    return [label, { config, env, folder, name }];
  });
  const work = async (): Promise<void> => {
    for (let next = cases.shift(); next !== undefined; next = cases.shift()) {
      const [label, person] = next;
      await commandArmy(person).catch((error: unknown) => failures.push(`${label}: ${String(error)}`));
    }
  };
  await Promise.all([work(), work(), work()]);
  expect(failures).toEqual([]);
}, 600_000);
