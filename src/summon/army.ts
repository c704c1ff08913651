/** One army as commands see it: its name, its folder, and its Zellij. */
import { isAgentOf, isRelayOf } from "../agent/army-process.ts";
import { isSessionName } from "../army/words.ts";
import { environmentForArmy } from "../agent/army-environment.ts";
import type { Environment } from "../system/run-program.ts";
import { zellijCandidates } from "../config/find-zellij.ts";
import { archiveFolder, relayFolder } from "../config/folders.ts";
import { readSettings, type Settings } from "../config/settings.ts";
import { openMail } from "../mail/mail.ts";
import { cleanLine } from "../system/clean-text.ts";
import { explainFileError } from "../system/file-error.ts";
import { isLocked, takeLock, type HeldLock } from "../system/lock-file.ts";
import { OvldError, type ErrorReport } from "../system/ovld-error.ts";
import { isProcessAlive } from "../system/process.ts";
import { recordIn } from "../zellij/session-record.ts";
import { zellijProblem, checkZellij, OLDEST_ZELLIJ, type VersionCheck } from "../zellij/version.ts";
import { roomForSessionName, foreignSockets } from "../zellij/socket.ts";
import type { Zellij } from "../zellij/zellij.ts";
import { armyCalled } from "./army-name.ts";
import type { CommandContext } from "../command/command-context.ts";

export interface Army {
  /** The name it was summoned with. Its session may have been renamed since. */
  session: string;
  relayDir: string;
  /** The folder of ended armies. */
  archiveDir: string;
  zellij: Zellij;
  /** What Zellij answered when it was asked for its version, once for the whole command. */
  version: VersionCheck;
  settings: Settings;
}

/** Throws if the name is not a valid session name; Zellij may still be missing or too old. */
export async function armyOf(
  { env, stop }: Pick<CommandContext, "env" | "stop">,
  asked: string | undefined,
  settings = readSettings(env),
): Promise<Army> {
  const session = armyCalled(env, asked ?? settings.session);
  if (!isSessionName(session)) throw new OvldError({ code: "session-name-wrong", facts: { name: session } });
  const relayDir = relayFolder(env, session);
  const { program, version } = await chooseZellij(env, settings.zellij);
  // Ctrl-C ends Zellij too, and then nothing is known about it.
  stop.throwIfAborted();
  const zellij = { program, env: environmentForArmy(env), record: recordIn(relayDir) };
  return { session, relayDir, archiveDir: archiveFolder(env), zellij, version, settings };
}

/** The first one that is new enough, or else the first one, so that its problem can be reported. */
async function chooseZellij(env: Environment, chosen: string | undefined): Promise<ChosenZellij> {
  let first: ChosenZellij | undefined;
  for (const program of zellijCandidates(env, chosen)) {
    const version = await checkZellij({ program, env: environmentForArmy(env) });
    if (version !== "missing" && version.fits) return { program, version };
    first ??= { program, version };
  }
  return first ?? { program: "zellij", version: "missing" };
}

type ChosenZellij = Pick<Zellij, "program"> & Pick<Army, "version">;

/** What prevents Zellij from running a session with this name. */
export function zellijProblems({ session, zellij, version }: Army): ErrorReport[] {
  const problems: ErrorReport[] = [];
  if (version === "missing") problems.push(zellijProblem(zellij));
  else if (!version.fits) {
    const facts = { program: zellij.program, version: version.version, oldest: OLDEST_ZELLIJ };
    problems.push({ code: "zellij-too-old", facts });
  }
  const foreign = foreignSockets(zellij);
  if (foreign) problems.push(foreign);
  const limit = roomForSessionName(zellij);
  if (session.length > limit)
    problems.push({ code: "session-name-too-long", facts: { name: session, limit } });
  return problems;
}

type Holder = Pick<CommandContext, "stop" | "print" | "texts">;

/** Only one command at a time may handle an army: two summons must not both create its session. */
export async function holdArmy({ stop, print, texts }: Holder, { relayDir }: Army): Promise<HeldLock> {
  try {
    return await takeLock(lockOf(relayDir), stop, {
      onWaiting(path, { pid }) {
        print("stderr", `ovld: ${texts.session.waitingForLock(pid, cleanLine(path))}\n`);
      },
    });
  } catch (error) {
    throw explainFileError(error, relayDir);
  }
}

export async function holdingArmy<Result>(
  holder: Holder,
  army: Army,
  action: (release: () => void) => Promise<Result>,
): Promise<Result> {
  const lock = await holdArmy(holder, army);
  try {
    return await action(() => lock.release());
  } catch (error) {
    throw explainFileError(error, army.relayDir);
  } finally {
    lock.release();
  }
}

/** Whether a command is creating or ending the army right now. */
export function isArmyHeld(relayDir: string): boolean {
  return isLocked(lockOf(relayDir));
}

function lockOf(relayDir: string): string {
  return `${relayDir}.lock`;
}

export interface AnnouncedProcesses {
  /** The living relays and agents of this army. */
  ours: string[];
  /** Living processes that were announced, but that nothing proves to be the army's. */
  strangers: string[];
}

/** The living processes that presence files name. Such a file can be forged, so the process itself is checked. */
export function announcedProcesses(relayDir: string): AnnouncedProcesses {
  const presences = openMail(relayDir).presences();
  const all = presences.flatMap(({ role, relay, agent }) => [
    { identity: relay, isOurs: () => isRelayOf(relay, { relayDir, role }) },
    ...(agent === undefined ? [] : [{ identity: agent, isOurs: () => isAgentOf(agent, { relayDir, role }) }]),
  ]);
  const ours = all.filter(({ isOurs }) => isOurs()).map(({ identity }) => identity);
  const strangers = all.map(({ identity }) => identity).filter((each) => !ours.includes(each));
  return { ours, strangers: [...new Set(strangers)].filter((each) => isProcessAlive(each)) };
}
