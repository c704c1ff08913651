/** What the doctor checks, one function each. Each returns its findings, in words of no language. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { configFilePath } from "../../../config/folders.ts";
import type { Environment } from "../../../system/run-program.ts";
import type { Settings } from "../../../config/settings.ts";
import type { Language } from "../../../army/words.ts";
import type { Finding } from "../../../i18n/en/doctor.ts";
import type { AgentProgram } from "../../../agent/agent-program.ts";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unusableTempFolder, OLDEST_ZELLIJ, type VersionCheck } from "../../../zellij/version.ts";
import { createInBackground, endSession, listedState } from "../../../zellij/sessions.ts";
import type { Zellij } from "../../../zellij/zellij.ts";
import { formatError } from "../../../i18n/sentences.ts";
import type { Texts } from "../../../i18n/texts.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import { NO_KEY } from "../../../config/config-file.ts";
import { chooseKey } from "../../../zellij/status-key.ts";
import { ROLES } from "../../../army/roles.ts";
import { openMail } from "../../../mail/mail.ts";
import { whyNotMakeFolder } from "../../../system/paths.ts";
import { shellWord } from "../../../system/text.ts";

/** Whether the configuration file can be read, and where each value comes from. */
export function checkConfig(env: Environment, settings: Settings, language: Language): Finding[] {
  const path = configFilePath(env);
  const file: Finding = existsSync(path)
    ? { verdict: "good", code: "config-read", facts: { path } }
    : { verdict: "note", code: "config-none", facts: { path }, fix: "ovld init" };
  return [file, ...valuesOf(settings), languageOf(env, settings, language)];
}

function valuesOf({ found }: Settings): Finding[] {
  return Object.entries(found).map(([name, { value, source }]) => ({
    verdict: "good",
    code: "setting",
    facts: { name, value: Array.isArray(value) ? value.join(", ") : String(value ?? "–"), source },
  }));
}

function languageOf(env: Environment, { file }: Settings, language: Language): Finding {
  const source = env["OVLD_LANG"] ? "environment" : file.language === undefined ? "default" : "file";
  return { verdict: "good", code: "setting", facts: { name: "language", value: language, source } };
}

/** Checks Zellij: its version, and whether it can really create and remove a session in the background. */
export async function checkZellij(zellij: Zellij, found: VersionCheck, texts: Texts): Promise<Finding[]> {
  const { program } = zellij;
  const folder = unusableTempFolder(zellij);
  if (folder !== undefined) return [{ verdict: "wrong", code: "temp-folder", facts: { folder } }];
  const fix = "cargo install --locked zellij";
  if (found === "missing") {
    return [{ verdict: "wrong", code: "zellij-missing", facts: { oldest: OLDEST_ZELLIJ }, fix }];
  }
  const { version, fits } = found;
  if (!fits) {
    const facts = { version, program, oldest: OLDEST_ZELLIJ };
    return [{ verdict: "wrong", code: "zellij-too-old", facts, fix }];
  }
  const here: Finding = { verdict: "good", code: "zellij", facts: { version, program } };
  return [here, await trySession(zellij, texts)];
}

async function trySession(army: Zellij, texts: Texts): Promise<Finding> {
  // The test session does not belong to an army.
  const zellij = { ...army, record: undefined };
  const session = `ovld-doctor-${process.pid}`;
  const folder = mkdtempSync(join(tmpdir(), "ovld-doctor-"));
  const layout = join(folder, "layout.kdl");
  const began = performance.now();
  try {
    writeFileSync(layout, LAYOUT);
    if (!(await createInBackground(zellij, session, layout, AbortSignal.timeout(30_000))))
      return failed(`${session} is there already`);
    const state = await listedState(zellij, session);
    await endSession(zellij, session);
    if (state !== "live") return failed(`${session} is ${state}`);
    const milliseconds = Math.round(performance.now() - began);
    return { verdict: "good", code: "zellij-session", facts: { milliseconds } };
  } catch (error) {
    return failed(error instanceof OvldError ? formatError(error.report, texts) : String(error));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One pane that does nothing, and Zellij saves nothing of it. */
const LAYOUT = `layout {
    pane command="sleep" {
        args "60"
    }
}
session_serialization false
`;

function failed(reason: string): Finding {
  return { verdict: "wrong", code: "zellij-session-failed", facts: { reason } };
}

/** Checks whether the key that opens the status in an army's session is free. */
export async function checkDeskKey(zellij: Zellij, { desk: { key } }: Settings): Promise<Finding[]> {
  if (key === NO_KEY) return [];
  const choice = await chooseKey(zellij, key);
  switch (choice.is) {
    case "free":
      return [{ verdict: "good", code: "desk-key", facts: { key } }];
    case "taken":
      return [{ verdict: "note", code: "desk-key-taken", facts: { key, by: choice.by ?? "Zellij" } }];
    case "unknown":
      return [{ verdict: "note", code: "desk-key-unknown", facts: { key, why: choice.why } }];
  }
}

const MEGABYTE = 1024 * 1024;
const NEARLY_FULL_MB = 50;

/** Checks the folder of one army's mail: whether it can be used, and what else is in it. */
export function checkMail(session: string, path: string, texts: Texts): Finding[] {
  const mail = openMail(path);
  const blocked = whyNotMakeFolder(path);
  if (blocked) {
    return [
      {
        verdict: "wrong",
        code: "mail-blocked",
        facts: blocked,
        fix: `chmod u+rwx ${shellWord(blocked.path)}`,
      },
    ];
  }
  if (!mail.exists()) return [{ verdict: "good", code: "mail-none", facts: { path } }];
  const trouble = mail.trouble();
  const unread = ROLES.reduce((sum, role) => sum + mail.countUnread(role), 0);
  const state: Finding = trouble
    ? {
        verdict: "wrong",
        code: "mail-damaged",
        facts: { session, sentence: formatError(trouble, texts) },
      }
    : { verdict: "good", code: "mail-sound", facts: { session, path, unread } };
  return [state, ...checkInventory(session, path, mail.inventory())];
}

type Inventory = ReturnType<ReturnType<typeof openMail>["inventory"]>;

function checkInventory(session: string, path: string, inventory: Inventory): Finding[] {
  const { open, leftovers, quarantined, quarantine, freeBytes } = inventory;
  const findings: Finding[] = [];
  if (open !== undefined) {
    findings.push({
      verdict: "wrong",
      code: "mail-open",
      facts: { path: open },
      fix: `chmod -R go= ${shellWord(path)}`,
    });
  }
  if (leftovers > 0) {
    findings.push({ verdict: "note", code: "mail-leftovers", facts: { session, count: leftovers } });
  }
  if (quarantined > 0) {
    const facts = { count: quarantined, path: quarantine };
    findings.push({
      verdict: "note",
      code: "mail-quarantined",
      facts,
      fix: `ls -l ${shellWord(quarantine)}`,
    });
  }
  if (freeBytes !== undefined) {
    const megabytes = Math.floor(freeBytes / MEGABYTE);
    const isShort = megabytes < NEARLY_FULL_MB;
    findings.push({
      verdict: isShort ? "wrong" : "good",
      code: isShort ? "disk-nearly-full" : "disk-space",
      facts: { path, megabytes },
    });
  }
  return findings;
}

interface TrustPlace {
  env: Environment;
  folder: string;
  texts: Texts;
}

/** Checks whether the agents work in this folder without asking first. */
export function checkTrust(
  { title: agent, trusts, needs }: AgentProgram,
  { env, folder, texts }: TrustPlace,
): Finding[] {
  const trust = trusts?.(env, folder);
  switch (trust?.is) {
    case undefined:
      return [];
    case "trusted":
      return [{ verdict: "good", code: "folder-trusted", facts: { agent, folder } }];
    case "unknown": {
      const { file: path, problem } = trust;
      const sentence = formatError({ code: "file-unfit", facts: { path, problem } }, texts);
      return [{ verdict: "wrong", code: "agent-state", facts: { sentence } }];
    }
    case "lacking": {
      const untrusted = { code: "folder-untrusted", facts: { agent, folder: trust.folder } } as const;
      return [{ verdict: "note", ...untrusted, ...(needs !== undefined && { fix: needs }) }];
    }
  }
}

/** Checks the person's terminal. `columns` is undefined if there is none. */
export function checkTerminal(env: Environment, columns: number | undefined): Finding[] {
  return [screenOf(env, columns), ...surroundings(env)];
}

function screenOf(env: Environment, columns: number | undefined): Finding {
  const term = env["TERM"] || "dumb";
  if (columns === undefined) return { verdict: "note", code: "no-terminal", facts: {} };
  if (term === "dumb") return { verdict: "note", code: "terminal-dumb", facts: { term } };
  return { verdict: "good", code: "terminal", facts: { term, columns } };
}

function surroundings(env: Environment): Finding[] {
  const findings: Finding[] = [];
  const session = env["ZELLIJ_SESSION_NAME"];
  if (env["ZELLIJ"] !== undefined && session) {
    findings.push({ verdict: "note", code: "inside-zellij", facts: { session } });
  }
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "C";
  if (process.platform === "linux" && !/utf-?8/i.test(locale)) {
    findings.push({
      verdict: "note",
      code: "locale-not-utf8",
      facts: { locale },
      fix: "export LANG=C.UTF-8",
    });
  }
  return findings;
}

/** Node.js: the one that runs this is new enough, otherwise the program would not have started. */
export function checkNode(program: string): Finding[] {
  return [{ verdict: "good", code: "node", facts: { version: process.versions.node, program } }];
}
