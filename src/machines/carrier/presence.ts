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
import { parseJson } from "../../system/json.ts";
import type { ErrorReport } from "../../system/ovld-error.ts";
import { roleNews, type RoleNews } from "../../mail/records/away.ts";
import { readBoard, readHubClock, writeBoard, type BoardValue } from "./board.ts";
import { LOOK_EVERY_MS, type Link } from "./link.ts";
import { HUB_FORMAT } from "../membership.ts";
import type { HubUser } from "./subjects.ts";

const SAY_EVERY_MS = 5_000;
/** Two relays of one role on one machine write in turn. */
const MOST_TRIES = 3;
/** The hub removes what was said about a role after this long. */
export const HEARD_FOR_SECONDS = 15;
/** The clocks of a cluster's servers may differ a little. */
const STALE_MS = 2 * HEARD_FOR_SECONDS * 1_000;

export function parseNews(text: string): RoleNews | undefined {
  return roleNews().safeParse(parseJson(text)).data;
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
export function findRival(role: Role, news: RoleNews | undefined, instance: string): ErrorReport | undefined {
  if (news === undefined || news.instance === instance) return undefined;
  return { code: "hub-role-taken", facts: { role, machine: `${news.machine} (${news.host})` } };
}

/** Why this ovld may not understand what a machine says; undefined if it does. */
export function findNewerFormat(
  news: Pick<RoleNews, "format" | "machine"> | undefined,
): ErrorReport | undefined {
  if (news === undefined || news.format <= HUB_FORMAT) return undefined;
  const { machine, format } = news;
  return { code: "hub-newer", facts: { machine, found: format, known: HUB_FORMAT } };
}

export interface Present {
  role: Role;
  link: Link;
  instance: string;
  describe: () => RoleNews;
  /** This machine may now speak for the role. */
  onOurs: () => void;
  /** Called once whenever another machine turns out to have the role. */
  onRefused?: (report: ErrorReport) => void;
}

export type PresenceKeeper = ReturnType<typeof keepPresent>;

export function keepPresent({ role, link, instance, describe, onOurs, onRefused }: Present) {
  let isOurs = false;
  let refusal: ErrorReport | undefined;
  const last = { text: "", at: -Infinity };
  /** The number of what the board says about the role; undefined if it has to be looked at first. */
  let seen: number | undefined;

  const beat = oneAtATime(async () => {
    if (link.up() === undefined) return;
    last.at = performance.now();
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      seen ??= await lookForRival();
      if (seen === undefined) break;
      const text = JSON.stringify(describe());
      const said = { kind: "presence", user: role, text, after: seen } as const;
      const written = await writeBoard(link, { ...said, ttlSeconds: HEARD_FOR_SECONDS });
      seen = typeof written === "number" ? written : undefined;
      if (seen !== undefined) [isOurs, last.text] = [true, text];
      if (written !== "changed") break;
    }
    if (isOurs) onOurs();
  });

  /** The number of what the board says; undefined if another machine has the role, or the hub does not say. */
  async function lookForRival(): Promise<number | undefined> {
    const found = await readBoard(link, "presence", role);
    if (found === undefined) return undefined;
    const wasRefused = refusal !== undefined;
    refusal = findRival(role, await newsIn(link, role, found), instance);
    if (refusal === undefined) return found.revision;
    if (!wasRefused) onRefused?.(refusal);
    isOurs = false;
    return undefined;
  }

  link.onUp(() => {
    // During the break another machine may have taken the role.
    isOurs = false;
    seen = undefined;
    beat();
  });
  /** Something may have changed. A hub that was silent is asked again soon; a machine that has the role, later. */
  function look(): void {
    const isNews = isOurs ? JSON.stringify(describe()) !== last.text : refusal === undefined;
    if (isNews || performance.now() - last.at >= SAY_EVERY_MS) beat();
  }

  beat();
  const repeat = setInterval(look, LOOK_EVERY_MS).unref();
  return {
    look,
    /** Why the role cannot be on this machine; undefined if it can, or that is not known yet. */
    refusal: () => refusal,
    /** Whether this machine speaks for the role. */
    isOurs: () => isOurs,
    close: () => clearInterval(repeat),
  };
}
