/** What the doctor finds, and its sentence for each finding. */
import { shellWord } from "../../system/shell-word.ts";
import { countOf } from "./count-of.ts";

/** Every possible finding, with its facts. */
export interface FindingFacts {
  node: { version: string; program: string };
  zellij: { version: string; program: string };
  "zellij-missing": { oldest: string };
  "temp-folder": { folder: string };
  "zellij-too-old": { version: string; program: string; oldest: string };
  "zellij-session": { milliseconds: number };
  "desk-key": { key: string };
  "desk-key-taken": { key: string; by: string };
  "desk-key-unknown": { key: string; why: string };
  "zellij-session-failed": { reason: string };
  claude: { version: string; program: string };
  "claude-missing": { program: string };
  "claude-mute": { program: string };
  "claude-not-used": Record<string, never>;
  "login-environment": { variable: string };
  "login-key-unapproved": { variable: string };
  "login-settings": { setting: string; path: string };
  "login-stored": { path: string };
  "login-unknown": Record<string, never>;
  "login-none": Record<string, never>;
  "wake-socket": Record<string, never>;
  "wake-no-socket": { oldest: string };
  "wake-held": { value: string; path: string };
  "wake-hooks": Record<string, never>;
  "wake-no-hooks": { oldest: string };
  "wake-pane": Record<string, never>;
  "folder-trusted": { folder: string };
  "folder-untrusted": { folder: string };
  "folder-gone": Record<string, never>;
  "claude-state": { sentence: string };
  "config-none": { path: string };
  "config-read": { path: string };
  "config-wrong": { sentence: string };
  setting: { name: string; value: string; source: "environment" | "file" | "default" };
  "mail-none": { path: string };
  "mail-blocked": { path: string };
  "mail-sound": { session: string; path: string; unread: number };
  "mail-damaged": { session: string; sentence: string };
  "mail-open": { path: string };
  "mail-leftovers": { session: string; count: number };
  "mail-quarantined": { count: number; path: string };
  "disk-space": { path: string; megabytes: number };
  "disk-nearly-full": { path: string; megabytes: number };
  "army-live": { session: string };
  "army-dead": { session: string };
  "army-empty": { session: string };
  "army-unknown": { session: string };
  "no-armies": Record<string, never>;
  terminal: { term: string; columns: number };
  "no-terminal": Record<string, never>;
  "terminal-dumb": { term: string };
  "inside-zellij": { session: string };
  "locale-not-utf8": { locale: string };
}

export type FindingCode = keyof FindingFacts;

type Sentences = { [Code in FindingCode]: (facts: FindingFacts[Code]) => string };

export interface DoctorTexts {
  verdicts: Record<"good" | "note" | "wrong", string>;
  sources: Record<"environment" | "file" | "default", string>;
  allWell: string;
  /** The settings that nobody has changed, on one line. */
  asShipped(count: number): string;
  wrong(count: number): string;
  sentences: Sentences;
}

export const DOCTOR_TEXTS: DoctorTexts = {
  verdicts: { good: "good", note: "note", wrong: "wrong" },
  sources: { environment: "from the environment", file: "from the file", default: "by default" },
  allWell: "Nothing is wrong.",
  asShipped: (count) => `settings: ${count} as shipped`,
  wrong: (count) => (count === 1 ? "1 thing is wrong." : `${count} things are wrong.`),
  sentences: {
    node: ({ version, program }) => `Node.js ${version} (${program})`,
    zellij: ({ version, program }) => `Zellij ${version} (${program})`,
    "zellij-missing": ({ oldest }) => `Zellij was not found; ${oldest} or newer is needed`,
    "temp-folder": ({ folder }) =>
      `TMPDIR is ${folder}, which does not exist or cannot be written to, so Zellij does not start`,
    "zellij-too-old": ({ version, program, oldest }) =>
      `Zellij ${version} is too old (${program}); ${oldest} or newer is needed`,
    "zellij-session": ({ milliseconds }) =>
      `a background session was created and removed in ${milliseconds} ms`,
    "desk-key": ({ key }) => `${key} opens the status in an army's session`,
    "desk-key-taken": ({ key, by }) =>
      `${key} does not open the status in an army's session, because ${by} uses it; choose another key under [desk]`,
    "desk-key-unknown": ({ key, why }) =>
      `${key} does not open the status in an army's session, because the keys in ${why} could not be read`,
    "zellij-session-failed": ({ reason }) => `a background session could not be created: ${reason}`,
    claude: ({ version, program }) => `Claude Code ${version} (${program})`,
    "claude-missing": ({ program }) => `Claude Code was not found (${program})`,
    "claude-mute": ({ program }) => `${program} does not report its version`,
    "claude-not-used": () =>
      "Claude Code was not found, but is not needed: the configuration uses the practice army",
    "login-environment": ({ variable }) => `Claude Code reaches its model with ${variable}`,
    "login-key-unapproved": ({ variable }) =>
      `${variable} is set, but Claude Code is not allowed to use it yet: each agent will ask`,
    "login-settings": ({ setting, path }) => `Claude Code reaches its model with ${setting} in ${path}`,
    "login-stored": ({ path }) => `a Claude Code login is stored (${path})`,
    "login-unknown": () =>
      "ovld cannot tell whether Claude Code is logged in, because it cannot read the keychain; if agents ask, log in once with /login",
    "login-none": () => "Claude Code has no login here: each agent will ask; log in once with /login",
    "wake-socket": () => "agents are woken through their own socket",
    "wake-no-socket": ({ oldest }) =>
      `this Claude Code has no inbox socket (${oldest} and newer have one): agents are woken by typing`,
    "wake-held": ({ value, path }) =>
      `crossSessionInbound is "${value}" in ${path}, so agents are woken by typing, not through their own socket`,
    "wake-hooks": () => "agents report their state through hooks",
    "wake-no-hooks": ({ oldest }) =>
      `this Claude Code has no hooks that call tools (${oldest} and newer have them): an agent's state is read from its screen`,
    "wake-pane": () => 'wake = "pane": agents are woken only by typing',
    "folder-trusted": ({ folder }) => `Claude Code trusts ${folder}`,
    "folder-untrusted": ({ folder }) =>
      `Claude Code does not trust ${folder} yet: each agent will ask before it starts`,
    "folder-gone": () => "the folder you are in has been removed",
    "config-none": ({ path }) => `no configuration file (${path}); using defaults`,
    "config-read": ({ path }) => `configuration file ${path}`,
    "config-wrong": ({ sentence }) => sentence,
    "claude-state": ({ sentence }) => sentence,
    setting: ({ name, value, source }) => `${name} = ${value} (${DOCTOR_TEXTS.sources[source]})`,
    "mail-none": ({ path }) => `no mail folder yet; it can be created (${path})`,
    "mail-blocked": ({ path }) => `the mail folder cannot be created: ${path} cannot be written to`,
    "mail-sound": ({ session, path, unread }) =>
      `the mail of ${session} is in order, ${countOf(unread, "unread message")} (${path})`,
    "mail-damaged": ({ session, sentence }) => `the mail of ${session} is damaged: ${sentence}`,
    "mail-open": ({ path }) => `other users of this machine have access to ${path}`,
    "mail-leftovers": ({ session, count }) =>
      count === 1
        ? `1 unfinished file of a writer that died is in the mail of ${session}; the next read removes it`
        : `${count} unfinished files of writers that died are in the mail of ${session}; the next read removes them`,
    "mail-quarantined": ({ count, path }) =>
      count === 1
        ? `1 broken file was set aside in ${path}; look at it`
        : `${count} broken files were set aside in ${path}; look at them`,
    "disk-space": ({ megabytes, path }) => `${megabytes} MB free for mail (${path})`,
    "disk-nearly-full": ({ megabytes, path }) => `only ${megabytes} MB free for mail (${path})`,
    "army-live": ({ session }) => `the army ${session} is running`,
    "army-dead": ({ session }) =>
      `the army ${session} was cut off and can come back; ovld armies remove ${shellWord(session)} deletes it`,
    "army-empty": ({ session }) =>
      `the army ${session} is not running, and has left nothing that could come back`,
    "army-unknown": ({ session }) => `whether the army ${session} is running is unknown at the moment`,
    "no-armies": () => "no armies",
    terminal: ({ term, columns }) => `terminal ${term}, ${columns} columns`,
    "no-terminal": () => "no terminal: ovld summon needs one, or --detached",
    "terminal-dumb": ({ term }) => `the terminal is ${term}: Zellij will not display well on it`,
    "inside-zellij": ({ session }) =>
      `inside the Zellij session ${session}: summon opens the army in the background and switches to it`,
    "locale-not-utf8": ({ locale }) =>
      `the locale is ${locale}, not UTF-8: panes may not show all characters`,
  },
};
