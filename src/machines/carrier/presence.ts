/**
 * Which machine a role is on, and how it is: each relay says so on the board every few seconds and when something
 * changes, and the hub removes it when it has not been said for a while. So no clocks are compared.
 *
 * A role is on one machine only. Before a relay speaks for its role over a new connection, it looks whether another
 * machine does; then it stays silent and looks again later. What it says replaces only what it has seen, so of two
 * machines that begin at the same moment, or after one was frozen for a while, only one speaks for the role.
 */
import type { Role } from "../../army/roles.ts";
import { oneAtATime } from "../../system/async.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { parseJson } from "../../system/json.ts";
import { roleNews, type RoleNews } from "../../mail/records/away.ts";
import { readBoard, readHubClock, writeBoard, type BoardValue } from "./board.ts";
import type { Link } from "./link.ts";
import { HUB_FORMAT } from "../membership.ts";
import type { HubUser } from "./subjects.ts";

/** Two relays of one role on one machine write in turn. */
const MOST_TRIES = 3;
/** The hub removes what was said about a role after this long. */
export const HEARD_FOR_SECONDS = 15;
/** The clocks of a cluster's servers may differ a little. */
const STALE_MS = 2 * HEARD_FOR_SECONDS * 1_000;

export function parseNews(text: string): RoleNews | undefined {
  const parsed = roleNews().safeParse(parseJson(text));
  return parsed.success ? parsed.data : undefined;
}

/** Undefined if no relay of the role has been heard lately. `user` is the one whose link it is. */
export async function readPresence(link: Link, role: Role, user: HubUser): Promise<RoleNews | undefined> {
  const found = await readBoard(link, "presence", role);
  return found && (await newsIn(link, user, found));
}

async function newsIn(link: Link, user: HubUser, value: BoardValue): Promise<RoleNews | undefined> {
  return value.text === "" ? undefined : believe(value, await readHubClock(link, user));
}

/** What was said too long ago does not count, should the hub have failed to remove it. Both times are the hub's. */
export function believe(
  { text, at }: Pick<BoardValue, "text" | "at">,
  now: number | undefined,
): RoleNews | undefined {
  return now !== undefined && now - at > STALE_MS ? undefined : parseNews(text);
}

/** Why a role cannot be on this machine now; undefined if it can. */
export function findRival(role: Role, news: RoleNews | undefined, instance: string): OvldError | undefined {
  if (news === undefined || news.instance === instance) return undefined;
  const machine = `${news.machine} (${news.host})`;
  return new OvldError({ code: "hub-role-taken", facts: { role, machine } });
}

/** Throws if a machine with a newer ovld says something that this one may not understand. */
export function requireKnownFormat({ format, machine }: Pick<RoleNews, "format" | "machine">): void {
  if (format > HUB_FORMAT) {
    throw new OvldError({ code: "hub-newer", facts: { machine, found: format, known: HUB_FORMAT } });
  }
}

export interface Presence {
  /** Something may have changed. */
  look: () => void;
  /** Why the role cannot be on this machine; undefined if it can, or that is not known yet. */
  refusal: () => OvldError | undefined;
  /** Whether this machine speaks for the role. */
  isOurs: () => boolean;
  close: () => void;
}

export interface Present {
  role: Role;
  link: Link;
  instance: string;
  describe: () => RoleNews;
  /** This machine may now speak for the role. */
  onOurs: () => void;
}

export function keepPresent({ role, link, instance, describe, onOurs }: Present): Presence {
  let isOurs = false;
  let refusal: OvldError | undefined;
  let last = "";
  /** The number of what the board says about the role; undefined if it has to be looked at first. */
  let seen: number | undefined;

  const beat = oneAtATime(async () => {
    if (link.up() !== undefined && (await say())) onOurs();
  });

  /** Whether this machine speaks for the role. */
  async function say(): Promise<boolean> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      seen ??= await lookForRival();
      if (seen === undefined) break;
      const text = JSON.stringify(describe());
      const told = {
        kind: "presence",
        user: role,
        text,
        ttlSeconds: HEARD_FOR_SECONDS,
        after: seen,
      } as const;
      const written = await writeBoard(link, told);
      seen = typeof written === "number" ? written : undefined;
      if (typeof written === "number") [isOurs, last] = [true, text];
      if (written !== "changed") break;
    }
    return isOurs;
  }

  /** The number of what the board says; undefined if another machine has the role, or the hub does not say. */
  async function lookForRival(): Promise<number | undefined> {
    const found = await readBoard(link, "presence", role);
    if (found === undefined) return undefined;
    refusal = findRival(role, await newsIn(link, role, found), instance);
    if (refusal === undefined) return found.revision;
    isOurs = false;
    return undefined;
  }

  link.onUp(() => {
    // During the break another machine may have taken the role.
    isOurs = false;
    seen = undefined;
    beat();
  });
  beat();
  const repeat = setInterval(beat, 5_000).unref();
  return {
    look() {
      // A hub that was silent is asked again soon; a machine that has the role, with the next beat.
      const isDue = isOurs ? JSON.stringify(describe()) !== last : refusal === undefined;
      if (isDue) beat();
    },
    refusal: () => refusal,
    isOurs: () => isOurs,
    close: () => clearInterval(repeat),
  };
}
