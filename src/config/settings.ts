/** The settings in force. A flag wins over these, then the environment, the configuration file, and the default. */
import { join } from "node:path";
import {
  AGENT_NAMES,
  type AgentName,
  DEFAULT_AGENT,
  DEFAULT_SESSION,
  isSessionName,
  MOST_MAIL,
  type MailLimits,
} from "../army/words.ts";
import type { Role } from "../army/roles.ts";
import { OvldError } from "../system/ovld-error.ts";
import type { Expectation } from "../army/errors.ts";
import { readConfigFile, type AgentTable, type ConfigFile, DESK_KEY } from "./config-file.ts";
import type { Environment } from "../system/run-program.ts";
import { absolutePath } from "./folders.ts";
import { readLimits, WAKES, type Wake } from "./relay-settings.ts";

type Source = "environment" | "file" | "default";

/** A setting with the place it comes from. */
interface Found<Value> {
  value: Value;
  source: Source;
}

export interface Settings {
  session: string;
  agent: AgentName;
  wake: Wake;
  /** The Zellij to use; undefined to search for one. */
  zellij: string | undefined;
  bell: {
    /** Whether bells carry short mail. */
    carry: boolean;
  };
  desk: {
    /** Whether the person may answer outside the panes what agents ask. */
    answer: boolean;
    /** Whether the person gets a desktop notification when an agent begins to ask. */
    notify: boolean;
    /** The key of the army's session that opens the status, or "off". */
    key: string;
  };
  rituals: {
    /** Undefined for the default folder. */
    folder: string | undefined;
    /** Whether giving rituals moves the focus from pane to pane. */
    focus: boolean;
  };
  limits: MailLimits;
  archive: {
    /** How long an ended army is kept; 0 keeps nothing. */
    days: number;
  };
  hub: HubSettings;
  /** The agent programs to run, where the person has named one; otherwise they are looked for. */
  programs: Partial<Record<AgentName, string | undefined>>;
  /** Whether an agent may end an army. */
  agentsMayUnsummon: boolean;
  /** Each setting by its name in the file, for the person to see where it came from. */
  found: Readonly<Record<string, Found<string | number | boolean | string[] | undefined>>>;
  file: ConfigFile;
}

/** What the person has decided about hubs. */
export interface HubSettings {
  /** On how many servers each message is kept. */
  replicas: 1 | 3;
  /** A NATS server that somebody else runs, or the servers of one cluster. */
  url: string[] | undefined;
  /** The folder with the keys for it. */
  creds: string | undefined;
  /** The certificate of its authority, if it is a private one. */
  ca: string | undefined;
}

const ARCHIVE_DAYS = 30;

export function readSettings(env: Environment): Settings {
  return combineSettings(env, readConfigFile(env));
}

/** If the file has an error, the settings without it, and the error; for commands that are needed in that situation. */
export function readSettingsOrDefaults(env: Environment): { settings: Settings; problem?: OvldError } {
  try {
    return { settings: readSettings(env) };
  } catch (problem) {
    if (!(problem instanceof OvldError)) throw problem;
    return { settings: combineSettings(env, {}), problem };
  }
}

export function combineSettings(env: Environment, file: ConfigFile): Settings {
  const limits = readLimits(env);
  // In the order in which a person sees them.
  const found = {
    session: first(
      fromEnv(env, "OVLD_SESSION", "a session name", isSessionName),
      file.session,
      DEFAULT_SESSION,
    ),
    agent: first<AgentName>(
      choiceFromEnv(env, "OVLD_AGENT", AGENT_NAMES, "claude or practice"),
      file.agent,
      DEFAULT_AGENT,
    ),
    wake: first<Wake>(choiceFromEnv(env, "OVLD_WAKE", WAKES, "auto or pane"), file.wake, "auto"),
    zellij: first(pathFromEnv(env, "OVLD_ZELLIJ"), atHome(env, file.zellij), undefined),
    "agents.claude.program": first(undefined, atHome(env, file.agents?.claude?.program), undefined),
    "agents.may_unsummon": first(undefined, file.agents?.may_unsummon, false),
    "bell.carry": first(undefined, file.bell?.carry, true),
    "desk.answer": first(undefined, file.desk?.answer, true),
    "desk.notify": first(undefined, file.desk?.notify, true),
    "desk.key": first(undefined, file.desk?.key, DESK_KEY),
    "rituals.folder": first(pathFromEnv(env, "OVLD_RITUALS"), atHome(env, file.rituals?.folder), undefined),
    "rituals.focus": first(undefined, file.rituals?.focus, true),
    "limits.unread_per_inbox": first(
      limits.unreadPerInbox,
      file.limits?.unread_per_inbox,
      MOST_MAIL.unreadPerInbox,
    ),
    "limits.body_bytes": first(limits.bodyBytes, file.limits?.body_bytes, MOST_MAIL.bodyBytes),
    "limits.journal_mb": first(limits.journalMegabytes, file.limits?.journal_mb, MOST_MAIL.journalMegabytes),
    "archive.days": first(undefined, file.archive?.days, ARCHIVE_DAYS),
    "hub.replicas": first<1 | 3>(undefined, file.hub?.replicas, 1),
    "hub.url": first(undefined, listOf(file.hub?.url), undefined),
    "hub.creds": first(undefined, atHome(env, file.hub?.creds), undefined),
    "hub.ca": first(undefined, atHome(env, file.hub?.ca), undefined),
  };
  return {
    session: found.session.value,
    agent: found.agent.value,
    wake: found.wake.value,
    zellij: found.zellij.value,
    bell: { carry: found["bell.carry"].value },
    desk: {
      answer: found["desk.answer"].value,
      notify: found["desk.notify"].value,
      key: found["desk.key"].value,
    },
    rituals: { folder: found["rituals.folder"].value, focus: found["rituals.focus"].value },
    limits: {
      unreadPerInbox: found["limits.unread_per_inbox"].value,
      bodyBytes: found["limits.body_bytes"].value,
      journalMegabytes: found["limits.journal_mb"].value,
    },
    archive: { days: found["archive.days"].value },
    hub: {
      replicas: found["hub.replicas"].value,
      url: found["hub.url"].value,
      creds: found["hub.creds"].value,
      ca: found["hub.ca"].value,
    },
    programs: { claude: found["agents.claude.program"].value },
    agentsMayUnsummon: found["agents.may_unsummon"].value,
    found,
    file,
  };
}

/** How an agent is started, apart from what ovld itself needs. */
export interface AgentWishes {
  model?: string | undefined;
  permissionMode?: string | undefined;
  args?: string[];
}

/** The role's own settings come last and win. */
export function wishesFor({ file }: Settings, role: Role): AgentWishes {
  const all: AgentTable = file.agents?.claude ?? {};
  const own: AgentTable = file.roles?.[role] ?? {};
  return {
    model: own.model ?? all.model,
    permissionMode: own.permission_mode ?? all.permission_mode,
    args: [...(all.args ?? []), ...(own.args ?? [])],
  };
}

function listOf(value: string | string[] | undefined): string[] | undefined {
  return typeof value === "string" ? [value] : value;
}

function first<Value>(env: Value | undefined, file: Value | undefined, usual: Value): Found<Value> {
  if (env !== undefined) return { value: env, source: "environment" };
  return file === undefined ? { value: usual, source: "default" } : { value: file, source: "file" };
}

function fromEnv(
  env: Environment,
  variable: string,
  expected: Expectation,
  fits: (text: string) => boolean,
): string | undefined {
  const value = env[variable];
  if (!value) return undefined;
  if (!fits(value)) throw new OvldError({ code: "env-wrong", facts: { variable, value, expected } });
  return value;
}

function choiceFromEnv<Choice extends string>(
  env: Environment,
  variable: string,
  choices: readonly Choice[],
  expected: Expectation,
): Choice | undefined {
  const value = fromEnv(env, variable, expected, (text) => choices.some((choice) => choice === text));
  return choices.find((choice) => choice === value);
}

function pathFromEnv(env: Environment, variable: string): string | undefined {
  return env[variable] ? absolutePath(env, variable) : undefined;
}

function atHome(env: Environment, path: string | undefined): string | undefined {
  return path?.startsWith("~/") ? join(absolutePath(env, "HOME"), path.slice("~/".length)) : path;
}
