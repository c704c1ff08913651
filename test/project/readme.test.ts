import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it } from "vitest";
import { OLDEST_ZELLIJ } from "../../src/zellij/version.ts";
import { OVLD, runOvld } from "../support/ovld.ts";
import { makeSandbox } from "../support/sandbox.ts";

const root = process.cwd();
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Its packages are bundled, so there is nothing to fetch. */
const INSTALL = "npm install --global --install-links .";

const READMES = ["README.md", "README.ja.md"];

describe.each(READMES)("%s", (name) => {
  const text = readFileSync(join(root, name), "utf8");

  it("names only commands that exist", async () => {
    await using sandbox = makeSandbox();
    const commands = blocks(text, "sh").flatMap((block) => block.trim().split("\n"));
    expect(commands.length).toBeGreaterThan(0);
    const help = (await runOvld(sandbox, ["--help"])).stdout;
    for (const command of commands) {
      if (command === INSTALL) continue;
      const [, script, subcommand] = /^(?:npm (?:run )?([\w:]+)|ovld (\w+))$/.exec(command) ?? [];
      expect(script === undefined ? help : JSON.stringify(manifest.scripts)).toContain(
        script ?? `  ovld ${subcommand}`,
      );
    }
  });

  it("shows how to install ovld for good", async () => {
    await using sandbox = makeSandbox();
    expect(blocks(text, "sh").map((block) => block.trim())).toContain(INSTALL);
    const [program, ...args] = [...INSTALL.split(" "), "--prefix", sandbox.root, "--offline"];
    const install = spawnSync(program, args, { cwd: root, encoding: "utf8" });
    expect([install.status, install.stderr]).toEqual([0, expect.anything()]);
    const installed = join(sandbox.root, "bin/ovld");
    expect(lstatSync(join(sandbox.root, "lib/node_modules/ovld")).isSymbolicLink()).toBe(false);
    const { stdout } = spawnSync(installed, ["--version"], { encoding: "utf8" });
    expect(stdout.trim()).toBe(manifest.version);
  });

  it("says how often processes were killed and agents rung as the recorded runs have it", () => {
    const { torture, wake } = JSON.parse(readFileSync(join(root, "docs/benchmarks.json"), "utf8"));
    const bells = wake.rows.reduce((sum: number, row: { bells: number }) => sum + row.bells, 0);
    const [said] = /^.*docs\/relay\.md.*$/m.exec(text) ?? [];
    for (const times of [torture.rounds, bells]) expect(said).toContain(times.toLocaleString("en"));
  });

  it("has at most 120 lines", () => {
    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(120);
  });
});

it.each(
  [...READMES, ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)].filter((name) =>
    name.endsWith(".md"),
  ),
)("%s links only to files that exist", (name) => {
  const links = [...readFileSync(join(root, name), "utf8").matchAll(/\]\(([^)#]+)[^)]*\)/g)]
    .map(([, path = ""]) => path)
    .filter((path) => !path.startsWith("https:"));
  expect(links.filter((path) => !existsSync(join(root, dirname(name), path)))).toEqual([]);
});

it("docs/relay.md shows an MCP configuration that starts the relay, and the tools that it has", async () => {
  await using sandbox = makeSandbox();
  const text = readFileSync(join(root, "docs/relay.md"), "utf8");
  const [config = "{}"] = blocks(text, "json");
  const { command, args, env } = JSON.parse(config).mcpServers["ovld-relay"];
  expect(command).toBe(Object.keys(manifest.bin)[0]);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [OVLD, ...args],
    env: { ...sandbox.env, ...env, OVLD_RELAY_DIR: sandbox.relayDir },
  });
  const client = new Client({ name: "test", version: "0" });
  await client.connect(transport);
  sandbox.defer(() => client.close());
  const tools = (await client.listTools()).tools.map((tool) => tool.name);
  expect(tools).toEqual([...text.matchAll(/^\| `(\w+)` +\|/gm)].map(([, tool]) => tool));
});

it("both READMEs have the same sections and tables, and the same versions and paths in them", () => {
  const [english, japanese] = READMES.map((name) => readFileSync(join(root, name), "utf8"));
  expect(shapeOf(japanese)).toEqual(shapeOf(english));
  expect(english).toContain(manifest.engines.node.replace(">=", ""));
  expect(english).toContain(OLDEST_ZELLIJ);
});

it("the changelog begins with what is not released yet", () => {
  expect(readFileSync(join(root, "CHANGELOG.md"), "utf8")).toMatch(/^# Changelog\n\n## Unreleased\n/);
});

function blocks(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "gs"))].map(
    ([, block = ""]) => block,
  );
}

function shapeOf(text = "") {
  return {
    sections: text.match(/^## /gm)?.length,
    rows: text.split(/^## /m).map((section) => section.match(/^\|/gm)?.length ?? 0),
    paths: [...new Set(text.match(/`~[^`]+`/g))].toSorted(),
    versions: [...new Set(text.match(/\d+\.\d+\.\d+/g))].toSorted(),
  };
}
