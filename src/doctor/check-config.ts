/** Checks the configuration: whether the file can be read, and where each value comes from. */
import { existsSync } from "node:fs";
import { configFilePath } from "../config/config-file.ts";
import type { Environment } from "../system/run-program.ts";
import { SETTING_NAMES, type Settings } from "../config/settings.ts";
import type { Language } from "../army/words.ts";
import type { Finding } from "../agent/agent-program.ts";

export function checkConfig(env: Environment, settings: Settings, language: Language): Finding[] {
  const path = configFilePath(env);
  const file: Finding = existsSync(path)
    ? { verdict: "good", code: "config-read", facts: { path } }
    : { verdict: "note", code: "config-none", facts: { path }, fix: "ovld init" };
  return [file, ...valuesOf(settings), languageOf(env, settings, language)];
}

function valuesOf(settings: Settings): Finding[] {
  const {
    session,
    agent,
    wake,
    zellij,
    programs,
    agentsMayUnsummon,
    bell,
    desk,
    rituals,
    limits,
    archive,
    hub,
    sources,
  } = settings;
  const values: Record<keyof Settings["sources"], string | number | boolean | undefined> = {
    session,
    agent,
    wake,
    zellij,
    "agents.claude.program": programs.claude,
    "agents.may_unsummon": agentsMayUnsummon,
    "bell.carry": bell.carry,
    "desk.answer": desk.answer,
    "desk.notify": desk.notify,
    "desk.key": desk.key,
    "rituals.folder": rituals.folder,
    "rituals.focus": rituals.focus,
    "limits.unread_per_inbox": limits.unreadPerInbox,
    "limits.body_bytes": limits.bodyBytes,
    "limits.journal_mb": limits.journalMegabytes,
    "archive.days": archive.days,
    "hub.replicas": hub.replicas,
    "hub.url": hub.url?.join(", "),
    "hub.creds": hub.creds,
    "hub.ca": hub.ca,
  };
  return SETTING_NAMES.map((name) => ({
    verdict: "good",
    code: "setting",
    facts: { name, value: String(values[name] ?? "–"), source: sources[name] },
  }));
}

function languageOf(env: Environment, { file }: Settings, language: Language): Finding {
  const source = env["OVLD_LANG"] ? "environment" : file.language === undefined ? "default" : "file";
  return { verdict: "good", code: "setting", facts: { name: "language", value: language, source } };
}
