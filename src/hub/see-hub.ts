/** What is known about the hub of this machine right now. Changes nothing. */
import * as z from "zod/mini";
import { ROLES, type Role } from "../army/roles.ts";
import { ask, openLink, type Link } from "../mail/hub/link.ts";
import { parseJson } from "../system/parse-json.ts";
import { freeBytes, requireHub, type HubFiles } from "./hub-files.ts";
import { localAddress } from "./hub-place.ts";
import { rolesOf, type HubArmy } from "./hub-state.ts";
import { readKeeping, type KeeperReport } from "./keeper-report.ts";
import { findServerProcess } from "./server-process.ts";

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
  unread: Record<Role, number | null>;
}

export async function seeHub(files: HubFiles): Promise<HubView> {
  const state = requireHub(files);
  const { listen, tls, keeper } = state;
  const server = findServerProcess(files) ?? null;
  const servers = [localAddress(listen)];
  const link = openLink({ servers, ca: tls?.ca, seed: keeper.seed, name: "ovld hub status" });
  try {
    const answers = server !== null && (await link.whenUp(ANSWER_MS)) !== undefined;
    const armies: ArmyOnHub[] = [];
    for (const [session, army] of Object.entries(state.armies)) {
      const admin = openLink({ servers, ca: tls?.ca, seed: army.admin.seed, name: "ovld hub status" });
      if (answers) await admin.whenUp(ANSWER_MS);
      armies.push(await seeArmy(session, army, admin));
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
      armies,
    };
  } finally {
    await link.close();
  }
}

async function seeArmy(session: string, army: HubArmy, admin: Link): Promise<ArmyOnHub> {
  const counts = await Promise.all(
    ROLES.map(async (role) => [role, await countUnread(admin, role)] as const),
  );
  const unread = (role: Role): number | null => counts.find(([each]) => each === role)?.[1] ?? null;
  return {
    session,
    machines: Object.entries(army.machines).map(([machine, { since }]) => ({
      machine,
      isHub: machine === army.home,
      roles: rolesOf(army, machine),
      since,
    })),
    unread: {
      overlord: unread("overlord"),
      strategist: unread("strategist"),
      inferno: unread("inferno"),
      glacier: unread("glacier"),
      shadow: unread("shadow"),
      storm: unread("storm"),
    },
  };
}

const streamInfo = z.object({ state: z.object({ messages: z.int() }) });

async function countUnread(admin: Link, role: Role): Promise<number | null> {
  const got = await ask(admin, `$JS.API.STREAM.INFO.INBOX_${role}`, { withinMs: ANSWER_MS });
  const parsed = "message" in got ? streamInfo.safeParse(parseJson(got.message.string())) : undefined;
  return parsed?.success ? parsed.data.state.messages : null;
}
