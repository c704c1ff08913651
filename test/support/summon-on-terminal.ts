import { expect } from "vitest";
import { OVLD } from "./ovld.ts";
import { openTerminal, type Terminal } from "./terminal.ts";
import type { ZellijWorld } from "./zellij.ts";

export const ZELLIJ = process.env["OVLD_TEST_ZELLIJ"] ?? "zellij";

export const CTRL_O = "\u000f";

export const CTRL_Q = "\u0011";

export async function summonOn(world: ZellijWorld, { rows = 50 } = {}): Promise<Terminal> {
  const command: [string, ...string[]] = [process.execPath, OVLD, "summon", "--no-rituals"];
  const terminal = openTerminal(world.sandbox, world.env, world.project, command, { columns: 200, rows });
  // Does not ask Zellij: a call while a session starts may remove its socket.
  await world.recordings();
  await expect.poll(terminal.output).toContain("command");
  return terminal;
}

type End = [how: string, end: (world: ZellijWorld, terminal: Terminal) => unknown];

export const ENDS: End[] = [
  ["killed from outside", (world) => world.zellij("kill-session", "overlord")],
  ["left by quitting", (_, { pty }) => pty.write(CTRL_Q)],
  ["ended by its server's death", (world) => process.kill(world.server(), "SIGKILL")],
];
