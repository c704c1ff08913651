/** What is known about the hub of this machine right now, and what is wrong with it. Changes nothing. */
import { statSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { ROLES, type Role } from "../../army/roles.ts";
import type { Environment } from "../../system/run-program.ts";
import type { HubFinding } from "../../i18n/en/machines.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { parseJson } from "../../system/json.ts";
import { askHub, openLink, type Link } from "../carrier/link.ts";
import { OLDEST_SERVER, inboxStream } from "../carrier/subjects.ts";
import { testAccess, type Access } from "../carrier/test-access.ts";
import type { Membership } from "../membership.ts";
import { listNotes, readForeignArmies, readLogin, type ForeignHub } from "./foreign-hub.ts";
import { findNatsServer } from "./nats-server.ts";
import { freeBytes, requireHub, type HubFiles } from "./hub-files.ts";
import { rolesOf, type HubArmy, type HubState } from "./hub-state.ts";
import { findServerProcess, LEAST_FREE, linkToHub, readKeeping } from "./keep-server.ts";

const ANSWER_MS = 2_000;

export interface ArmyOnHub {
  session: string;
  machines: { machine: string; isHub: boolean; roles: Role[]; since: string }[];
  /** Unread mail of each role; null if the server does not say. */
  unread: Partial<Record<Role, number | null>>;
}

export async function describeHub(files: HubFiles) {
  const state = requireHub(files);
  const { listen, keeper } = state;
  const server = findServerProcess(files) ?? null;
  await using link = linkToHub(state, keeper.seed, "ovld hub status");
  const answers = server !== null && (await link.whenUp(ANSWER_MS)) !== undefined;
  const open = ({ admin }: HubArmy) => linkToHub(state, admin.seed, "ovld hub status");
  const { armies } = await describeArmies(state.armies, answers ? ANSWER_MS : 0, open);
  return {
    listen,
    /** The process of its server; null if it is not running. */
    server,
    /** Whether its server answers this machine, and what it says otherwise. */
    answers,
    problem: answers ? null : (link.down()?.why ?? null),
    /** What the process that supervises the server reports; null if there is none. */
    keeper: readKeeping(files) ?? null,
    freeBytes: freeBytes(files),
    armies,
  };
}

/** What waits for the armies on a server that somebody else runs. */
export async function describeForeign({ servers, ca, creds }: ForeignHub, files: HubFiles) {
  const open = (_army: HubArmy, session: string): Link => {
    const { seed = "", jwt } = readLogin(join(creds, session), "post") ?? {};
    return openLink({ servers, ca, seed, jwt, name: "ovld hub status" });
  };
  const { armies, problem } = await describeArmies(readForeignArmies(files), ANSWER_MS, open);
  return { foreign: true, servers, answers: problem === null, problem, armies };
}

/** `open` connects as somebody who may look into an army's streams. `problem`: why the server does not answer. */
async function describeArmies(
  armies: HubState["armies"],
  withinMs: number,
  open: (army: HubArmy, session: string) => Link,
): Promise<{ armies: ArmyOnHub[]; problem: string | null }> {
  let problem: string | null = null;
  const described: ArmyOnHub[] = [];
  for (const [session, army] of Object.entries(armies)) {
    await using admin = open(army, session);
    if ((await admin.whenUp(withinMs)) === undefined) problem = admin.down()?.why ?? "";
    const unread = await Promise.all(
      ROLES.map(async (role) => [role, await countUnread(admin, role)] as const),
    );
    const machines = Object.entries(army.machines).map(([machine, { since }]) => {
      return { machine, isHub: machine === army.home, roles: rolesOf(army, machine), since };
    });
    described.push({ session, machines, unread: Object.fromEntries(unread) });
  }
  return { armies: described, problem };
}

const streamInfo = z.object({ state: z.object({ messages: z.int() }) });

async function countUnread(admin: Link, role: Role): Promise<number | null> {
  const got = await askHub(admin, `$JS.API.STREAM.INFO.${inboxStream(role)}`, { withinMs: ANSWER_MS });
  const parsed = "message" in got ? streamInfo.safeParse(parseJson(got.message.string())) : undefined;
  return parsed?.success ? parsed.data.state.messages : null;
}

/** With less than this the person should do something soon. */
const LITTLE_FREE = 8 * LEAST_FREE;
const START = "ovld hub start";

/** For `ovld hub doctor`. */
export async function examineHub(files: HubFiles, env: Environment): Promise<HubFinding[]> {
  const { server, answers, keeper, listen, problem, freeBytes: free } = await describeHub(files);
  const findings: HubFinding[] = [await examineServer(env)];
  if (server === null) findings.push({ verdict: "wrong", code: "not-running", facts: {}, fix: START });
  else if (answers) findings.push({ verdict: "good", code: "answers", facts: { listen } });
  else findings.push({ verdict: "wrong", code: "silent", facts: { listen, reason: problem ?? "" } });
  if (keeper?.isWell)
    findings.push({ verdict: "good", code: "stores", facts: { restarts: keeper.restarts } });
  else if (keeper) findings.push({ verdict: "wrong", code: "does-not-store", facts: {} });
  else if (server !== null) findings.push({ verdict: "wrong", code: "not-kept", facts: {}, fix: START });
  if (keeper?.lastRestart) findings.push({ verdict: "note", code: "restarted", facts: keeper.lastRestart });
  const facts = { megabytes: Math.floor(free / 1024 ** 2), folder: files.store };
  const verdict = free < LEAST_FREE ? "wrong" : free < LITTLE_FREE ? "note" : "good";
  findings.push({ verdict, code: "disk", facts });
  const path = files.state;
  if ((statSync(path).mode & 0o077) !== 0)
    findings.push({ verdict: "wrong", code: "readable", facts: { path }, fix: `chmod 600 ${path}` });
  return findings;
}

async function examineServer(env: Environment): Promise<HubFinding> {
  const none = { verdict: "wrong", code: "no-server", facts: { oldest: OLDEST_SERVER } } as const;
  try {
    const server = await findNatsServer(env);
    return server ? { verdict: "good", code: "server", facts: server } : { ...none, fix: START };
  } catch (error) {
    if (error instanceof OvldError) return none;
    throw error;
  }
}

/** The same for a server that somebody else runs, with the keys that this machine has for it. */
export async function examineForeign(
  { servers, ca }: Pick<Membership, "servers" | "ca">,
  logins: Access["logins"],
  now: Date,
): Promise<HubFinding[]> {
  const { problem, version = "" } = await testAccess({ servers, ca, logins, now });
  if (problem?.code === "hub-unfit")
    return [{ verdict: "wrong", code: "foreign-unfit", facts: problem.facts }];
  return [
    { verdict: "good", code: "foreign-fit", facts: { servers: servers.join(", "), version } },
    ...listNotes(servers, logins, now),
  ];
}
