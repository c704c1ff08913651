/** Reads what `ovld relay` needs from its environment, and checks it before anything else happens. */
import { statSync } from "node:fs";
import { MOST_MAIL, USUAL_BRAKE, type MailLimits, isSessionName } from "../army/words.ts";
import { isRole, SPENDERS, type Spender } from "../army/roles.ts";
import { OvldError } from "../system/ovld-error.ts";
import type { Expectation } from "../army/errors.ts";
import type { Environment } from "../system/run-program.ts";
import { absolutePath, requiredVariable, insightFolder } from "./folders.ts";
import { tryTo } from "../system/file-error.ts";

/** Set in the configurations that `summon` writes, so a relay that has them was started by an agent of the army. */
export const SUMMONED = {
  secret: "OVLD_SECRET",
  zellij: "OVLD_ZELLIJ",
  wake: "OVLD_WAKE",
  focus: "OVLD_RITUAL_FOCUS",
  carry: "OVLD_BELL_CARRY",
  answer: "OVLD_DESK_ANSWER",
  notify: "OVLD_DESK_NOTIFY",
  notifyCommand: "OVLD_NOTIFY_COMMAND",
  brake: "OVLD_BRAKE",
  budget: "OVLD_BUDGET",
  command: "OVLD_COMMAND",
} as const;

/** The file with this machine's keys for an army on several machines. */
export const PART_VARIABLE = "OVLD_HUB";

/** How a role may be rung: by every available way, or only by typing. */
export const WAKES = ["auto", "pane"] as const;

export type Wake = (typeof WAKES)[number];

export type RelaySettings = ReturnType<typeof readRelaySettings>;

export function readRelaySettings(env: Environment, cwd: () => string) {
  const role = requiredVariable(env, "OVLD_ROLE");
  if (!isRole(role)) throw wrong("OVLD_ROLE", role, "a role");
  const relayDir = absolutePath(env, "OVLD_RELAY_DIR");
  if (!isFolderOrFree(relayDir)) throw wrong("OVLD_RELAY_DIR", relayDir, "a folder");
  const session = requiredVariable(env, "OVLD_SESSION");
  if (!isSessionName(session)) throw wrong("OVLD_SESSION", session, "a session name");
  return {
    role,
    session,
    relayDir,
    limits: { ...MOST_MAIL, ...readLimits(env) },
    /** Where the army keeps its notes on this project. */
    insightDir: insightFolder(env, cwd),
    /** This machine's file for an army on several machines; undefined for an army on one. */
    partFile: env[PART_VARIABLE] ? absolutePath(env, PART_VARIABLE) : undefined,
    /** Undefined for a relay that was started by hand. */
    summoned: readSummoned(env),
  };
}

/** What a relay of a summoned army knows in addition. */
export type Summoned = NonNullable<ReturnType<typeof readSummoned>>;

function readSummoned(env: Environment) {
  const secret = env[SUMMONED.secret];
  const zellij = env[SUMMONED.zellij];
  if (!secret || !zellij) return undefined;
  const isOn = (variable: string): boolean => env[variable] !== "off";
  return {
    /** This role's own secret: it proves that a hook call comes from its agent's hooks, and not from its model. */
    secret,
    zellij,
    wake: WAKES.find((wake) => wake === env[SUMMONED.wake]) ?? "auto",
    /** Whether giving a ritual moves the person's view to the pane. */
    focus: isOn(SUMMONED.focus),
    carry: isOn(SUMMONED.carry),
    answer: isOn(SUMMONED.answer),
    notify: isOn(SUMMONED.notify),
    /** The person's own command for that, if they have one. */
    ...(env[SUMMONED.notifyCommand] && { notifyCommand: env[SUMMONED.notifyCommand] }),
    /** After how many messages without any work the brake holds the next; 0 if it is off. */
    brake: /^\d{1,4}$/.test(env[SUMMONED.brake] ?? "") ? Number(env[SUMMONED.brake]) : USUAL_BRAKE,
    /** How many tokens the army and its roles may use, for a relay that cannot read the army's record. */
    ...(env[SUMMONED.budget] && { budget: readBudget(env[SUMMONED.budget]) }),
    /** Who may write to whom, as `army/command.ts` reads it. */
    command: env[SUMMONED.command] ?? "",
  };
}

export function readBudget(text = ""): Partial<Record<Spender, number>> {
  const limits = new Map(text.split(",").map((part) => [part.split("=")[0], Number(part.split("=")[1])]));
  return Object.fromEntries(SPENDERS.flatMap((each) => (limits.get(each) ? [[each, limits.get(each)]] : [])));
}

function isFolderOrFree(path: string): boolean {
  return tryTo(() => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? true) ?? false;
}

function wrong(variable: string, value: string, expected: Expectation): OvldError {
  return new OvldError({ code: "env-wrong", facts: { variable, value, expected } });
}

/** Carries limits, set by `summon` for an army's relays or by the person. */
export const LIMITS_VARIABLE = "OVLD_LIMITS";

const LIMIT_WORDS = new Map<string, keyof MailLimits>([
  ["unread", "unreadPerInbox"],
  ["body", "bodyBytes"],
  ["journal", "journalMegabytes"],
]);

export function formatLimits(limits: MailLimits): string {
  return [...LIMIT_WORDS].map(([word, name]) => `${word}=${limits[name]}`).join(",");
}

/** The limits it sets; empty if it is not set. */
export function readLimits(env: Environment): Partial<MailLimits> {
  const value = env[LIMITS_VARIABLE] ?? "";
  const limits: Partial<MailLimits> = {};
  for (const part of value === "" ? [] : value.split(",")) {
    const [, word = "", digits] = /^(\w+)=(\d+)$/.exec(part.trim()) ?? [];
    const name = LIMIT_WORDS.get(word);
    const number = Number(digits);
    if (name === undefined || number < 1 || number > MOST_MAIL[name])
      throw wrong(LIMITS_VARIABLE, value, "limits");
    limits[name] = number;
  }
  return limits;
}
