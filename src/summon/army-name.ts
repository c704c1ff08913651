/** Which army a name means, and the current name of its session: a person may rename a session. */
import { environmentForArmy } from "../agent/army-environment.ts";
import type { Environment } from "../system/run-program.ts";
import { relayFolder } from "../config/folders.ts";
import { presentName, recordedName, recordIn } from "../zellij/session-record.ts";
import type { Zellij } from "../zellij/zellij.ts";
import { knownArmies } from "./known-armies.ts";

/** The army whose session currently has this name, or else the one that was summoned with it. */
export function armyCalled(env: Environment, name: string): string {
  return knownArmies(env).find((army) => recordedName(socketsOf(env, army), army) === name) ?? name;
}

/** Zellij's current name for the session of an army. */
export function sessionNow(env: Environment, army: string): string {
  return presentName(socketsOf(env, army), army) ?? army;
}

/** Only for looking at sockets; any Zellij will do. */
export function socketsOf(env: Environment, army: string): Zellij {
  return { program: "zellij", env: environmentForArmy(env), record: recordIn(relayFolder(env, army)) };
}
