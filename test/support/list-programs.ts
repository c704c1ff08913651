/** Which external programs the tests use, with version and path: one line each. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { ProvidedChromium } from "./browser.ts";
import type { Server } from "../../src/machines/server/nats-server.ts";
import { CLAUDE_PACKAGE } from "./claude.ts";
import { nodePackage, SUPPORTED_NODES, TOO_OLD_NODE } from "./node-binary.ts";
import { cachedPath, type NpmProgram } from "./npm-cache.ts";

export function listPrograms(zellij: string, nats: Server, chromium: ProvidedChromium): string[] {
  const version = spawnSync(zellij, ["--version"], { encoding: "utf8" })
    .stdout.trim()
    .replace(/^zellij /, "");
  return [
    `Node.js ${process.versions.node}: ${process.execPath}`,
    `Zellij ${version}: ${zellij}`,
    `nats-server ${nats.version}: ${nats.program}`,
    describe("Claude Code", CLAUDE_PACKAGE),
    describeChromium(chromium),
    ...[TOO_OLD_NODE, ...SUPPORTED_NODES].map((each) => describe("Node.js", nodePackage(each))),
  ];
}

function describeChromium(chromium: ProvidedChromium): string {
  if ("lack" in chromium) return `Chromium: ${chromium.lack}, so the desk's page is not tested`;
  const { stdout } = spawnSync(chromium.program, ["--version"], { encoding: "utf8" });
  return `${stdout.trim()}: ${chromium.program}`;
}

function describe(title: string, program: NpmProgram): string {
  const path = cachedPath(program);
  return `${title} ${program.version}: ${existsSync(path) ? path : "fetched from npm when a test needs it"}`;
}
