/** An army of real Claude Codes in a real Zellij, as `ovld summon` opens it, with a stand-in for their model. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROLES, type Role } from "../../src/army/roles.ts";
import { identifyProcess, isProcessAlive } from "../../src/system/process.ts";
import { packagedRitual } from "./packaged-ritual.ts";
import { claudeEnv, claudeProgram } from "./claude.ts";
import { startModel, type Script, type StandInModel } from "./model.ts";
import { endIfThrown } from "./sandbox.ts";
import { waitUntil } from "./wait-until.ts";
import { makeZellijWorld, type ZellijWorld } from "./zellij.ts";

export interface ClaudeArmy {
  world: ZellijWorld;
  model: StandInModel;
  /** Resolves when all six are running. Does not ask Zellij: a call while a session starts may remove its socket. */
  started(): Promise<void>;
  /** The roles whose ritual, byte for byte, a Claude has sent as a prompt. */
  served(): Role[];
  /** Every text in each Claude's last request to its model. */
  conversations(): string[][];
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Keeps everything else that is installed out of it, and records its process, which is Claude's own after the `exec`.
 */
const WRAPPER = `#!/bin/sh
echo $$ >> 'PIDS'
exec 'CLAUDE' --permission-mode manual --strict-mcp-config "$@"
`;

export interface ArmyOptions {
  trusted: boolean;
  /** What the model says; a caller that provides it sees the requests, so they are not kept. */
  script?: Script;
  /** What Claude Code may do without asking, in its own rules. */
  allow?: string[];
}

export async function makeClaudeArmy({ trusted, script, allow }: ArmyOptions): Promise<ClaudeArmy> {
  const world = makeZellijWorld();
  return endIfThrown(world, async () => {
    const model = await startModel(world.sandbox, script ?? (() => "understood"), { keeps: !script });
    const { PATH: _, ...env } = claudeEnv(world.sandbox, model.url, trusted ? [world.project] : []);
    Object.assign(world.env, env);
    if (allow) allowTools(world.env["CLAUDE_CONFIG_DIR"] ?? "", allow);
    const pids = join(world.sandbox.root, "pids");
    const wrapper = WRAPPER.replace("PIDS", pids).replace("CLAUDE", claudeProgram());
    writeFileSync(join(world.sandbox.root, "bin/claude"), wrapper);
    const conversations = (): string[][] => {
      const last = new Map(model.requests.map(({ session, messages }) => [session, messages]));
      return [...last.values()].map((messages) => messages.flatMap(textsIn));
    };
    const processes = (): string[] => (existsSync(pids) ? readFileSync(pids, "utf8").trim().split("\n") : []);
    return {
      world,
      model,
      conversations,
      started: () => waitUntil("all six are started", () => processes().length >= ROLES.length),
      served: () =>
        ROLES.filter((role) => conversations().some((texts) => texts.includes(packagedRitual(role)))),
      async [Symbol.asyncDispose]() {
        const identities = processes().flatMap((pid) => identifyProcess(Number(pid)) ?? []);
        try {
          await world.ovld("unsummon", "--yes");
          await waitUntil("no agent lives", () => !identities.some((identity) => isProcessAlive(identity)));
        } finally {
          await world[Symbol.asyncDispose]();
        }
      },
    };
  });
}

function allowTools(configDir: string, allow: string[]): void {
  const path = join(configDir, "settings.json");
  const settings = JSON.parse(readFileSync(path, "utf8"));
  writeFileSync(path, JSON.stringify({ ...settings, permissions: { allow } }));
}

function textsIn({ content }: { content: unknown }): string[] {
  return Array.isArray(content) ? content.map(({ text }) => String(text)) : [String(content)];
}
