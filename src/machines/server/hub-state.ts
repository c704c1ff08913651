/**
 * What a hub is: where it listens, which armies it serves, and which machine has which roles. Pure. The armies on a
 * server that somebody else runs are described in the same way.
 */
import { isIP } from "node:net";
import * as z from "zod/mini";
import { ROLES, type Role } from "../../army/roles.ts";
import { isSessionName } from "../../army/words.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { parseJson } from "../../system/json.ts";
import type { ArmyUser } from "../carrier/army-accounts.ts";
import { isLoopback } from "../carrier/link.ts";
import { HUB_USERS, perUser, type HubUser } from "../carrier/subjects.ts";
import type { Membership } from "../membership.ts";
import { isPublicKey, makeNkey, readSeed } from "../nkey.ts";

const HUB_FILE_FORMAT = 1;

// All of these become part of the server's configuration, and other machines have written some of them.
const publicKey = z.string().check(z.refine((text) => typeof text === "string" && isPublicKey(text)));
const properName = z.string().check(z.refine((text) => typeof text === "string" && isSessionName(text)));

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
  tls: z.object({ certificate: z.string(), key: z.string(), ca: z.string() }),
  /** The key of the process that supervises the server. */
  keeper: z.object({ seed: z.string(), public: publicKey }),
  armies: armiesOnHub,
});

export type HubState = z.infer<typeof hubFile>;
export type HubArmy = z.infer<typeof armyOnHub>;
export type PublicKeys = HubArmy["machines"][string]["keys"];
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

export function withArmy(state: HubState, session: string, army: HubArmy): HubState {
  return { ...state, armies: { ...state.armies, [session]: army } };
}

export function armyIn({ armies }: Pick<HubState, "armies">, session: string): HubArmy {
  const found = armies[session];
  if (found === undefined) throw new OvldError({ code: "hub-no-army", facts: { session } });
  return found;
}

/** What one machine gets, and when. */
interface Gift {
  machine: string;
  now: Date;
  /** Until then the machine has to join. */
  expires?: Date | undefined;
}

/** Gives keys to a machine: whichever had one of these roles before has lost it. The person may be at all of them. */
export function giveKeys(army: HubArmy, keys: PublicKeys, { machine, now, expires }: Gift): HubArmy {
  const machines = Object.entries(army.machines).map(([name, { keys: had, ...rest }]) => {
    const left = Object.entries(had).filter(([user]) => user === "human" || !Object.hasOwn(keys, user));
    return [name, { keys: Object.fromEntries(left), ...rest }] as const;
  });
  const before = new Map(machines).get(machine);
  const given = {
    keys: { ...before?.keys, ...keys },
    since: before?.since ?? now.toISOString(),
    expires: expires?.toISOString(),
  };
  return { ...army, machines: { ...Object.fromEntries(machines), [machine]: given } };
}

/** A change, and the seeds that a machine gets by it; they are in no other place. */
export interface Change {
  army: HubArmy;
  seeds: Seeds;
}

export function giveNewKeys(army: HubArmy, users: readonly HubUser[], gift: Gift): Change {
  const seeds = makeSeeds(users);
  return { army: giveKeys(army, publicKeysOf(seeds), gift), seeds };
}

export function makeSeeds(users: readonly HubUser[]): Seeds {
  return Object.fromEntries(users.map((user) => [user, makeNkey().seed]));
}

export function publicKeysOf(seeds: Seeds): PublicKeys {
  const keys = Object.entries(seeds).map(([user, seed]) => [user, readSeed(seed)?.public ?? ""] as const);
  return Object.fromEntries(keys);
}

/** All roles of a new army are at home until they are given to another machine. */
export function addArmy(home: string, now: Date): Change {
  return giveNewKeys({ admin: makeNkey(), home, machines: {} }, HUB_USERS, { machine: home, now });
}

/** Takes all keys from a machine; its roles move back to the hub's machine. */
export function revokeMachine(
  army: HubArmy,
  { session, machine, now }: { session: string; machine: string; now: Date },
): Change {
  const { [machine]: revoked, ...machines } = army.machines;
  if (revoked === undefined || machine === army.home) {
    const known = Object.keys(army.machines).filter((each) => each !== army.home);
    throw new OvldError({ code: "hub-no-machine", facts: { session, machine, known } });
  }
  // Also those whose keys have ended with its invitation.
  const roles = ROLES.filter((role) => Object.values(machines).every(({ keys }) => keys[role] === undefined));
  return giveNewKeys({ ...army, machines }, roles, { machine: army.home, now });
}

/** The seeds that are those of the army's home: every machine has a key of the person, each its own. */
export function seedsAtHome({ home, machines }: HubArmy, ...candidates: Seeds[]): Seeds {
  const known = machines[home]?.keys ?? {};
  const kept = candidates.flatMap((seeds) => {
    const keys = publicKeysOf(seeds);
    const users = HUB_USERS.filter((user) => keys[user] !== undefined && keys[user] === known[user]);
    return users.map((user) => [user, seeds[user]] as const);
  });
  return Object.fromEntries(kept);
}

/** The users at home whose seeds are not there, because a command was killed or a file was lost. */
export function lostAtHome(army: HubArmy, seeds: Seeds): HubUser[] {
  const [known, kept] = [army.machines[army.home]?.keys ?? {}, seedsAtHome(army, seeds)];
  return HUB_USERS.filter((user) => known[user] !== undefined && kept[user] === undefined);
}

/** Armies and machines have names of the same form. */
export function requireName(name: string): void {
  if (!isSessionName(name)) throw new OvldError({ code: "session-name-wrong", facts: { name } });
}

/** The name of a machine that is invited: the wish, or one that is free. */
export function nameMachine({ machines }: HubArmy, session: string, wish: string | undefined): string {
  if (wish === undefined) {
    let number = 2;
    while (machines[`machine-${number}`] !== undefined) number += 1;
    return `machine-${number}`;
  }
  requireName(wish);
  if (machines[wish] === undefined) return wish;
  throw new OvldError({ code: "hub-machine-taken", facts: { session, machine: wish } });
}

export function rolesOf(army: HubArmy, name: string): Role[] {
  return ROLES.filter((role) => army.machines[name]?.keys[role] !== undefined);
}

/** The keys that the server has to accept. */
export function keysOf({ admin, machines }: HubArmy): Record<ArmyUser, readonly string[]> {
  const users = perUser((user) => Object.values(machines).flatMap(({ keys }) => keys[user] ?? []));
  return { post: [admin.public], ...users };
}

/** The machines that have not joined yet, each known by the public key of the person in its join file. */
export function openInvitations({ armies }: HubState): { session: string; machine: string; key: string }[] {
  return Object.entries(armies).flatMap(([session, { machines }]) =>
    Object.entries(machines).flatMap(([machine, { expires, keys }]) =>
      expires === undefined || keys.human === undefined ? [] : [{ session, machine, key: keys.human }],
    ),
  );
}

/** `said`: for each invitation, the keys that the machine has made, if it has joined. Undefined if nothing changes. */
export function settleMachines(
  state: HubState,
  said: ReadonlyMap<string, PublicKeys | "none">,
  now: Date,
): HubState | undefined {
  let settled = state;
  for (const { session, machine, key } of openInvitations(state)) {
    const own = said.get(key);
    const army = armyIn(settled, session);
    const { keys = {}, since = "", expires = "" } = army.machines[machine] ?? {};
    const isOver = own !== undefined && Date.parse(expires) < now.getTime();
    const hasJoined = own !== undefined && own !== "none" && mayReplace(settled, keys, own);
    if (!hasJoined && !isOver) continue;
    const changed = hasJoined ? { keys: own, since } : { keys: {}, since, expires };
    settled = withArmy(settled, session, { ...army, machines: { ...army.machines, [machine]: changed } });
  }
  return settled === state ? undefined : settled;
}

/** Keys for the same users, each of them new: a key that occurs twice would keep the server from starting. */
function mayReplace({ keeper, armies }: HubState, keys: PublicKeys, own: PublicKeys): boolean {
  const known = Object.values(armies).flatMap((army) => Object.values(keysOf(army)).flat());
  const fresh = Object.values(own);
  return (
    HUB_USERS.every((user) => (keys[user] === undefined) === (own[user] === undefined)) &&
    fresh.every((key) => isPublicKey(key)) &&
    new Set([keeper.public, ...known, ...fresh]).size === 1 + new Set(known).size + fresh.length
  );
}

export const DEFAULT_LISTEN = "127.0.0.1:4222";

export interface HubAddress {
  host: string;
  port: number;
  /** Nobody on another machine can connect. */
  isLoopback: boolean;
}

const PLACE = /^(?:\[(?<six>[0-9a-fA-F:]+)\]|(?<name>[A-Za-z0-9.-]+))(?::(?<port>\d{1,5}))?$/;

/** `ADDRESS`, `ADDRESS:PORT` or `[ADDRESS]:PORT`; undefined if it is something else. */
export function parseAddress(text: string): HubAddress | undefined {
  const { six, name, port: digits = "4222" } = PLACE.exec(text)?.groups ?? {};
  const [host, port] = [six ?? name, Number(digits)];
  if (host === undefined || port < 1 || port > 65_535 || (six !== undefined && isIP(six) !== 6))
    return undefined;
  return { host, port, isLoopback: isLoopback(host) };
}

export function parseListen(listen: string): HubAddress {
  const place = parseAddress(listen);
  if (place === undefined) throw new OvldError({ code: "hub-address", facts: { listen } });
  return place;
}

export function formatAddress({ host, port }: Pick<HubAddress, "host" | "port">): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

const EVERYWHERE = new Set(["0.0.0.0", "::"]);

/** How this machine itself reaches the hub. */
export function localAddress(listen: string): string {
  return outsideAddresses(listen, ["127.0.0.1"]).join("");
}

/** How other machines reach it; `interfaces` are this machine's own addresses. */
export function outsideAddresses(listen: string, interfaces: readonly string[]): string[] {
  const place = parseListen(listen);
  if (!EVERYWHERE.has(place.host)) return [formatAddress(place)];
  return interfaces.map((host) => formatAddress({ ...place, host }));
}
