/** The settings in force. A flag wins over these, then the environment, the configuration file, and the default. */
import { join } from "node:path";
import {
  AGENT_NAMES,
  type AgentName,
  DEFAULT_SESSION,
  isSessionName,
  MOST_MAIL,
  type MailLimits,
} from "../army/words.ts";
import type { Role } from "../army/roles.ts";
import { OvldError, type Expectation } from "../system/ovld-error.ts";
import { readConfigFile, type AgentTable, type ConfigFile } from "./config-file.ts";
import { DESK_KEY } from "./desk-key.ts";
import type { Environment } from "../system/run-program.ts";
import { absolutePath } from "./folders.ts";
import { readLimits } from "./limits-variable.ts";
import { WAKES, type Wake } from "./relay-settings.ts";

type Source = "environment" | "file" | "default";

export const SETTING_NAMES = [
  "session",
  "agent",
  "wake",
  "zellij",
  "agents.claude.program",
  "agents.may_unsummon",
  "bell.carry",
  "desk.answer",
  "desk.notify",
  "desk.key",
  "rituals.folder",
  "rituals.focus",
  "limits.unread_per_inbox",
  "limits.body_bytes",
  "limits.journal_mb",
  "archive.days",
  "hub.replicas",
  "hub.url",
  "hub.creds",
  "hub.ca",
] as const;

type SettingName = (typeof SETTING_NAMES)[number];

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
  /** Where each of these settings came from. */
  sources: Record<SettingName, Source>;
  file: ConfigFile;
}

/** What the person has decided about hubs. */
export interface HubSettings {
  /** On how many of its servers each message is kept. */
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
  return settleSettings(env, readConfigFile(env));
}

export function settleSettings(env: Environment, file: ConfigFile): Settings {
  const session = first(
    fromEnv(env, "OVLD_SESSION", "a session name", isSessionName),
    file.session,
    DEFAULT_SESSION,
  );
  const agent = first<AgentName>(
    choiceFromEnv(env, "OVLD_AGENT", AGENT_NAMES, "claude or practice"),
    file.agent,
    "claude",
  );
  const wake = first<Wake>(choiceFromEnv(env, "OVLD_WAKE", WAKES, "auto or pane"), file.wake, "auto");
  const zellij = first(pathFromEnv(env, "OVLD_ZELLIJ"), atHome(env, file.zellij), undefined);
  const folder = first(pathFromEnv(env, "OVLD_RITUALS"), atHome(env, file.rituals?.folder), undefined);
  const focus = first(undefined, file.rituals?.focus, true);
  const program = first(undefined, atHome(env, file.agents?.claude?.program), undefined);
  const mayUnsummon = first(undefined, file.agents?.may_unsummon, false);
  const carry = first(undefined, file.bell?.carry, true);
  const answer = first(undefined, file.desk?.answer, true);
  const notify = first(undefined, file.desk?.notify, true);
  const key = first(undefined, file.desk?.key, DESK_KEY);
  const limits = readLimits(env);
  const unread = first(limits.unreadPerInbox, file.limits?.unread_per_inbox, MOST_MAIL.unreadPerInbox);
  const body = first(limits.bodyBytes, file.limits?.body_bytes, MOST_MAIL.bodyBytes);
  const journal = first(limits.journalMegabytes, file.limits?.journal_mb, MOST_MAIL.journalMegabytes);
  const archiveDays = first(undefined, file.archive?.days, ARCHIVE_DAYS);
  const replicas = first<1 | 3>(undefined, file.hub?.replicas, 1);
  const url = first(undefined, listOf(file.hub?.url), undefined);
  const creds = first(undefined, atHome(env, file.hub?.creds), undefined);
  const ca = first(undefined, atHome(env, file.hub?.ca), undefined);
  return {
    session: session.value,
    agent: agent.value,
    wake: wake.value,
    zellij: zellij.value,
    bell: { carry: carry.value },
    desk: { answer: answer.value, notify: notify.value, key: key.value },
    rituals: { folder: folder.value, focus: focus.value },
    limits: { unreadPerInbox: unread.value, bodyBytes: body.value, journalMegabytes: journal.value },
    archive: { days: archiveDays.value },
    hub: {
      replicas: replicas.value,
      url: url.value,
      creds: creds.value,
      ca: ca.value,
    },
    programs: { claude: program.value },
    agentsMayUnsummon: mayUnsummon.value,
    sources: {
      session: session.source,
      agent: agent.source,
      wake: wake.source,
      zellij: zellij.source,
      "bell.carry": carry.source,
      "desk.answer": answer.source,
      "desk.notify": notify.source,
      "desk.key": key.source,
      "rituals.folder": folder.source,
      "rituals.focus": focus.source,
      "agents.claude.program": program.source,
      "agents.may_unsummon": mayUnsummon.source,
      "limits.unread_per_inbox": unread.source,
      "limits.body_bytes": body.source,
      "limits.journal_mb": journal.source,
      "archive.days": archiveDays.source,
      "hub.replicas": replicas.source,
      "hub.url": url.source,
      "hub.creds": creds.source,
      "hub.ca": ca.source,
    },
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

function first<Value>(
  env: Value | undefined,
  file: Value | undefined,
  usual: Value,
): { value: Value; source: Source } {
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
