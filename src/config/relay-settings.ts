/** Reads what `ovld relay` needs from its environment, and checks it before anything else happens. */
import { statSync } from "node:fs";
import { MOST_MAIL, type MailLimits, isSessionName } from "../army/words.ts";
import { isRole, type Role } from "../army/roles.ts";
import { OvldError } from "../system/ovld-error.ts";
import type { Expectation } from "../army/errors.ts";
import type { Environment } from "../system/run-program.ts";
import { absolutePath, requiredVariable, insightFolder } from "./folders.ts";

/** Set in the configurations that `summon` writes, so a relay that has them was started by an agent of the army. */
export const SUMMONED = {
  secret: "OVLD_SECRET",
  zellij: "OVLD_ZELLIJ",
  wake: "OVLD_WAKE",
  focus: "OVLD_RITUAL_FOCUS",
  carry: "OVLD_BELL_CARRY",
  answer: "OVLD_DESK_ANSWER",
  notify: "OVLD_DESK_NOTIFY",
} as const;

/** The file with this machine's keys for an army on several machines. */
export const PART_VARIABLE = "OVLD_HUB";

/** How a role may be rung: by every available way, or only by typing. */
export const WAKES = ["auto", "pane"] as const;

export type Wake = (typeof WAKES)[number];

/** What a relay of a summoned army knows in addition. */
export interface Summoned {
  /** This role's own secret: it proves that a hook call comes from its agent's hooks, and not from its model. */
  secret: string;
  /** The Zellij that runs the session. */
  zellij: string;
  wake: Wake;
  /** Whether giving a ritual moves the person's view to the pane. */
  focus: boolean;
  /** Whether bells carry short mail. */
  carry: boolean;
  /** Whether the person may answer outside the pane what the agent asks. */
  answer: boolean;
  /** Whether the person gets a desktop notification then. */
  notify: boolean;
}

export interface RelaySettings {
  role: Role;
  session: string;
  relayDir: string;
  /** Where the army keeps its notes on this project. */
  insightDir: string;
  limits: MailLimits;
  /** This machine's file for an army on several machines; undefined for an army on one. */
  partFile: string | undefined;
  /** Undefined for a relay that was started by hand. */
  summoned: Summoned | undefined;
}

export function readRelaySettings(env: Environment, cwd: () => string): RelaySettings {
  const role = requiredVariable(env, "OVLD_ROLE");
  if (!isRole(role)) throw wrong("OVLD_ROLE", role, "a role");
  const relayDir = absolutePath(env, "OVLD_RELAY_DIR");
  if (!isFolderOrFree(relayDir)) throw wrong("OVLD_RELAY_DIR", relayDir, "a folder");
  const session = requiredVariable(env, "OVLD_SESSION");
  if (!isSessionName(session)) throw wrong("OVLD_SESSION", session, "a session name");
  const limits = { ...MOST_MAIL, ...readLimits(env) };
  const insightDir = insightFolder(env, cwd);
  const partFile = env[PART_VARIABLE] ? absolutePath(env, PART_VARIABLE) : undefined;
  return { role, session, relayDir, insightDir, limits, partFile, summoned: readSummoned(env) };
}

function readSummoned(env: Environment): Summoned | undefined {
  const secret = env[SUMMONED.secret];
  const zellij = env[SUMMONED.zellij];
  if (!secret || !zellij) return undefined;
  const focus = env[SUMMONED.focus] !== "off";
  const carry = env[SUMMONED.carry] !== "off";
  return {
    secret,
    zellij,
    wake: env[SUMMONED.wake] === "pane" ? "pane" : "auto",
    focus,
    carry,
    answer: env[SUMMONED.answer] !== "off",
    notify: env[SUMMONED.notify] !== "off",
  };
}

function isFolderOrFree(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? true;
  } catch {
    return false;
  }
}

function wrong(variable: string, value: string, expected: Expectation): OvldError {
  return new OvldError({ code: "env-wrong", facts: { variable, value, expected } });
}

/** Carries limits, set by `summon` for an army's relays or by the person. */
export const LIMITS_VARIABLE = "OVLD_LIMITS";

/** The words used in it. */
const NAMES = { unread: "unreadPerInbox", body: "bodyBytes", journal: "journalMegabytes" } as const;

export function formatLimits({ unreadPerInbox, bodyBytes, journalMegabytes }: MailLimits): string {
  return `unread=${unreadPerInbox},body=${bodyBytes},journal=${journalMegabytes}`;
}

/** The limits it sets; empty if it is not set. */
export function readLimits(env: Environment): Partial<MailLimits> {
  const value = env[LIMITS_VARIABLE];
  const limits: Partial<MailLimits> = {};
  for (const part of value ? value.split(",") : []) {
    const [, word, digits] = /^(unread|body|journal)=(\d+)$/.exec(part.trim()) ?? [];
    const name = word === "unread" || word === "body" || word === "journal" ? NAMES[word] : undefined;
    const number = Number(digits);
    if (name === undefined || number < 1 || number > MOST_MAIL[name]) {
      const facts = { variable: LIMITS_VARIABLE, value: value ?? "", expected: "limits" } as const;
      throw new OvldError({ code: "env-wrong", facts });
    }
    limits[name] = number;
  }
  return limits;
}
