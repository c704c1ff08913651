/** A practice agent on a terminal of its own, with a real relay behind it. */
import { parseSettings } from "../../src/config/settings.ts";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { IPty } from "@lydell/node-pty";
import { expect } from "vitest";
import { makeSecrets, planArmyFiles, writeArmyFiles } from "../../src/summon/army-files.ts";
import type { Role } from "../../src/army/roles.ts";
import { practice } from "../../src/agent/practice/practice.ts";
import { claudeScreen } from "../../src/agent/claude/claude-screen.ts";
import { OVLD } from "./ovld.ts";
import { followLines } from "./read-lines.ts";
import type { Sandbox } from "./sandbox.ts";
import { createScreen } from "./screen.ts";
import { openTerminal } from "./terminal.ts";

export interface PracticeAgent {
  pty: IPty;
  resize: (columns: number, rows: number) => void;
  /** The lines on its terminal. */
  screen: () => string[];
  composer: () => string | undefined;
  /** What it recorded about itself: everything, or one kind of event. */
  record: (event?: string) => any[];
  /** Waits until it has its tools. */
  ready: () => Promise<void>;
  exited: Promise<number>;
}

export interface PracticeStart {
  role?: Role;
  /** This role's part of the script. */
  script?: object;
  columns?: number;
  rows?: number;
  env?: Record<string, string>;
}

export function startPracticeAgent(sandbox: Sandbox, start: PracticeStart = {}): PracticeAgent {
  const { role = "inferno", script = {}, columns = 80, rows = 24 } = start;
  const { relayDir } = sandbox;
  mkdirSync(relayDir, { recursive: true });
  writeArmyFiles(
    planArmyFiles({
      session: "test",
      relayDir,
      cwd: sandbox.root,
      agent: practice,
      agentProgram: process.execPath,
      ovld: { node: process.execPath, file: OVLD },
      // There is no session, so nothing is rung in these tests.
      zellij: "/nonexistent/zellij",
      settings: parseSettings({}),
      secrets: makeSecrets(),
    }),
  );
  const scriptFile = join(sandbox.root, `${role}-script.json`);
  writeFileSync(scriptFile, JSON.stringify({ workMs: 30, roles: { [role]: script } }));
  const recordFile = join(sandbox.root, `${role}-record`);
  const env = {
    ...sandbox.env,
    TERM: "xterm-256color",
    OVLD_PRACTICE_SCRIPT: scriptFile,
    OVLD_PRACTICE_RECORD: recordFile,
    ...start.env,
  };
  const files = ["--mcp-config", join(relayDir, "mcp", `${role}.json`)];
  const settings = ["--settings", join(relayDir, "settings", `${role}.json`)];
  const command = [OVLD, "practice-agent", ...files, ...settings];
  const { pty, exited } = openTerminal(sandbox, env, sandbox.root, [process.execPath, ...command], {
    columns,
    rows,
  });
  const shown = createScreen(columns, rows);
  pty.onData((text) => shown.write(text));
  const lines = followLines(recordFile);
  const record = (event?: string): any[] =>
    lines().filter((entry) => event === undefined || entry.event === event);
  return {
    pty,
    resize(newColumns, newRows) {
      pty.resize(newColumns, newRows);
      shown.resize(newColumns, newRows);
    },
    screen: () => shown.lines(),
    composer: () => claudeScreen.readComposer(shown.lines()),
    record,
    async ready() {
      await expect.poll(() => record("ready")).toHaveLength(1);
    },
    exited,
  };
}
