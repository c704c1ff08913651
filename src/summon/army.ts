/** One army as commands see it: its name, its folder, its mail and its Zellij. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { environmentForArmy } from "../agent/army-process.ts";
import { ROLES, type Role } from "../army/roles.ts";
import { DEFAULT_SESSION, isSessionName } from "../army/words.ts";
import type { CommandContext } from "../command/command-context.ts";
import { archiveFolder, membershipPath, relayFolder } from "../config/folders.ts";
import { readSettings, type Settings } from "../config/settings.ts";
import { openMail, type Mail } from "../mail/mail.ts";
import type { MachinePart } from "../mail/other-machines.ts";
import { cleanLine } from "../system/clean-text.ts";
import { explainFileError } from "../system/file-error.ts";
import { isLocked, takeLock, type HeldLock } from "../system/lock-file.ts";
import { OvldError } from "../system/ovld-error.ts";
import { listFolder } from "../system/paths.ts";
import type { Environment } from "../system/run-program.ts";
import { presentName, recordedName, recordIn } from "../zellij/session-record.ts";
import { chooseZellij, type VersionCheck } from "../zellij/version.ts";
import type { Zellij } from "../zellij/zellij.ts";

export interface Army {
  /** The name it was summoned with. Its session may have been renamed since. */
  session: string;
  relayDir: string;
  archiveDir: string;
  zellij: Zellij;
  /** What Zellij answered when it was asked for its version, once for the whole command. */
  version: VersionCheck;
  settings: Settings;
}

/** An army of which only the files are needed. */
export interface ArmyMail {
  /** The name it was summoned with. */
  session: string;
  relayDir: string;
  mail: Mail;
}

/** Throws if the name is not a valid session name; Zellij may still be missing or too old. */
export async function armyOf(
  { env, stop }: Pick<CommandContext, "env" | "stop">,
  asked: string | undefined,
  settings = readSettings(env),
): Promise<Army> {
  const { session, relayDir } = findArmy(env, asked ?? settings.session);
  const within = environmentForArmy(env);
  const { program, version } = await chooseZellij(within, settings.zellij);
  // Ctrl-C ends Zellij too, and then nothing is known about it.
  stop.throwIfAborted();
  const zellij = { program, env: within, record: recordIn(relayDir) };
  return { session, relayDir, archiveDir: archiveFolder(env), zellij, version, settings };
}

/**
 * The army whose session currently has this name, or else the one that was summoned with it: a person may rename a
 * session. Throws if the name is not a valid session name.
 */
export function findArmy(env: Environment, name: string): Pick<Army, "session" | "relayDir"> {
  const renamed = knownArmies(env).find((army) => recordedName(socketsOf(env, army), army) === name);
  const session = renamed ?? name;
  if (!isSessionName(session)) throw new OvldError({ code: "session-name-wrong", facts: { name: session } });
  return { session, relayDir: relayFolder(env, session) };
}

/** Every army that has a store; other folders that were left or copied there do not count. */
export function knownArmies(env: Environment): string[] {
  const first = relayFolder(env, DEFAULT_SESSION);
  const others = dirname(relayFolder(env, "other"));
  return [
    ...(openMail(first).exists() ? [DEFAULT_SESSION] : []),
    ...listFolder(others)
      .toSorted()
      .filter((name) => isSessionName(name) && openMail(join(others, name)).exists()),
  ];
}

/** Zellij's current name for the session of an army. */
export function sessionNow(env: Environment, army: string): string {
  return presentName(socketsOf(env, army), army) ?? army;
}

/** Only for looking at sockets; any Zellij will do. */
export function socketsOf(env: Environment, army: string): Zellij {
  return { program: "zellij", env: environmentForArmy(env), record: recordIn(relayFolder(env, army)) };
}

type LockUser = Pick<CommandContext, "stop" | "print" | "texts">;

/** Only one command at a time may handle an army: two summons must not both create its session. */
export async function holdArmy({ stop, print, texts }: LockUser, { relayDir }: Army): Promise<HeldLock> {
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
  user: LockUser,
  army: Army,
  action: (release: () => void) => Promise<Result>,
): Promise<Result> {
  const lock = await holdArmy(user, army);
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

type Machine = Pick<CommandContext, "env" | "loadMachines">;

/** This machine's part in an army on several; undefined if it has not joined an army of that name. */
export function partOfMachine({ env, loadMachines }: Machine, session: string): MachinePart | undefined {
  const path = membershipPath(env, session);
  if (!existsSync(path)) return undefined;
  const part = loadMachines().readPart(path);
  if (part !== undefined && "unfit" in part) throw new OvldError(part.unfit);
  return part;
}

/** Undefined if the army was summoned for this machine alone, even if it has joined one of that name since. */
export function partOfArmy(
  context: Machine,
  { session, mail }: Omit<ArmyMail, "relayDir">,
): MachinePart | undefined {
  const record = mail.army();
  const isPlain = record !== undefined && record.machine === undefined;
  return isPlain ? undefined : partOfMachine(context, session);
}

/** The roles that an army has on this machine. */
export function rolesOnMachine(context: Machine, session: string): readonly Role[] {
  return partOfMachine(context, session)?.roles ?? ROLES;
}
