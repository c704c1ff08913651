/** The settings in force. A flag wins over these, then the environment, the configuration file, and the default. */
import { isAbsolute, join } from "node:path";
import * as z from "zod/mini";
import type { Expectation } from "../army/errors.ts";
import type { OrderOfCommand } from "../army/command.ts";
import { RECIPIENTS, ROLES, SPENDERS, type Role } from "../army/roles.ts";
import {
  AGENT_NAMES,
  DEFAULT_AGENT,
  DEFAULT_SESSION,
  isSessionName,
  LANGUAGES,
  MOST_MAIL,
  USUAL_BRAKE,
  type MailLimits,
} from "../army/words.ts";
import { lazily } from "../system/async.ts";
import { OvldError } from "../system/ovld-error.ts";
import { readOwnFile } from "../system/read-file.ts";
import type { Environment } from "../system/run-program.ts";
import { parseConfig, type Kind } from "./config-file.ts";
import { absolutePath, configFilePath } from "./folders.ts";
import { readLimits, WAKES } from "./relay-settings.ts";

export type Settings = ReturnType<typeof parseSettings>;

/** Throws at the first error in the file or in the environment. */
export function readSettings(env: Environment): Settings {
  const path = configFilePath(env);
  return parseSettings(env, readOwnFile(path) ?? "", path);
}

/** If the file has an error, the settings without it, and the error; for commands that are needed in that situation. */
export function readSettingsOrDefaults(env: Environment): { settings: Settings; problem?: OvldError } {
  try {
    return { settings: readSettings(env) };
  } catch (problem) {
    if (!(problem instanceof OvldError)) throw problem;
    return { settings: parseSettings(env), problem };
  }
}

/** How an agent is started, apart from what ovld itself needs. */
export interface AgentWishes {
  model?: string | undefined;
  permissionMode?: string | undefined;
  args?: string[] | undefined;
}

type Shown = string | number | boolean | string[] | undefined;

/**
 * Each setting is stated once: its name in the file, what it may be, its default, and what the environment says. What
 * they mean is in `configNotes` of the texts.
 */
export function parseSettings(env: Environment, content = "", file = "config.toml") {
  const config = parseConfig(file, content);
  /** Each setting by its name in the file, for the person to see where it came from. */
  const found: Record<string, { value: Shown; source: "environment" | "file" | "default" }> = {};
  const setting = <Value extends Shown, Usual extends Shown>(
    name: string,
    kind: Kind<Value>,
    usual: Usual,
    inEnv?: Value,
  ): Value | Usual => {
    const inFile = config.read(name, kind);
    const value = inEnv ?? inFile ?? usual;
    const source = inEnv !== undefined ? "environment" : inFile !== undefined ? "file" : "default";
    found[name] = { value, source };
    return value;
  };
  const wishesIn = (table: string): AgentWishes => ({
    model: config.read(`${table}.model`, TEXT),
    permissionMode: config.read(`${table}.permission_mode`, TEXT),
    args: config.read(`${table}.args`, TEXTS),
  });
  const limits = readLimits(env);
  const limit = (name: string, key: keyof MailLimits): number =>
    setting(name, within(1, MOST_MAIL[key]), MOST_MAIL[key], limits[key]);
  const path = atHome(
    env,
    text("a path", (written) => isAbsolute(written) || written.startsWith("~/")),
  );
  // In the order in which a person sees them.
  const settings = {
    session: setting("session", SESSION, DEFAULT_SESSION, fromEnv(env, "OVLD_SESSION", SESSION)),
    agent: setting("agent", AGENT, DEFAULT_AGENT, fromEnv(env, "OVLD_AGENT", AGENT, "claude or practice")),
    wake: setting("wake", WAKE, "auto", fromEnv(env, "OVLD_WAKE", WAKE, "auto or pane")),
    /** What the file says; a flag and the environment win over it. */
    language: config.read("language", oneOf(LANGUAGES)),
    /** The Zellij to use; undefined to search for one. */
    zellij: setting("zellij", path, undefined, pathFromEnv(env, "OVLD_ZELLIJ")),
    /** The agent programs to run, where the person has named one; otherwise they are looked for. */
    programs: {
      claude: setting("agents.claude.program", atHome(env, TEXT), undefined),
      practice: undefined,
    },
    agentsMayUnsummon: setting("agents.may_unsummon", SWITCH, false),
    /** What the file says about agents, for each role; its own table wins over the one for all. */
    wishes: new Map(
      ROLES.map((role) => [role, joinWishes(wishesIn("agents.claude"), wishesIn(`roles.${role}`))]),
    ),
    bell: {
      carry: setting("bell.carry", SWITCH, true),
    },
    brake: {
      /** How many messages agents may exchange without doing anything else; 0 for as many as they like. */
      messages: setting("brake.messages", within(0, 1_000), USUAL_BRAKE),
    },
    /** How many tokens may be used, by the army and by each role; undefined for any number. */
    budget: Object.fromEntries(
      SPENDERS.map((spender) => [spender, setting(`budget.${spender}`, within(1, MOST_TOKENS), undefined)]),
    ),
    /** What a million tokens of a model cost. */
    prices: config.read("prices", PRICES),
    desk: {
      answer: setting("desk.answer", SWITCH, true),
      notify: setting("desk.notify", SWITCH, true),
      /** The key of the army's session that opens the status, or "off". */
      key: setting("desk.key", text("a key", isDeskKey), DESK_KEY),
    },
    notify: {
      /** Run instead of a desktop notification, with the text on its stdin. */
      command: setting("notify.command", TEXT, undefined),
    },
    rituals: {
      /** Undefined for the default folder. */
      folder: setting("rituals.folder", path, undefined, pathFromEnv(env, "OVLD_RITUALS")),
      focus: setting("rituals.focus", SWITCH, true),
    },
    // A person may set lower limits than the store's, never higher ones.
    limits: {
      unreadPerInbox: limit("limits.unread_per_inbox", "unreadPerInbox"),
      bodyBytes: limit("limits.body_bytes", "bodyBytes"),
      journalMegabytes: limit("limits.journal_mb", "journalMegabytes"),
    },
    trees: {
      on: setting("trees.on", SWITCH, false),
      /** The command that has to pass before anything lands, and for how many minutes it may run. */
      check: setting("trees.check", TEXT, undefined),
      checkMinutes: setting("trees.check_minutes", within(1, 1_440), 30),
      setup: setting("trees.setup", TEXT, undefined),
      /** The folder for the trees; undefined for the usual one. */
      folder: setting("trees.folder", path, undefined),
      intoMine: setting("trees.into_mine", SWITCH, false),
    },
    command: {
      order: new Map(
        ROLES.flatMap((role) => {
          const others = setting(`command.${role}`, RECIPIENT_LIST, undefined);
          return others === undefined ? [] : [[role, others]];
        }),
      ) satisfies OrderOfCommand,
      readOnly: setting("command.read_only", ROLE_LIST, new Array<Role>()),
    },
    archive: {
      /** How long an ended army is kept; 0 keeps nothing. */
      days: setting("archive.days", within(0, 3_650), 30),
    },
    hub: {
      replicas: setting("hub.replicas", oneOf([1, 3]), 1),
      url: setting("hub.url", ADDRESSES, undefined),
      creds: setting("hub.creds", path, undefined),
      ca: setting("hub.ca", path, undefined),
    },
    found,
  };
  config.refuseUnknown();
  return settings;
}

function joinWishes(all: AgentWishes, own: AgentWishes): AgentWishes {
  return {
    model: own.model ?? all.model,
    permissionMode: own.permissionMode ?? all.permissionMode,
    args: [...(all.args ?? []), ...(own.args ?? [])],
  };
}

function text(expected: Expectation, fits: (written: string) => boolean): Kind<string> {
  return { expected, read: (value) => (typeof value === "string" && fits(value) ? value : undefined) };
}

function oneOf<const Choice extends string | number>(choices: readonly Choice[]): Kind<Choice> {
  const read = (value: unknown): Choice | undefined => choices.find((choice) => choice === value);
  return { expected: "one of these", choices: choices.map(String), read };
}

function listOf<Value>(each: Kind<Value>): Kind<Value[]> {
  const read = (value: unknown): Value[] | undefined => {
    const all = Array.isArray(value) ? value.map(each.read) : [undefined];
    return all.every((one) => one !== undefined) ? all : undefined;
  };
  return { expected: "a list of texts", each, read };
}

/** A whole number. */
function within(least: number, most: number): Kind<number> {
  const fits = (value: unknown): value is number =>
    typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;
  return {
    expected: "a number in this range",
    choices: [`${least}–${most}`],
    read: (value) => (fits(value) ? value : undefined),
  };
}

const TEXT = text("a text", (written) => written.trim() !== "");
const TEXTS = listOf(text("a text", () => true));
const ROLE_LIST = listOf(oneOf(ROLES));
const RECIPIENT_LIST = listOf(oneOf(RECIPIENTS));
/** One or several. */
const ADDRESSES: Kind<string[]> = {
  expected: "a text",
  read: (value) => {
    const all = [value].flat().map(TEXT.read);
    return all.every((each) => each !== undefined) ? all : undefined;
  },
};
const MOST_TOKENS = 1e15;

/** Of a million tokens that a model reads anew, reads from its cache, and writes. */
export type Price = Record<"input" | "cached" | "output", number>;

const PRICES: Kind<Record<string, Price>> = {
  expected: "prices of models",
  read: (value) => z.record(z.string(), priceOfModel()).safeParse(value).data,
};

const priceOfModel = lazily(() => {
  const price = z.number().check(z.nonnegative());
  return z.strictObject({ input: price, cached: price, output: price });
});

const SWITCH: Kind<boolean> = {
  expected: "true or false",
  read: (value) => (typeof value === "boolean" ? value : undefined),
};
const SESSION = text("a session name", isSessionName);
const AGENT = oneOf(AGENT_NAMES);
const WAKE = oneOf(WAKES);

/** A path may begin with `~/`. */
function atHome(env: Environment, { expected, read }: Kind<string>): Kind<string> {
  const expand = (path: string | undefined): string | undefined =>
    path?.startsWith("~/") ? join(absolutePath(env, "HOME"), path.slice("~/".length)) : path;
  return { expected, read: (value) => expand(read(value)) };
}

function fromEnv<Value>(
  env: Environment,
  variable: string,
  kind: Kind<Value>,
  expected = kind.expected,
): Value | undefined {
  const value = env[variable];
  if (!value) return undefined;
  const read = kind.read(value);
  if (read === undefined) throw new OvldError({ code: "env-wrong", facts: { variable, value, expected } });
  return read;
}

function pathFromEnv(env: Environment, variable: string): string | undefined {
  return env[variable] ? absolutePath(env, variable) : undefined;
}

/** Opens `ovld status --watch` in an army's session, as Zellij spells keys. Neither Zellij nor Claude Code uses it. */
const DESK_KEY = "Alt s";

/** In place of a key: there is none. */
export const NO_KEY = "off";

const LETTER_KEY = /^(?:(?:Ctrl|Alt|Super) )+(?:Shift )?[a-z0-9]$/;
const FUNCTION_KEY = /^(?:(?:Ctrl|Alt|Super|Shift) )*F(?:[1-9]|1[0-2])$/;

/** A letter or digit with Ctrl, Alt or Super, or a function key. A key alone would be missing when the person types. */
export function isDeskKey(written: string): boolean {
  return written === NO_KEY || LETTER_KEY.test(written) || FUNCTION_KEY.test(written);
}
