/** `ovld doctor`: checks the setup, one line per finding, with its fix. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AGENTS, programNeeded, type AgentProgram } from "../../../agent/agent-program.ts";
import { EXIT } from "../../../army/errors.ts";
import { RECIPIENTS } from "../../../army/roles.ts";
import { lookOf, sayAnswer, sayVerdict, type CommandContext } from "../../../command/command-context.ts";
import { configFilePath, relayFolder, ritualsFolder } from "../../../config/folders.ts";
import { NO_KEY, readSettingsOrDefaults, type Settings } from "../../../config/settings.ts";
import type { Finding } from "../../../i18n/en/doctor.ts";
import { formatError, formatFinding } from "../../../i18n/sentences.ts";
import type { Texts } from "../../../i18n/texts.ts";
import { openMail } from "../../../mail/mail.ts";
import { mailOfArmy } from "../../../person/find-runner.ts";
import { describeRituals } from "../../../rituals/person-rituals.ts";
import { describeContents, isWorthResuming } from "../../../summon/archive/store-contents.ts";
import { armyOf, knownArmies, type Army, type ArmyMail } from "../../../summon/army.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import { needsLocale } from "../../../system/platform.ts";
import { whyNotMakeFolder } from "../../../system/paths.ts";
import { shellWord } from "../../../system/text.ts";
import { describeSession } from "../../../view/describe-session.ts";
import { createInBackground, endSession, listedState } from "../../../zellij/sessions.ts";
import { chooseKey } from "../../../zellij/status-key.ts";
import {
  unusableTempFolder,
  chooseZellij,
  OLDEST_ZELLIJ,
  type VersionCheck,
} from "../../../zellij/version.ts";
import type { Zellij } from "../../../zellij/zellij.ts";
import { tryTo } from "../../../system/file-error.ts";
import { VERSION } from "../../../system/version.ts";

type Findings = Generator<Finding>;
type LateFindings = AsyncGenerator<Finding>;

export async function doctor(context: CommandContext, { json }: { json: boolean }): Promise<number> {
  const findings: Finding[] = [];
  const print = createPrinter(context);
  for await (const finding of examine(context)) {
    findings.push(finding);
    if (!json) print(finding);
  }
  const wrong = findings.filter(({ verdict }) => verdict === "wrong").length;
  const texts = context.texts.doctor;
  sayAnswer(context, { wrong, findings }, ["", wrong === 0 ? texts.allWell : texts.wrong(wrong)]);
  return wrong === 0 ? EXIT.done : EXIT.failed;
}

/** Default settings share one line, after those that the person has changed. */
function createPrinter(context: CommandContext): (finding: Finding) => void {
  const { asShipped, sentences } = context.texts.doctor;
  let shipped = 0;
  return (finding) => {
    if (finding.code === "setting" && finding.facts.source === "default") {
      shipped += 1;
      return;
    }
    if (finding.code !== "setting" && shipped > 0) {
      sayVerdict(context, "good", asShipped(shipped));
      shipped = 0;
    }
    sayVerdict(context, finding.verdict, formatFinding(finding, sentences), finding.fix);
  };
}

/** Starts with what everything else depends on. An error in the configuration does not hide the rest. */
async function* examine(context: CommandContext): LateFindings {
  const { env, texts } = context;
  yield findNode(context);
  const { army, problem } = await findArmy(context);
  if (problem !== undefined) {
    const sentence = formatError(problem.report, texts);
    yield { verdict: "wrong", code: "config-wrong", facts: { sentence } };
  }
  if (army !== undefined) {
    const { settings, session } = army;
    if (problem === undefined) yield* checkConfig(context, settings);
    yield* checkZellij(army, texts);
    yield* checkDeskKey(army);
    yield* checkAgents(context, settings);
    yield* checkRituals(context, settings);
    const sessions = new Set([session, ...knownArmies(env)]);
    for (const each of sessions) yield* checkMail(each, relayFolder(env, each), texts);
    yield* examineArmies(context, settings);
  }
  yield* checkTerminal(context);
}

/** If not even the default settings can be determined, there is no army to check. */
async function findArmy(context: CommandContext): Promise<{ army?: Army; problem?: OvldError | undefined }> {
  try {
    const { settings, problem } = readSettingsOrDefaults(context.env);
    return { army: await armyOf(context, undefined, settings), problem };
  } catch (error) {
    if (error instanceof OvldError) return { problem: error };
    throw error;
  }
}

function* checkConfig({ env, texts }: CommandContext, { found, language }: Settings): Findings {
  const path = configFilePath(env);
  if (existsSync(path)) yield { verdict: "good", code: "config-read", facts: { path } };
  else yield { verdict: "note", code: "config-none", facts: { path }, fix: "ovld init" };
  for (const [name, { value: set, source }] of Object.entries(found)) {
    const value = (Array.isArray(set) ? set.join(", ") : String(set ?? "")) || "–";
    yield { verdict: "good", code: "setting", facts: { name, value, source } };
  }
  const source = env["OVLD_LANG"] ? "environment" : language === undefined ? "default" : "file";
  const facts = { name: "language", value: texts.language, source } as const;
  yield { verdict: "good", code: "setting", facts };
}

/** Checks Zellij: its version, and whether it can really create and remove a session in the background. */
async function* checkZellij({ zellij, version: found }: Army, texts: Texts): LateFindings {
  const { program } = zellij;
  const folder = unusableTempFolder(zellij);
  if (folder !== undefined) return yield { verdict: "wrong", code: "temp-folder", facts: { folder } };
  const finding = findZellij(program, found);
  yield finding;
  if (finding.verdict === "good") yield await trySession(zellij, texts);
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

async function* checkDeskKey({ zellij, settings }: Army): LateFindings {
  const { key } = settings.desk;
  if (key === NO_KEY) return;
  const choice = await chooseKey(zellij, key);
  if (choice.is === "free") yield { verdict: "good", code: "desk-key", facts: { key } };
  else if (choice.is === "later") yield { verdict: "note", code: "desk-key-later", facts: { key } };
  else if (choice.is === "taken")
    yield { verdict: "note", code: "desk-key-taken", facts: { key, by: choice.by } };
  else yield { verdict: "note", code: "desk-key-unknown", facts: { key, why: choice.why } };
}

async function* checkAgents(context: CommandContext, settings: Settings): LateFindings {
  // Undefined if the working folder no longer exists.
  const folder = tryTo(() => context.cwd);
  for (const agent of Object.values(AGENTS)) {
    const found = await findAgent(context, settings, agent);
    yield* found;
    if (agent.checks === undefined || agent.name !== settings.agent) continue;
    if (found[0]?.code === "agent-missing") continue;
    yield* agent.checks.login(context.env, folder);
    if (folder === undefined) yield { verdict: "wrong", code: "folder-gone", facts: {}, fix: "cd" };
    else yield* checkTrust(agent, context, folder);
  }
}

function* checkTrust(program: AgentProgram, { env, texts }: CommandContext, folder: string): Findings {
  const { title: agent, trusts, needs } = program;
  const trust = trusts?.(env, folder);
  if (trust?.is === "trusted") yield { verdict: "good", code: "folder-trusted", facts: { agent, folder } };
  else if (trust?.is === "unknown") {
    const { file: path, problem } = trust;
    const sentence = formatError({ code: "file-unfit", facts: { path, problem } }, texts);
    yield { verdict: "wrong", code: "agent-state", facts: { sentence } };
  } else if (trust?.is === "lacking") {
    const untrusted = { code: "folder-untrusted", facts: { agent, folder: trust.folder } } as const;
    yield { verdict: "note", ...untrusted, ...(needs !== undefined && { fix: needs }) };
  }
}

/** Names those that the person has written or edited: they do not follow the program. */
function* checkRituals({ env, ovld, texts: { language } }: CommandContext, { rituals }: Settings): Findings {
  const folder = rituals.folder ?? ritualsFolder(env);
  const own = describeRituals(folder, { program: ovld.file, language }).filter(({ isOwn }) => isOwn);
  const roles = own.map(({ role }) => role);
  if (roles[0] === undefined) return;
  const fix = `ovld rituals diff ${roles[0]}`;
  yield { verdict: "note", code: "rituals-differ", facts: { roles: roles.join(", ") }, fix };
}

const MEGABYTE = 1024 * 1024;
const NEARLY_FULL_MB = 50;

function* checkMail(session: string, path: string, texts: Texts): Findings {
  const mail = openMail(path);
  const blocked = whyNotMakeFolder(path);
  if (blocked) {
    const fix = `chmod u+rwx ${shellWord(blocked.path)}`;
    return yield { verdict: "wrong", code: "mail-blocked", facts: blocked, fix };
  }
  if (!mail.exists()) return yield { verdict: "good", code: "mail-none", facts: { path } };
  const trouble = mail.trouble();
  const unread = RECIPIENTS.reduce((sum, role) => sum + mail.countUnread(role), 0);
  if (trouble) {
    const sentence = formatError(trouble, texts);
    yield { verdict: "wrong", code: "mail-damaged", facts: { session, sentence } };
  } else yield { verdict: "good", code: "mail-sound", facts: { session, path, unread } };
  const { open, leftovers, quarantined, quarantine, freeBytes } = mail.inventory();
  if (open !== undefined) {
    const fix = `chmod -R go= ${shellWord(path)}`;
    yield { verdict: "wrong", code: "mail-open", facts: { path: open }, fix };
  }
  if (leftovers > 0) yield { verdict: "note", code: "mail-leftovers", facts: { session, count: leftovers } };
  if (quarantined > 0) {
    const facts = { count: quarantined, path: quarantine };
    yield { verdict: "note", code: "mail-quarantined", facts, fix: `ls -l ${shellWord(quarantine)}` };
  }
  if (freeBytes === undefined) return;
  const facts = { path, megabytes: Math.floor(freeBytes / MEGABYTE) };
  if (facts.megabytes < NEARLY_FULL_MB) yield { verdict: "wrong", code: "disk-nearly-full", facts };
  else yield { verdict: "good", code: "disk-space", facts };
}

async function* examineArmies(context: CommandContext, settings: Settings): LateFindings {
  const sessions = knownArmies(context.env);
  if (sessions.length === 0) yield { verdict: "good", code: "no-armies", facts: {} };
  for (const session of sessions) {
    const army = mailOfArmy(context, session);
    const { state } = await describeSession(context, army, { settings });
    if (state === "live") yield { verdict: "good", code: "army-live", facts: { session } };
    else if (state === "gone") yield describeDead(context, army);
    else yield { verdict: "note", code: "army-unknown", facts: { session } };
  }
}

/** A summon asks whether to bring it back, in the folder in which it worked. */
function describeDead({ env }: CommandContext, { session, relayDir, mail }: ArmyMail): Finding {
  const name = shellWord(session);
  if (!isWorthResuming(describeContents(relayDir, env)))
    return { verdict: "note", code: "army-empty", facts: { session }, fix: `ovld armies rm ${name}` };
  const folder = mail.army()?.folder;
  const there = folder === undefined ? "" : `cd ${shellWord(folder)} && `;
  const fix = `${there}ovld summon --army ${name}`;
  return { verdict: "note", code: "army-dead", facts: { session }, fix };
}

function* checkTerminal(context: CommandContext): Findings {
  const { env } = context;
  const { columns } = lookOf(context);
  const term = env["TERM"] || "dumb";
  if (columns === undefined) yield { verdict: "note", code: "no-terminal", facts: {} };
  else if (term === "dumb") yield { verdict: "note", code: "terminal-dumb", facts: { term } };
  else yield { verdict: "good", code: "terminal", facts: { term, columns } };
  const session = env["ZELLIJ_SESSION_NAME"];
  if (env["ZELLIJ"] !== undefined && session)
    yield { verdict: "note", code: "inside-zellij", facts: { session } };
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "C";
  if (needsLocale() && !/utf-?8/i.test(locale))
    yield { verdict: "note", code: "locale-not-utf8", facts: { locale }, fix: "export LANG=C.UTF-8" };
}

/** What `ovld --version` prints; a configuration that cannot be read does not hide it. */
export async function describeVersions(context: CommandContext): Promise<string> {
  const { env, texts } = context;
  const settings = tryTo(() => readSettingsOrDefaults(env).settings);
  const { program, version } = await chooseZellij(env, settings?.zellij);
  const agents = settings ? Object.values(AGENTS).map((agent) => findAgent(context, settings, agent)) : [];
  // The first finding about each agent program is the one about its version.
  const found = (await Promise.all(agents)).flatMap(([first]) => first ?? []);
  const all = [findNode(context), findZellij(program, version), ...found];
  const lines = all.map((each) => formatFinding(each, texts.doctor.sentences));
  return [`ovld ${VERSION}`, ...lines].join("\n");
}

/** The Node.js that runs this is new enough, otherwise the program would not have started. */
function findNode({ ovld }: CommandContext): Finding {
  return { verdict: "good", code: "node", facts: { version: process.versions.node, program: ovld.node } };
}

function findZellij(program: string, found: VersionCheck): Finding {
  const [oldest, fix] = [OLDEST_ZELLIJ, "ovld practice --yes"];
  if (found === "missing") return { verdict: "wrong", code: "zellij-missing", facts: { oldest }, fix };
  const { version, fits } = found;
  if (fits) return { verdict: "good", code: "zellij", facts: { version, program } };
  return { verdict: "wrong", code: "zellij-too-old", facts: { version, program, oldest }, fix };
}

/** How an agent program is installed; empty for one that is part of ovld. */
async function findAgent(
  context: CommandContext,
  settings: Settings,
  agent: AgentProgram,
): Promise<Finding[]> {
  const { env } = context;
  const program = programNeeded(settings, agent);
  if (agent.checks === undefined || program === undefined) return [];
  const isChosen = agent.name === settings.agent;
  // Undefined if the working folder no longer exists.
  const folder = tryTo(() => context.cwd);
  return agent.checks.installation({ env, program, isChosen, wake: settings.wake, folder });
}
