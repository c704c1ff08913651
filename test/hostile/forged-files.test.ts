import { lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openMail } from "../../src/mail/mail.ts";
import { identifyProcess, isProcessAlive } from "../../src/system/process-identity.ts";
import { seatStrategist, startAgent } from "../support/hooked-relay.ts";
import { makePaneLister } from "../support/pane-lister.ts";
import { makePerson } from "../support/person.ts";
import { giveToNobody } from "../support/unprivileged.ts";
import { makeSandbox } from "../support/sandbox.ts";
import { startRelayLookalike, startStandIn } from "../support/stand-in.ts";
import { letter } from "../support/store.ts";
import { makeZellijWorld, type ZellijWorld } from "../support/zellij.ts";
import { soon } from "../support/wait-until.ts";

const LONG_AGO = "1970-01-01T00:00:00.000Z";
const PID_1 = identifyProcess(1) ?? "";

function forgePresence(relayDir: string, presence: { role: string; relay: string; agent?: string }): void {
  mkdirSync(join(relayDir, "presence"), { recursive: true });
  writeFileSync(join(relayDir, "presence", presence.relay), JSON.stringify({ ...presence, since: LONG_AGO }));
}

const isRunning = (pid: number): boolean => identifyProcess(pid) !== undefined;

it("unsummon ends the army's own processes and none that only a forged presence file assigns to it, and says which", async () => {
  await using world = makeZellijWorld({ RECORDER_STUBBORN: "1" });
  await world.ovld("summon", "--detached", "--no-rituals");
  const own = [...(await world.recordings()).values()].flatMap(({ pid, relay }) => [pid, relay]);
  const [asRelay, asAgent, elsewhere] = [
    startStandIn(world.sandbox),
    startStandIn(world.sandbox, ["relay", "--mcp-config", join(world.relayDir("other"), "mcp/storm.json")]),
    startRelayLookalike(world.sandbox, world.relayDir("other"), "storm"),
  ];
  forgePresence(world.relayDir(), { role: "storm", relay: asRelay, agent: asAgent });
  forgePresence(world.relayDir(), { role: "storm", relay: elsewhere });
  const { code, stdout } = await world.ovld("unsummon");
  expect(code).toBe(0);
  expect([asRelay, asAgent, elsewhere].filter((each) => !isProcessAlive(each))).toEqual([]);
  expect(own.filter(isRunning)).toEqual([]);
  const [, told = ""] = /Left alone: processes ([\d, ]+)\./.exec(stdout) ?? [];
  const pids = [asRelay, asAgent, elsewhere].map((each) => `${Number.parseInt(each, 10)}`);
  expect(new Set(told.split(", "))).toEqual(new Set(pids));
});

it("a forged record of the session's server ends neither that process nor another session", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals");
  await world.zellij("attach", "--create-background", "work");
  await expect.poll(() => world.sessions(), soon).toContain("work");
  const foreign = startStandIn(world.sandbox, ["serve", "--server", "/nowhere/overlord"]);
  for (const server of [foreign, identifyProcess(world.server("work"))]) {
    forgeRecord(world, server);
    await world.ovld("unsummon");
    expect(isProcessAlive(foreign)).toBe(true);
    expect(await world.sessions()).toMatch(/^work \[/);
    await world.ovld("summon", "--detached", "--no-rituals");
  }
});

it("a forged record of the session does not make ovld take another session for the army's, to type there or to end it", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals");
  await world.zellij("attach", "--create-background", "work");
  await expect.poll(() => world.sessions(), soon).toContain("work");
  const record = join(world.relayDir(), "session.json");
  const { server } = JSON.parse(readFileSync(record, "utf8"));
  const forge = (forged: object): void => writeFileSync(record, JSON.stringify(forged));
  forge({ session: "work", socket: stampOf(world, "work"), server: "1-0" });
  // There is no army with this name.
  expect(await world.ovld("unsummon", "--session", "work")).toMatchObject({ code: 5 });
  // No server was started with the name of a session that was renamed.
  const renamed = async (): Promise<string> => {
    // Zellij sometimes loses an action.
    await world.zellij("--session", "work", "action", "rename-session", "play");
    return world.sessions();
  };
  await expect.poll(renamed, soon).toContain("play");
  const socket = stampOf(world, "play");
  forge({ session: "overlord", socket, server });
  await world.ovld("send", "storm", "hold the gate");
  await expect.poll(() => world.typed("storm"), soon).toMatch(/MESSAGE/);
  forge({ session: "overlord", socket, server: "1-0" });
  // The record gives no proof that its own session is the army's either, so that one is left and named.
  const { stdout } = await world.ovld("unsummon");
  expect(stdout).toContain(`Left alone: process ${world.server()}.`);
  expect(stdout).not.toContain("everything it left has been cleaned up");
  expect(await world.sessions()).toMatch(/^play \[/m);
});

/** The same as in `zellij/socket.ts`. */
function stampOf(world: ZellijWorld, session: string): string {
  const found = lstatSync(join(world.env["ZELLIJ_SOCKET_DIR"] ?? "", "contract_version_1", session));
  return `${found.ino}-${found.mtimeMs}`;
}

/** As if the army's session were the other one under a new name. */
function forgeRecord(world: ZellijWorld, server: string | undefined): void {
  const record = join(world.relayDir(), "session.json");
  expect(JSON.parse(readFileSync(record, "utf8")).socket).toBe(stampOf(world, "overlord"));
  writeFileSync(record, JSON.stringify({ session: "overlord", socket: stampOf(world, "work"), server }));
}

it.each([
  ["pid 1", () => PID_1],
  ["a process that is no relay", (...[sandbox]: Forger) => startStandIn(sandbox)],
  [
    "a process that looks like a relay of the role and does not know its secret",
    (...[sandbox]: Forger) => startRelayLookalike(sandbox, sandbox.relayDir, "strategist"),
  ],
])(
  "a forged presence file that names %s as the elder relay does not prevent ringing",
  async (_whose, forge) => {
    await using sandbox = makeSandbox();
    const { agent, mail, posts } = await seatStrategist(sandbox);
    forgePresence(sandbox.relayDir, { role: "strategist", relay: forge(sandbox) });
    await agent.hook("SessionStart");
    mail.deliver(letter);
    await expect.poll(() => posts, soon).not.toEqual([]);
    expect(mail.flag("strategist")).toMatchObject({ ringer: expect.stringMatching(`^${agent.pid}-`) });
  },
);

type Forger = [ReturnType<typeof makeSandbox>];

it("a forged report that calls a relay gone makes no sender type while that relay is alive", async () => {
  await using sandbox = makeSandbox();
  const zellij = makePaneLister(sandbox, ["strategist"]);
  const { agent, mail, posts } = await seatStrategist(sandbox);
  await agent.hook("SessionStart");
  await expect.poll(() => mail.agentReport("strategist")?.state, soon).toBe("idle");
  const sender = await startAgent(sandbox, "overlord", "/nowhere", { OVLD_ZELLIJ: zellij.program });
  const forged = { ...mail.agentReport("strategist"), relay: "1-0", state: "gone", pane: 0 };
  writeFileSync(join(sandbox.relayDir, "agents/strategist.json"), JSON.stringify(forged));
  const { to: _to, from: _from, ...words } = letter;
  const { json } = await sender.call("send_message", { to: "strategist", ...words });
  expect(json).not.toMatchObject({ by: "sender" });
  await expect.poll(() => posts, soon).toHaveLength(1);
  expect(zellij.actions()).toEqual([]);
});

it("a relay replaces a forged report with its own as soon as it looks", async () => {
  await using sandbox = makeSandbox();
  const { agent, mail } = await seatStrategist(sandbox);
  await agent.hook("SessionStart");
  await expect.poll(() => mail.agentReport("strategist")?.state, soon).toBe("idle");
  const limit = { error: "rate_limit", until: "2999-01-01T00:00:00.000Z" };
  const forged = { ...mail.agentReport("strategist"), state: "failed", failure: limit };
  writeFileSync(join(sandbox.relayDir, "agents/strategist.json"), JSON.stringify(forged));
  await expect.poll(() => openMail(sandbox.relayDir).agentReport("strategist")?.state, soon).toBe("idle");
});

it.each([
  ["pid 1", () => PID_1],
  ["a process that is no relay", (...[sandbox]: Forger) => startStandIn(sandbox)],
])(
  "a forged report of %s that claims a usage limit does not silence the army's bells",
  async (_whose, forge) => {
    await using sandbox = makeSandbox();
    const { agent, mail, posts } = await seatStrategist(sandbox);
    await agent.hook("SessionStart");
    await expect.poll(() => mail.agentReport("strategist")?.state, soon).toBe("idle");
    const failure = { error: "rate_limit", until: "2999-01-01T00:00:00.000Z" };
    const forged = {
      ...mail.agentReport("strategist"),
      role: "storm",
      relay: forge(sandbox),
      state: "failed",
    };
    writeFileSync(join(sandbox.relayDir, "agents/storm.json"), JSON.stringify({ ...forged, failure }));
    expect(mail.agentReport("storm")).toMatchObject({ state: "failed", failure });
    mail.deliver(letter);
    await expect.poll(() => posts, soon).not.toEqual([]);
  },
);

it("an unprivileged user recognises its own relay, and does not take pid 1, which it may not inspect, for one", async () => {
  await using person = makePerson();
  const { sandbox } = person;
  const relayDir = person.relayDir();
  person.army();
  const user = giveToNobody(sandbox.root);
  const send = async (): Promise<any> =>
    JSON.parse((await person.ovld(["send", "storm", "hello", "--json"], { user })).stdout);
  forgePresence(relayDir, { role: "storm", relay: PID_1 });
  expect(await send()).toMatchObject({ bell: "no-agent" });
  const relay = startRelayLookalike(sandbox, relayDir, "storm", user);
  forgePresence(relayDir, { role: "storm", relay });
  giveToNobody(sandbox.root);
  expect(await send()).toMatchObject({ bell: "unknown" });
});
