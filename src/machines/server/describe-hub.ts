/** What is known about the hub of this machine right now, and what is wrong with it. Changes nothing. */
import { statSync } from "node:fs";
import * as z from "zod/mini";
import { ROLES, type Role } from "../../army/roles.ts";
import type { Environment } from "../../system/run-program.ts";
import type { HubFinding } from "../../i18n/en/machines.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { parseJson } from "../../system/json.ts";
import { ask, openLink, type Link } from "../carrier/link.ts";
import { OLDEST_SERVER, inboxStream } from "../carrier/subjects.ts";
import { findServer } from "./find-server.ts";
import { freeBytes, requireHub, type HubFiles } from "./hub-files.ts";
import { localAddress, rolesOf, type HubArmy } from "./hub-state.ts";
import { LEAST_FREE } from "./keep-server.ts";
import { readKeeping, type KeeperReport, findServerProcess } from "./server-process.ts";

const ANSWER_MS = 2_000;

export interface HubView {
  listen: string;
  hasTls: boolean;
  /** The process of its server; null if it is not running. */
  server: string | null;
  /** Whether its server answers this machine, and what it says otherwise. */
  answers: boolean;
  problem: string | null;
  /** What the process that supervises the server reports; null if there is none. */
  keeper: KeeperReport | null;
  freeBytes: number;
  armies: ArmyOnHub[];
}

export interface ArmyOnHub {
  session: string;
  machines: { machine: string; isHub: boolean; roles: Role[]; since: string }[];
  /** Unread mail of each role; null if the server does not say. */
  unread: Partial<Record<Role, number | null>>;
}

export async function describeHub(files: HubFiles): Promise<HubView> {
  const { listen, tls, keeper, armies } = requireHub(files);
  const server = findServerProcess(files) ?? null;
  const open = (seed: string): Link =>
    openLink({ servers: [localAddress(listen)], ca: tls?.ca, seed, name: "ovld hub status" });
  const link = open(keeper.seed);
  try {
    const answers = server !== null && (await link.whenUp(ANSWER_MS)) !== undefined;
    const described: ArmyOnHub[] = [];
    for (const [session, army] of Object.entries(armies)) {
      const admin = open(army.admin.seed ?? "");
      if (answers) await admin.whenUp(ANSWER_MS);
      described.push(await describeArmy(session, army, admin));
      await admin.close();
    }
    return {
      listen,
      hasTls: tls !== undefined,
      server,
      answers,
      problem: answers ? null : (link.down()?.why ?? null),
      keeper: readKeeping(files) ?? null,
      freeBytes: freeBytes(files),
      armies: described,
    };
  } finally {
    await link.close();
  }
}

/** `admin` may look into the army's streams. */
export async function describeArmy(session: string, army: HubArmy, admin: Link): Promise<ArmyOnHub> {
  const unread = await Promise.all(
    ROLES.map(async (role) => [role, await countUnread(admin, role)] as const),
  );
  return {
    session,
    machines: Object.entries(army.machines).map(([machine, { since }]) => ({
      machine,
      isHub: machine === army.home,
      roles: rolesOf(army, machine),
      since,
    })),
    unread: Object.fromEntries(unread),
  };
}

const streamInfo = z.object({ state: z.object({ messages: z.int() }) });

async function countUnread(admin: Link, role: Role): Promise<number | null> {
  const got = await ask(admin, `$JS.API.STREAM.INFO.${inboxStream(role)}`, { withinMs: ANSWER_MS });
  const parsed = "message" in got ? streamInfo.safeParse(parseJson(got.message.string())) : undefined;
  return parsed?.success ? parsed.data.state.messages : null;
}

/** With less than this the person should do something soon. */
const LITTLE_FREE = 8 * LEAST_FREE;
const START = "ovld hub start";

/** For `ovld hub doctor`. */
export async function examineHub(files: HubFiles, env: Environment): Promise<HubFinding[]> {
  const findings: HubFinding[] = [await examineServer(env)];
  const { server, answers, keeper, listen, hasTls, problem, freeBytes: free } = await describeHub(files);
  if (server === null) findings.push({ verdict: "wrong", code: "not-running", facts: {}, fix: START });
  else if (answers) findings.push({ verdict: "good", code: "answers", facts: { listen } });
  else findings.push({ verdict: "wrong", code: "silent", facts: { listen, reason: problem ?? "" } });
  if (keeper === null && server !== null) {
    findings.push({ verdict: "wrong", code: "not-kept", facts: {}, fix: START });
  } else if (keeper !== null) {
    const { isWell, restarts, lastRestart } = keeper;
    findings.push(
      isWell
        ? { verdict: "good", code: "stores", facts: { restarts } }
        : { verdict: "wrong", code: "does-not-store", facts: {} },
    );
    if (lastRestart !== null) findings.push({ verdict: "note", code: "restarted", facts: lastRestart });
  }
  const megabytes = Math.floor(free / 1024 ** 2);
  findings.push({
    verdict: free < LEAST_FREE ? "wrong" : free < LITTLE_FREE ? "note" : "good",
    code: "disk",
    facts: { megabytes, folder: files.store },
  });
  if (!hasTls) findings.push({ verdict: "wrong", code: "no-tls", facts: { listen }, fix: START });
  if ((statSync(files.state).mode & 0o077) !== 0) {
    findings.push({
      verdict: "wrong",
      code: "readable",
      facts: { path: files.state },
      fix: `chmod 600 ${files.state}`,
    });
  }
  return findings;
}

async function examineServer(env: Environment): Promise<HubFinding> {
  try {
    const server = await findServer(env);
    if (server !== undefined) return { verdict: "good", code: "server", facts: server };
    return { verdict: "wrong", code: "no-server", facts: { oldest: OLDEST_SERVER }, fix: START };
  } catch (error) {
    if (!(error instanceof OvldError)) throw error;
    return { verdict: "wrong", code: "no-server", facts: { oldest: OLDEST_SERVER } };
  }
}
