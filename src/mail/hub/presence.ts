/**
 * Which machine a role is on, and how it is: each relay says so on the board every few seconds and when something
 * changes, and the hub removes it when it has not been said for a while. So no clocks are compared.
 *
 * A role is on one machine only. Before a relay speaks for its role over a new connection, it looks whether another
 * machine does; then it stays silent and looks again later.
 */
import type { Role } from "../../army/roles.ts";
import { oneAtATime } from "../../system/one-at-a-time.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { parseJson } from "../../system/parse-json.ts";
import { roleNews, type RoleNews } from "../away.ts";
import { readBoard, writeBoard } from "./board.ts";
import type { Link } from "./link.ts";
import { HUB_FORMAT } from "./membership.ts";

const SAY_EVERY_MS = 5_000;
/** The hub removes what was said about a role after this long. */
export const HEARD_FOR_SECONDS = 15;

export function parseNews(text: string): RoleNews | undefined {
  const parsed = roleNews().safeParse(parseJson(text));
  return parsed.success ? parsed.data : undefined;
}

/** Undefined if no relay of the role has been heard lately. */
export async function readPresence(link: Link, role: Role): Promise<RoleNews | undefined> {
  const text = await readBoard(link, "presence", role);
  return text === undefined ? undefined : parseNews(text);
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
  let isLooking = false;

  async function beat(): Promise<void> {
    if (link.up() === undefined || isLooking) return;
    isLooking = true;
    try {
      if (!isOurs) {
        const found = await readPresence(link, role);
        refusal = findRival(role, found, instance);
        if (refusal !== undefined || link.up() === undefined) return;
        isOurs = true;
      }
      await say();
      onOurs();
    } finally {
      isLooking = false;
    }
  }

  // The army may just be ending: what cannot be said now is said with the next beat, or never.
  const tryBeat = (): void => void beat().catch(() => {});

  async function say(): Promise<void> {
    last = JSON.stringify(describe());
    await writeBoard(link, { kind: "presence", user: role, text: last, ttlSeconds: HEARD_FOR_SECONDS });
  }

  link.onUp(() => {
    // During the break another machine may have taken the role.
    isOurs = false;
    tryBeat();
  });
  tryBeat();
  const repeat = setInterval(tryBeat, SAY_EVERY_MS).unref();
  return {
    look: oneAtATime(async () => {
      if (isOurs && JSON.stringify(describe()) !== last) await say();
    }),
    refusal: () => refusal,
    isOurs: () => isOurs,
    close: () => clearInterval(repeat),
  };
}
