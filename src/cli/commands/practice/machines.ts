/**
 * `ovld practice --machines`: the same campaign, with its roles on several "machines" of this computer. Each has a home
 * folder, a configuration, keys and Zellij sessions of its own, and only the hub on this computer's loopback connects
 * them. Each is set up and ended by ovld's own commands, as a person would do it on separate computers.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { environmentForArmy } from "../../../agent/army-process.ts";
import { ROLES, type Role } from "../../../army/roles.ts";
import { type CommandContext, sayLine } from "../../../command/command-context.ts";
import { configFilePath } from "../../../config/folders.ts";
import { type Environment, runProgram } from "../../../system/run-program.ts";
import { freePort } from "../../../system/free-port.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import { openMail, type Mail } from "../../../mail/mail.ts";
import { armyOf } from "../../../summon/army.ts";
import { originOf } from "../../../person/find-runner.ts";
import { waitUntil } from "../../../system/async.ts";
import { deliverWish, reportCampaign } from "./campaign.ts";

interface PracticeMachine {
  name: string;
  roles: Role[];
  env: Environment;
}

export async function runOnMachines(
  context: CommandContext,
  wanted: { session: string; count: number; wish: string; patienceMs: number },
): Promise<number> {
  const { session, count, wish, patienceMs } = wanted;
  const { stop, json } = context;
  const texts = context.texts.practice;
  if (!json) sayLine(context, texts.opening(session, wish));
  const root = mkdtempSync(join(tmpdir(), "ovld-"));
  const first = makeMachine(context, root, 0, count);
  const rest = Array.from({ length: count - 1 }, (_none, index) =>
    makeMachine(context, root, index + 1, count),
  );
  const machines = [first, ...rest];
  const named = ["--session", session];
  try {
    const listen = `127.0.0.1:${await freePort()}`;
    await run(context, first, ["hub", "start", ...named, "--listen", listen]);
    for (const machine of rest) {
      const invite = ["hub", "invite", ...named, "--machine", machine.name, ...machine.roles];
      const file = join(root, `${machine.name}.join`);
      writeFileSync(file, await run(context, first, invite), { mode: 0o600 });
      await run(context, machine, ["join", file]);
    }
    if (!json)
      for (const { name, roles } of machines) sayLine(context, texts.machine(name, roles.join(", ")));
    const summoning = ["summon", ...named, "--agent", "practice", "--detached", "--no-rituals", "--fresh"];
    await Promise.all(machines.map((machine) => run(context, machine, summoning)));
    const army = await armyOf({ env: first.env, stop }, session);
    const mail = openMail(army.relayDir, { origin: originOf(first.env) });
    await waitForOthers(mail, stop);
    const practice = { context, army, mail, wish, began: context.now(), patienceMs };
    deliverWish(practice);
    return await reportCampaign(practice);
  } finally {
    const patiently = { ...context, stop: new AbortController().signal };
    const ending = ["unsummon", ...named, "--yes", "--force", "--forget"];
    await Promise.all(machines.map((machine) => run(patiently, machine, ending).catch(() => {})));
    await run(patiently, first, ["hub", "stop"]).catch(() => {});
    rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** The machines are called a, b, c and so on. Roles that are neighbours stay together. */
function makeMachine({ env }: CommandContext, root: string, index: number, count: number): PracticeMachine {
  const name = "abcdef".charAt(index);
  const roles = ROLES.filter((_role, place) => Math.floor((place * count) / ROLES.length) === index);
  const home = join(root, name);
  const sockets = join(home, "z");
  mkdirSync(sockets, { recursive: true, mode: 0o700 });
  const cache = env["XDG_CACHE_HOME"] ?? join(env["HOME"] ?? root, ".cache");
  const { XDG_CONFIG_HOME: _theirs, ...inherited } = environmentForArmy(env);
  const own = { ...inherited, HOME: home, ZELLIJ_SOCKET_DIR: sockets, XDG_CACHE_HOME: cache };
  const [before, after] = [configFilePath(env), configFilePath(own)];
  mkdirSync(dirname(after), { recursive: true, mode: 0o700 });
  if (existsSync(before)) copyFileSync(before, after);
  return { name, roles, env: own };
}

/** Building a nats-server takes a while. */
const STEP_MS = 300_000;

/** What the command printed; throws what it said if it failed. */
async function run(
  { ovld, cwd, stop, texts }: CommandContext,
  { name, env }: PracticeMachine,
  args: string[],
): Promise<string> {
  const words = [ovld.file, ...args, "--lang", texts.language];
  const how = { env, cwd, stop, deadlineMs: STEP_MS };
  const { code, stdout, stderr } = await runProgram(ovld.node, words, how);
  if (code === 0) return stdout;
  stop.throwIfAborted();
  const said = stderr.trim() || stdout.trim();
  throw new OvldError({ code: "machine-failed", facts: { machine: name, command: args.join(" "), said } });
}

/** Until then, what happens on other machines would not be seen here. */
async function waitForOthers(mail: Mail, stop: AbortSignal): Promise<void> {
  const here = mail.army()?.roles ?? [];
  const missing = (): Role[] => ROLES.filter((role) => !here.includes(role) && mail.away(role) === undefined);
  if (await waitUntil(() => missing().length === 0, { everyMs: 100, withinMs: 60_000, stop })) return;
  stop.throwIfAborted();
  const said = missing().join(", ");
  throw new OvldError({ code: "machine-failed", facts: { machine: "a", command: "summon", said } });
}
