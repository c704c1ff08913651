/** `ovld doctor`: whether all is well, line by line, and what mends it. */
import { relayFolder } from "../../config/folders.ts";
import { salvageSettings } from "../../config/salvage-settings.ts";
import type { Settings } from "../../config/settings.ts";
import { checkClaude } from "../../doctor/check-claude.ts";
import { checkConfig } from "../../doctor/check-config.ts";
import { checkLogin } from "../../doctor/check-login.ts";
import { checkMail } from "../../doctor/check-mail.ts";
import { checkNode } from "../../doctor/check-node.ts";
import { checkTerminal } from "../../doctor/check-terminal.ts";
import { checkTrust } from "../../doctor/check-trust.ts";
import { checkZellij } from "../../doctor/check-zellij.ts";
import type { Finding } from "../../doctor/finding.ts";
import { DOCTOR_TEXTS } from "../../i18n/doctor-texts.ts";
import { describeError } from "../../i18n/error-texts.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { createPaint, wantsColour, type Paint } from "../../system/paint.ts";
import { shellWord } from "../../system/shell-word.ts";
import { terminalColumns } from "../../system/terminal.ts";
import { padToWidth, textWidth } from "../../system/text-width.ts";
import { armyOf, type Army } from "../army.ts";
import { EXIT } from "../exit-code.ts";
import { knownArmies } from "../known-armies.ts";
import { mailOfArmy } from "../mail-of-army.ts";
import { runCommand, sayJson, sayLine, type Machine } from "../machine.ts";
import { lookAtSession } from "../status/look-at-session.ts";
import { describeFinding } from "../describe-finding.ts";

export interface DoctorFlags {
  json: boolean;
}

export function doctor(machine: Machine, { json }: DoctorFlags): Promise<void> {
  return runCommand(machine, async () => {
    const findings: Finding[] = [];
    const tell = tellingOne(machine);
    for await (const finding of examine(machine)) {
      findings.push(finding);
      if (!json) tell(finding);
    }
    const wrong = findings.filter(({ verdict }) => verdict === "wrong").length;
    const texts = DOCTOR_TEXTS[machine.language];
    if (json) sayJson(machine, { wrong, findings });
    else sayLine(machine, `\n${wrong === 0 ? texts.allWell : texts.wrong(wrong)}`);
    return wrong === 0 ? EXIT.done : EXIT.failed;
  });
}

/** From what everything stands on upwards. What is wrong with the configuration does not hide the rest. */
async function* examine(machine: Machine): AsyncGenerator<Finding> {
  const { env, language, ovld } = machine;
  yield* checkNode(ovld.node);
  const { army, problem } = await findArmy(machine);
  if (problem !== undefined) {
    const sentence = describeError(problem.report, language);
    yield { verdict: "wrong", code: "config-wrong", facts: { sentence } };
  }
  if (army !== undefined) {
    const { settings, zellij, session } = army;
    if (problem === undefined) yield* checkConfig(env, settings, language);
    yield* await checkZellij(zellij, language);
    yield* await checkClaude(env, settings);
    if (settings.agent === "claude") yield* readinessOfClaude(machine);
    const sessions = new Set([session, ...knownArmies(env)]);
    for (const each of sessions) yield* checkMail(each, relayFolder(env, each), language);
    yield* examineArmies(machine, settings);
  }
  yield* checkTerminal(env, machine.hasScreen ? terminalColumns() : undefined);
}

/** Where not even what is usual can be told, there is no army to speak of. */
async function findArmy(machine: Machine): Promise<{ army?: Army; problem?: OvldError | undefined }> {
  try {
    const { settings, problem } = salvageSettings(machine.env);
    return { army: await armyOf(machine, undefined, settings), problem };
  } catch (error) {
    if (error instanceof OvldError) return { problem: error };
    throw error;
  }
}

/** Whether it begins without a question. */
function readinessOfClaude(machine: Machine): Finding[] {
  const { env } = machine;
  let folder: string;
  try {
    folder = machine.cwd;
  } catch {
    const gone: Finding = { verdict: "wrong", code: "folder-gone", facts: {}, mend: "cd" };
    return [...checkLogin(env, undefined), gone];
  }
  return [...checkLogin(env, folder), ...checkTrust(env, folder, machine.language)];
}

async function* examineArmies(machine: Machine, settings: Settings): AsyncGenerator<Finding> {
  const sessions = knownArmies(machine.env);
  if (sessions.length === 0) yield { verdict: "good", code: "no-armies", facts: {} };
  for (const session of sessions) {
    const { state } = await lookAtSession(machine, mailOfArmy(machine, session), { settings });
    if (state === "live") yield { verdict: "good", code: "army-live", facts: { session } };
    else if (state === "gone") {
      const mend = `ovld unsummon --session ${shellWord(session)}`;
      yield { verdict: "note", code: "army-dead", facts: { session }, mend };
    } else yield { verdict: "note", code: "army-unknown", facts: { session } };
  }
}

const STYLES = { good: "good", note: "warning", wrong: "bad" } as const;

function tellingOne(machine: Machine): (finding: Finding) => void {
  const { verdicts } = DOCTOR_TEXTS[machine.language];
  const paint: Paint = createPaint(wantsColour(machine.env, machine.hasScreen));
  const width = Math.max(...Object.values(verdicts).map(textWidth));
  return (finding) => {
    const { verdict, mend } = finding;
    const word = paint(STYLES[verdict], padToWidth(verdicts[verdict], width));
    const remedy = mend === undefined ? "" : `  →  ${mend}`;
    sayLine(machine, `${word}  ${describeFinding(finding, machine.language)}${remedy}`);
  };
}
