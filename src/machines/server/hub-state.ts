/** What a hub is: where it listens, which armies it serves, and which machine has which roles. Pure. */
import * as z from "zod/mini";
import { ROLES, type Role } from "../../army/roles.ts";
import { isSessionName } from "../../army/words.ts";
import { isPublicKey, makeNkey, readSeed, type Nkey } from "../nkey.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { parseJson } from "../../system/json.ts";
import type { PublicKeys } from "./join-hub.ts";
import type { Membership } from "../membership.ts";
import { HUB_USERS, perUser, type HubUser } from "../carrier/subjects.ts";
import type { ConfiguredArmy } from "./print-config.ts";
import { isIP } from "node:net";
import { isLoopback } from "../carrier/link.ts";

const HUB_FILE_FORMAT = 1;

// All of these become part of the server's configuration, and other machines have written some of them.
const publicKey = z.string().check(z.refine((text) => typeof text === "string" && isPublicKey(text)));
const properName = z.string().check(z.refine((text) => typeof text === "string" && isSessionName(text)));

const nkey = z.object({ seed: z.string(), public: publicKey });
const machineOnHub = z.object({
  /** Public keys; the seeds are only on that machine. */
  keys: z.partialRecord(z.enum(HUB_USERS), publicKey),
  since: z.iso.datetime(),
  /** Until then it has to join; absent once it has. */
  expires: z.optional(z.iso.datetime()),
});
const armyOnHub = z.object({
  /** Makes the army's streams; its seed never leaves the hub's machine. */
  admin: z.object({ seed: z.optional(z.string()), public: publicKey }),
  /** The machine of the hub itself. */
  home: properName,
  machines: z.record(properName, machineOnHub),
});
export const armiesOnHub = z.record(properName, armyOnHub);
const hubFile = z.object({
  format: z.literal(HUB_FILE_FORMAT),
  /** `ADDRESS:PORT`. */
  listen: z.string(),
  tls: z.optional(z.object({ certificate: z.string(), key: z.string(), ca: z.string() })),
  /** The key of the process that supervises the server. */
  keeper: nkey,
  armies: armiesOnHub,
});

export type HubState = z.infer<typeof hubFile>;
export type HubArmy = z.infer<typeof armyOnHub>;
type Seeds = Membership["seeds"];

const anyFormat = z.object({ format: z.int() });

/** The state, or why the text is none that this ovld can read. */
export function parseHubState(text: string): HubState | "newer" | "not-understood" {
  const content = parseJson(text);
  const parsed = hubFile.safeParse(content);
  if (parsed.success) return parsed.data;
  const other = anyFormat.safeParse(content);
  return other.success && other.data.format > HUB_FILE_FORMAT ? "newer" : "not-understood";
}

export function newHub(listen: string, tls: HubState["tls"]): HubState {
  return { format: HUB_FILE_FORMAT, listen, tls, keeper: makeNkey(), armies: {} };
}

/** A change, and the seeds that a machine gets by it; they are in no other place. */
export interface Change {
  state: HubState;
  seeds: Seeds;
}

/** All roles of a new army are at home until they are given to another machine. */
export function addArmy(state: HubState, session: string, home: string, now: Date): Change {
  const keys = perUser(() => makeNkey());
  const added: HubArmy = {
    admin: makeNkey(),
    home,
    machines: { [home]: { keys: perUser((user) => keys[user].public), since: now.toISOString() } },
  };
  return { state: withArmy(state, session, added), seeds: perUser((user) => keys[user].seed) };
}

interface Invitation {
  session: string;
  machine: string;
  roles: Role[];
  now: Date;
  /** Until then the machine has to join. */
  expires: Date;
}

/**
 * Gives roles to a machine, with new keys: a machine that had them before has lost them. Every machine also gets a key
 * for the person.
 */
export function inviteMachine(
  state: HubState,
  { session, machine: name, roles, now, expires }: Invitation,
): Change {
  const found = armyIn(state, session);
  if (found.machines[name] !== undefined) {
    throw new OvldError({ code: "hub-machine-taken", facts: { session, machine: name } });
  }
  return giveKeys(state, session, { name, users: [...roles, "human"], now, expires });
}

/** The machines that have not joined yet, each named by the public key of the person in its join file. */
export function openInvitations({ armies }: HubState): { session: string; key: string }[] {
  return Object.entries(armies).flatMap(([session, { machines }]) =>
    Object.values(machines).flatMap(({ expires, keys }) =>
      expires === undefined || keys.human === undefined ? [] : [{ session, key: keys.human }],
    ),
  );
}

/** `said`: for each invitation, the keys that the machine has made, if it has joined. Undefined if nothing changes. */
export function settleMachines(
  state: HubState,
  said: ReadonlyMap<string, PublicKeys | "none">,
  now: Date,
): HubState | undefined {
  let settled: HubState | undefined;
  for (const [session, army] of Object.entries(state.armies)) {
    const changed = Object.entries(army.machines).flatMap(([machine, { expires, keys, since }]) => {
      const own = said.get(keys.human ?? "");
      if (own === undefined || expires === undefined) return [];
      if (own !== "none" && mayReplace(settled ?? state, keys, own))
        return [[machine, { keys: own, since }] as const];
      return Date.parse(expires) < now.getTime() ? [[machine, { keys: {}, since, expires }] as const] : [];
    });
    if (changed.length === 0) continue;
    const machines = { ...army.machines, ...Object.fromEntries(changed) };
    settled = withArmy(settled ?? state, session, { ...army, machines });
  }
  return settled;
}

/** Keys for the same users, each of them new: a key that occurs twice would keep the server from starting. */
function mayReplace({ keeper, armies }: HubState, keys: PublicKeys, own: PublicKeys): boolean {
  const known = Object.values(armies).flatMap(({ admin, machines }) => [
    admin.public,
    ...Object.values(machines).flatMap((machine) => Object.values(machine.keys)),
  ]);
  const fresh = Object.values(own);
  return (
    HUB_USERS.every((user) => (keys[user] === undefined) === (own[user] === undefined)) &&
    fresh.every((key) => isPublicKey(key)) &&
    new Set([keeper.public, ...known, ...fresh]).size === 1 + new Set(known).size + fresh.length
  );
}

/** Takes all keys from a machine; its roles move back to the hub's machine. */
export function revokeMachine(
  state: HubState,
  { session, machine: name, now }: { session: string; machine: string; now: Date },
): Change {
  const { machines, home } = armyIn(state, session);
  const revoked = machines[name];
  if (revoked === undefined || name === home) {
    const known = Object.keys(machines).filter((each) => each !== home);
    throw new OvldError({ code: "hub-no-machine", facts: { session, machine: name, known } });
  }
  const { [name]: _gone, ...rest } = machines;
  // Also those whose keys have ended with its invitation.
  const users = ROLES.filter((role) => Object.values(rest).every(({ keys }) => keys[role] === undefined));
  const without = withArmy(state, session, { ...armyIn(state, session), machines: rest });
  return giveKeys(without, session, { name: home, users, now });
}

/** The users at home whose seeds are not those that the hub knows, because a command was killed or a file was lost. */
export function lostAtHome({ home, machines }: HubArmy, seeds: Seeds): HubUser[] {
  const known = machines[home]?.keys ?? {};
  return HUB_USERS.filter(
    (user) => known[user] !== undefined && known[user] !== readSeed(seeds[user] ?? "")?.public,
  );
}

/** Gives users at home new keys. */
export function renewAtHome(state: HubState, session: string, users: HubUser[], now: Date): Change {
  return giveKeys(state, session, { name: armyIn(state, session).home, users, now });
}

/** A name for a machine that has none yet. */
export function freeMachineName({ machines }: HubArmy): string {
  const numbers = Array.from({ length: Object.keys(machines).length + 1 }, (_none, index) => index + 2);
  return (
    numbers.map((number) => `machine-${number}`).find((name) => machines[name] === undefined) ?? "machine"
  );
}

export function armyIn(state: HubState, session: string): HubArmy {
  const found = state.armies[session];
  if (found === undefined) throw new OvldError({ code: "hub-no-army", facts: { session } });
  return found;
}

export function rolesOf(army: HubArmy, name: string): Role[] {
  return ROLES.filter((role) => army.machines[name]?.keys[role] !== undefined);
}

/** The keys that the server has to accept. */
export function configuredArmies(state: HubState): ConfiguredArmy[] {
  return Object.entries(state.armies).map(([session, { admin, machines }]) => ({
    session,
    admin: admin.public,
    users: perUser((user) => Object.values(machines).flatMap(({ keys }) => keys[user] ?? [])),
  }));
}

function giveKeys(
  state: HubState,
  session: string,
  { name, users, now, expires }: { name: string; users: HubUser[]; now: Date; expires?: Date },
): Change {
  const found = armyIn(state, session);
  const fresh = users.map((user): [HubUser, Nkey] => [user, makeNkey()]);
  const kept = Object.entries(found.machines).map(([each, { keys, ...rest }]) => {
    const left = Object.entries(keys).filter(
      ([user]) => user === "human" || !users.some((taken) => taken === user),
    );
    return [each, { keys: Object.fromEntries(left), ...rest }] as const;
  });
  const machines: HubArmy["machines"] = Object.fromEntries(kept);
  const given = Object.fromEntries(fresh.map(([user, key]) => [user, key.public]));
  const before = machines[name];
  machines[name] = {
    keys: { ...before?.keys, ...given },
    since: before?.since ?? now.toISOString(),
    ...(expires && { expires: expires.toISOString() }),
  };
  const seeds: Seeds = Object.fromEntries(fresh.map(([user, key]) => [user, key.seed]));
  return { state: withArmy(state, session, { ...found, machines }), seeds };
}

function withArmy(state: HubState, session: string, changed: HubArmy): HubState {
  return { ...state, armies: { ...state.armies, [session]: changed } };
}

export const DEFAULT_LISTEN = "127.0.0.1:4222";

export interface Place {
  host: string;
  port: number;
  /** Nobody on another machine can connect. */
  isLoopback: boolean;
}

/** `ADDRESS`, `ADDRESS:PORT` or `[ADDRESS]:PORT`. */
export function parseListen(listen: string): Place {
  const parts = /^(?:\[(?<six>[0-9a-fA-F:]+)\]|(?<host>[A-Za-z0-9.-]+))(?::(?<port>\d{1,5}))?$/.exec(
    listen,
  )?.groups;
  const host = parts?.["six"] ?? parts?.["host"];
  const port = Number(parts?.["port"] ?? "4222");
  if (host === undefined || port < 1 || port > 65_535 || (parts?.["six"] !== undefined && isIP(host) !== 6)) {
    throw new OvldError({ code: "hub-address", facts: { listen } });
  }
  return {
    host,
    port,
    isLoopback: isLoopback(host),
  };
}

export function printPlace({ host, port }: Pick<Place, "host" | "port">): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

const EVERYWHERE = new Set(["0.0.0.0", "::"]);

/** How this machine itself reaches the hub. */
export function localAddress(listen: string): string {
  const place = parseListen(listen);
  return printPlace(EVERYWHERE.has(place.host) ? { ...place, host: "127.0.0.1" } : place);
}

/** How other machines reach it; `interfaces` are this machine's own addresses. */
export function outsideAddresses(listen: string, interfaces: readonly string[]): string[] {
  const place = parseListen(listen);
  if (!EVERYWHERE.has(place.host)) return [printPlace(place)];
  return interfaces.map((host) => printPlace({ ...place, host }));
}
