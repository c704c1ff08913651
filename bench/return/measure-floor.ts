/**
 * The least that opening an army can take: a bare Zellij that starts six bare Claude Codes at once, until each has
 * listed the tools of a bare MCP server. Measured for new conversations and for those that the army has, in turn.
 */
import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ROLES, type Role } from "../../src/army/roles.ts";
import { formatLayout, type PaneCommand } from "../../src/zellij/layout.ts";
import { creationArgs } from "../../src/zellij/sessions.ts";
import { cutPower } from "../../test/support/power-cut.ts";
import type { ZellijWorld } from "../../test/support/zellij.ts";
import { median } from "../statistics.ts";

export interface ReturnFloor {
  /** Six begin a conversation. */
  beginMs: number;
  /** Six resume one. */
  resumeMs: number;
}

/** `ids` are the conversations to resume; no process may be in them. */
export async function measureFloor(
  world: ZellijWorld,
  ids: ReadonlyMap<Role, string | undefined>,
  samples: number,
): Promise<ReturnFloor> {
  const begun: number[] = [];
  const resumed: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    begun.push(await openSix(world, () => ["--session-id", randomUUID()]));
    resumed.push(await openSix(world, (role) => ["--resume", ids.get(role) ?? ""]));
  }
  return { beginMs: median(begun), resumeMs: median(resumed) };
}

const READY_WITHIN_MS = 120_000;

async function openSix(world: ZellijWorld, flagsOf: (role: Role) => string[]): Promise<number> {
  const folder = mkdtempSync(join(world.sandbox.root, "floor-"));
  const readyFile = (role: Role): string => join(folder, `${role}.ready`);
  const commandOf = (role: Role): PaneCommand => {
    const config = join(folder, `${role}.json`);
    writeFileSync(config, formatMcpConfig(readyFile(role)));
    return {
      program: join(world.sandbox.root, "bin/claude"),
      args: ["--mcp-config", config, ...flagsOf(role)],
    };
  };
  const layout = join(folder, "layout.kdl");
  writeFileSync(layout, formatLayout({ cwd: world.project, commandOf }));
  const began = performance.now();
  await world.zellij(...creationArgs("floor", layout, "background"));
  while (!ROLES.every((role) => existsSync(readyFile(role)))) {
    await pause(20);
    if (performance.now() - began > READY_WITHIN_MS) throw new Error("not all six bare agents were ready");
  }
  const took = performance.now() - began;
  await cutPower(world);
  return took;
}

function formatMcpConfig(readyFile: string): string {
  const args = [join(process.cwd(), "bench/return/bare-server.mjs"), readyFile];
  const bare = { type: "stdio", command: process.execPath, args, alwaysLoad: true };
  return JSON.stringify({ mcpServers: { bare } });
}
