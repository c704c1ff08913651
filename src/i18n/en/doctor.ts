/** What the doctor finds, and its sentence for each finding. */
import { shellWord } from "../../system/text.ts";
import { countOf, type FindingOf } from "../sentences.ts";

const SOURCES = { environment: "from the environment", file: "from the file", default: "by default" };

/** The agent program, by the name that a person knows. */
interface AgentFacts {
  agent: string;
}

interface Outdated {
  version: string;
  program: string;
  oldest: string;
}

export const DOCTOR_TEXTS = {
  verdicts: { good: "ok", note: "note", wrong: "problem" },
  allWell: "No problems.",
  /** The settings that nobody has changed, on one line. */
  asShipped: (count: number) => `settings: ${count} at their defaults`,
  wrong: (count: number) => `${countOf(count, "problem")}.`,
  /** How this ovld was installed, for `ovld update`. */
  installed: {
    npm: (folder: string) => `ovld was installed with npm for all your projects (${folder}).`,
    project: (folder: string) => `ovld was installed with npm for one project (${folder}).`,
    npx: (folder: string) => `npx runs ovld from its own cache (${folder}).`,
    homebrew: (folder: string) => `ovld was installed with Homebrew (${folder}).`,
    clone: (folder: string) => `ovld runs from a clone (${folder}).`,
    unknown: (folder: string) =>
      `ovld is in ${folder}, where neither npm nor Homebrew has put it. Update it as you installed it, or install it with npm.`,
  },
  toUpdate: "To update it, run:",
  sentences: {
    node: ({ version, program }: { version: string; program: string }) => `Node.js ${version} (${program})`,
    zellij: ({ version, program }: { version: string; program: string }) => `Zellij ${version} (${program})`,
    "zellij-missing": ({ oldest }: { oldest: string }) =>
      `Zellij was not found; ${oldest} or newer is needed`,
    "temp-folder": ({ folder }: { folder: string }) =>
      `TMPDIR is ${folder}, which does not exist or cannot be written to, so Zellij does not start`,
    "zellij-too-old": ({ version, program, oldest }: Outdated) =>
      `Zellij ${version} is too old (${program}); ${oldest} or newer is needed`,
    "zellij-session": ({ milliseconds }: { milliseconds: number }) =>
      `a Zellij session was created in the background and removed in ${milliseconds} ms`,
    "desk-key": ({ key }: { key: string }) => `${key} opens the status in an army`,
    "desk-key-later": ({ key }: { key: string }) =>
      `${key} will open the status in an army once Zellij has run for the first time`,
    "desk-key-taken": ({ key, by }: { key: string; by: string }) =>
      `shortcut off: ${by} already uses ${key}; set another one with key under [desk]`,
    "desk-key-unknown": ({ key, why }: { key: string; why: string }) =>
      `shortcut off: the keys in ${why} could not be read, and ${key} may be one of them`,
    "zellij-session-failed": ({ reason }: { reason: string }) =>
      `a Zellij session in the background could not be created: ${reason}`,
    agent: ({ agent, version, program }: AgentFacts & { version: string; program: string }) =>
      `${agent} ${version} (${program})`,
    "agent-missing": ({ agent, program }: AgentFacts & { program: string }) =>
      `${agent} was not found (${program})`,
    "agent-mute": ({ program }: { program: string }) => `${program} does not report its version`,
    "agent-too-old": ({ agent, version, program, oldest }: AgentFacts & Outdated) =>
      `${agent} ${version} is too old (${program}); ${oldest} or newer is needed`,
    "agent-not-used": ({ agent }: AgentFacts) =>
      `${agent} was not found, but is not needed: the configuration uses the practice army`,
    "login-environment": ({ agent, variable }: AgentFacts & { variable: string }) =>
      `${agent} reaches its model with ${variable}`,
    "login-key-unapproved": ({ agent, variable }: AgentFacts & { variable: string }) =>
      `${variable} is set, but ${agent} is not allowed to use it yet: each agent will ask`,
    "login-settings": ({ agent, setting, path }: AgentFacts & { setting: string; path: string }) =>
      `${agent} reaches its model with ${setting} in ${path}`,
    "login-stored": ({ agent, path }: AgentFacts & { path: string }) =>
      `a ${agent} login is stored (${path})`,
    "login-unknown": ({ agent }: AgentFacts) =>
      `ovld cannot tell whether ${agent} is logged in, because it cannot read the keychain; if agents ask, log in once with /login`,
    "login-none": ({ agent }: AgentFacts) =>
      `${agent} has no login here: each agent will ask; log in once with /login`,
    "wake-socket": () => "agents are woken through their own socket",
    "wake-held": ({ value, path }: { value: string; path: string }) =>
      `crossSessionInbound is "${value}" in ${path}, so agents are woken by typing, not through their own socket`,
    "wake-pane": () => 'wake = "pane": agents are woken only by typing',
    "rituals-differ": ({ roles }: { roles: string }) =>
      `your rituals for ${roles} differ from those of this version`,
    "folder-trusted": ({ agent, folder }: AgentFacts & { folder: string }) => `${agent} trusts ${folder}`,
    "folder-untrusted": ({ agent, folder }: AgentFacts & { folder: string }) =>
      `${agent} does not trust ${folder} yet: each agent will ask before it starts`,
    "folder-gone": () => "the folder you are in has been removed",
    "config-none": ({ path }: { path: string }) => `no configuration file (${path}); using defaults`,
    "config-read": ({ path }: { path: string }) => `configuration file ${path}`,
    "config-wrong": ({ sentence }: { sentence: string }) => sentence,
    "agent-state": ({ sentence }: { sentence: string }) => sentence,
    setting: ({ name, value, source }: { name: string; value: string; source: keyof typeof SOURCES }) =>
      `${name} = ${value} (${SOURCES[source]})`,
    "mail-none": ({ path }: { path: string }) => `no mail folder yet; it can be created (${path})`,
    "mail-blocked": ({ path }: { path: string }) =>
      `the mail folder cannot be created: ${path} cannot be written to`,
    "mail-sound": ({ session, path, unread }: { session: string; path: string; unread: number }) =>
      `the mail of ${session} is in order, ${countOf(unread, "waiting message")} (${path})`,
    "mail-damaged": ({ session, sentence }: { session: string; sentence: string }) =>
      `the mail of ${session} is damaged: ${sentence}`,
    "mail-open": ({ path }: { path: string }) => `other users of this machine have access to ${path}`,
    "mail-leftovers": ({ session, count }: { session: string; count: number }) =>
      count === 1
        ? `1 unfinished file of a writer that died is in the mail of ${session}; the next read removes it`
        : `${count} unfinished files of writers that died are in the mail of ${session}; the next read removes them`,
    "mail-quarantined": ({ count, path }: { count: number; path: string }) =>
      count === 1
        ? `1 broken file was set aside in ${path}; look at it`
        : `${count} broken files were set aside in ${path}; look at them`,
    "disk-space": ({ megabytes, path }: { path: string; megabytes: number }) =>
      `${megabytes} MB free for mail (${path})`,
    "disk-nearly-full": ({ megabytes, path }: { path: string; megabytes: number }) =>
      `only ${megabytes} MB free for mail (${path})`,
    "army-live": ({ session }: { session: string }) => `the army ${session} is running`,
    "army-dead": ({ session }: { session: string }) =>
      `the army ${session} was cut off and can come back; ovld armies rm ${shellWord(session)} deletes it`,
    "army-empty": ({ session }: { session: string }) =>
      `the army ${session} is not running, and has left nothing that could come back`,
    "army-unknown": ({ session }: { session: string }) =>
      `whether the army ${session} is running is unknown at the moment`,
    "no-armies": () => "no armies",
    terminal: ({ term, columns }: { term: string; columns: number }) =>
      `terminal ${term}, ${columns} columns`,
    "no-terminal": () => "no terminal: ovld summon needs one, or --detached",
    "terminal-dumb": ({ term }: { term: string }) =>
      `the terminal is ${term}: Zellij will not display well on it`,
    "inside-zellij": ({ session }: { session: string }) =>
      `inside the Zellij session ${session}: summon opens the army in the background and switches to it`,
    "locale-not-utf8": ({ locale }: { locale: string }) =>
      `the locale is ${locale}, not UTF-8: panes may not show all characters`,
  },
};

/** What `ovld doctor` can find. */
export type Finding = FindingOf<typeof DOCTOR_TEXTS.sentences>;
