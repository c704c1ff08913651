/** What is known about the hub of this machine right now. Changes nothing. */
import * as z from "zod/mini";
import type { Role } from "../../army/roles.ts";
import { findGreeting } from "../carrier/greeting.ts";
import { ask, openLink, type Link } from "../carrier/link.ts";
import { parseJson } from "../../system/json.ts";
import { serverName } from "./cluster.ts";
import { freeBytes, requireHub, type HubFiles } from "./hub-files.ts";
import { localAddress } from "./hub-place.ts";
import { rolesOf, type HubArmy, type HubState } from "./hub-state.ts";
import { readKeeping, type KeeperReport } from "./keeper-report.ts";
import { findServerProcess } from "./server-process.ts";

const ANSWER_MS = 2_000;

export interface HubView {
  listen: string;
  hasTls: boolean;
  /** Each of its servers, if it has three. */
  servers: ServerOfHub[];
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

interface ServerOfHub {
  address: string;
  isHere: boolean;
  answers: boolean;
  /** Of how many inboxes it is the leader; null if that is unknown. */
  leads: number | null;
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
    const leaders: (string | null)[] = [];
    for (const [session, army] of Object.entries(state.armies)) {
      const seed = army.admin.seed ?? "";
      const admin = openLink({ servers, ca: tls?.ca, seed, name: "ovld hub status" });
      // Only the machine of the first server may look into the streams.
      if (answers && seed !== "") await admin.whenUp(ANSWER_MS);
      const inboxes = await seeInboxes(admin);
      leaders.push(...Object.values(inboxes).map(({ leader }) => leader));
      armies.push(describeArmy(session, army, inboxes));
      await admin.close();
    }
    return {
      listen,
      servers: await seeServers(state, leaders),
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

async function seeServers({ cluster }: HubState, leaders: (string | null)[]): Promise<ServerOfHub[]> {
  if (cluster === undefined) return [];
  const isKnown = leaders.some((leader) => leader !== null);
  return Promise.all(
    cluster.servers.map(async (address, index) => ({
      address,
      isHere: index === cluster.own,
      answers: (await findGreeting(address, ANSWER_MS)) === undefined,
      leads: isKnown ? leaders.filter((leader) => leader === serverName(index)).length : null,
    })),
  );
}

interface InboxOnHub {
  unread: number | null;
  /** The server that leads it, if the hub has several. */
  leader: string | null;
}

export async function seeInboxes(admin: Link): Promise<Record<Role, InboxOnHub>> {
  const [overlord, strategist, inferno, glacier, shadow, storm] = await Promise.all([
    seeInbox(admin, "overlord"),
    seeInbox(admin, "strategist"),
    seeInbox(admin, "inferno"),
    seeInbox(admin, "glacier"),
    seeInbox(admin, "shadow"),
    seeInbox(admin, "storm"),
  ]);
  return { overlord, strategist, inferno, glacier, shadow, storm };
}

export function describeArmy(session: string, army: HubArmy, inboxes: Record<Role, InboxOnHub>): ArmyOnHub {
  return {
    session,
    machines: Object.entries(army.machines).map(([machine, { since }]) => ({
      machine,
      isHub: machine === army.home,
      roles: rolesOf(army, machine),
      since,
    })),
    unread: {
      overlord: inboxes.overlord.unread,
      strategist: inboxes.strategist.unread,
      inferno: inboxes.inferno.unread,
      glacier: inboxes.glacier.unread,
      shadow: inboxes.shadow.unread,
      storm: inboxes.storm.unread,
    },
  };
}

const streamInfo = z.object({
  state: z.object({ messages: z.int() }),
  cluster: z.optional(z.object({ leader: z.optional(z.string()) })),
});

async function seeInbox(admin: Link, role: Role): Promise<InboxOnHub> {
  const got = await ask(admin, `$JS.API.STREAM.INFO.INBOX_${role}`, { withinMs: ANSWER_MS });
  const parsed = "message" in got ? streamInfo.safeParse(parseJson(got.message.string())) : undefined;
  if (!parsed?.success) return { unread: null, leader: null };
  return { unread: parsed.data.state.messages, leader: parsed.data.cluster?.leader ?? null };
}
