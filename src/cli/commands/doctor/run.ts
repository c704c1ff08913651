/** `ovld doctor`: checks the setup, one line per finding, with its fix. */
import { isWorthResuming, describeContents } from "../../../summon/archive/last-army.ts";
import { describeSession } from "../../../view/describe-session.ts";
import type { Finding } from "../../../i18n/en/doctor.ts";
import { formatFinding } from "../../../i18n/sentences.ts";
import { type AgentChecks, type AgentProgram, AGENTS, programNeeded } from "../../../agent/agent-program.ts";
import { relayFolder } from "../../../config/folders.ts";
import { readSettingsOrDefaults, type Settings } from "../../../config/settings.ts";
import {
  checkConfig,
  checkZellij,
  checkDeskKey,
  checkMail,
  checkTrust,
  checkTerminal,
  checkNode,
} from "./checks.ts";
import { formatError } from "../../../i18n/sentences.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import { createPaint, wantsColour, type Paint } from "../../../terminal/paint.ts";
import { shellWord } from "../../../system/text.ts";
import { terminalColumns } from "../../../terminal/terminal.ts";
import { padToWidth, textWidth } from "../../../terminal/text-width.ts";
import { armyOf, type Army, knownArmies, type ArmyMail } from "../../../summon/army.ts";
import { runCommand, sayJson, sayLine, type CommandContext } from "../../../command/command-context.ts";
import { EXIT } from "../../../army/errors.ts";
import { mailOfArmy } from "../../../person/mail-of-army.ts";

export interface DoctorFlags {
  json: boolean;
}

export function doctor(context: CommandContext, { json }: DoctorFlags): Promise<void> {
  return runCommand(context, async () => {
    const findings: Finding[] = [];
    const tell = tellingEach(context);
    for await (const finding of examine(context)) {
      findings.push(finding);
      if (!json) tell(finding);
    }
    const wrong = findings.filter(({ verdict }) => verdict === "wrong").length;
    const texts = context.texts.doctor;
    if (json) sayJson(context, { wrong, findings });
    else sayLine(context, `\n${wrong === 0 ? texts.allWell : texts.wrong(wrong)}`);
    return wrong === 0 ? EXIT.done : EXIT.failed;
  });
}

/** Starts with what everything else depends on. An error in the configuration does not hide the rest. */
async function* examine(context: CommandContext): AsyncGenerator<Finding> {
  const { env, texts, ovld } = context;
  yield* checkNode(ovld.node);
  const { army, problem } = await findArmy(context);
  if (problem !== undefined) {
    const sentence = formatError(problem.report, texts);
    yield { verdict: "wrong", code: "config-wrong", facts: { sentence } };
  }
  if (army !== undefined) {
    const { settings, zellij, version, session } = army;
    if (problem === undefined) yield* checkConfig(env, settings, texts.language);
    yield* await checkZellij(zellij, version, texts);
    yield* await checkDeskKey(zellij, settings);
    yield* checkAgents(context, settings);
    const sessions = new Set([session, ...knownArmies(env)]);
    for (const each of sessions) yield* checkMail(each, relayFolder(env, each), texts);
    yield* examineArmies(context, settings);
  }
  yield* checkTerminal(env, context.hasScreen ? terminalColumns() : undefined);
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

/** The installed agent programs, and whether the chosen one starts without asking. */
async function* checkAgents(context: CommandContext, settings: Settings): AsyncGenerator<Finding> {
  const { env } = context;
  const folder = folderOf(context);
  for (const agent of Object.values(AGENTS)) {
    const program = programNeeded(settings, agent);
    const isChosen = agent.name === settings.agent;
    if (agent.checks === undefined || program === undefined) continue;
    yield* await agent.checks.installation({ env, program, isChosen, wake: settings.wake, folder });
    if (isChosen) yield* readinessOf(agent, agent.checks, context, folder);
  }
}

/** Undefined if the working folder no longer exists. */
function folderOf(context: CommandContext): string | undefined {
  try {
    return context.cwd;
  } catch {
    return undefined;
  }
}

function readinessOf(
  agent: AgentProgram,
  { login }: AgentChecks,
  { env, texts }: CommandContext,
  folder: string | undefined,
): Finding[] {
  const gone: Finding = { verdict: "wrong", code: "folder-gone", facts: {}, fix: "cd" };
  return [
    ...login(env, folder),
    ...(folder === undefined ? [gone] : checkTrust(agent, { env, folder, texts })),
  ];
}

async function* examineArmies(context: CommandContext, settings: Settings): AsyncGenerator<Finding> {
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
    return { verdict: "note", code: "army-empty", facts: { session }, fix: `ovld armies remove ${name}` };
  const folder = mail.army()?.folder;
  const there = folder === undefined ? "" : `cd ${shellWord(folder)} && `;
  return {
    verdict: "note",
    code: "army-dead",
    facts: { session },
    fix: `${there}ovld summon --army ${name}`,
  };
}

type Verdict = Finding["verdict"];

const STYLES = { good: "good", note: "warning", wrong: "bad" } as const;

/** Default settings share one line, after those that the person has changed. */
function tellingEach(context: CommandContext): (finding: Finding) => void {
  const texts = context.texts.doctor;
  const say = sayingLines(context);
  let shipped = 0;
  return (finding) => {
    if (finding.code === "setting" && finding.facts.source === "default") shipped += 1;
    else {
      if (finding.code !== "setting" && shipped > 0) {
        say("good", texts.asShipped(shipped));
        shipped = 0;
      }
      say(finding.verdict, formatFinding(finding, context.texts.doctor.sentences), finding.fix);
    }
  };
}

function sayingLines(context: CommandContext): (verdict: Verdict, sentence: string, fix?: string) => void {
  const { verdicts } = context.texts.doctor;
  const paint: Paint = createPaint(wantsColour(context.env, context.hasScreen));
  const width = Math.max(...Object.values(verdicts).map(textWidth));
  return (verdict, sentence, fix) => {
    const word = paint(STYLES[verdict], padToWidth(verdicts[verdict], width));
    const remedy = fix === undefined ? "" : `  →  ${fix}`;
    sayLine(context, `${word}  ${sentence}${remedy}`);
  };
}
