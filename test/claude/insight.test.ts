import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeSecrets } from "../../src/mail/secrets.ts";
import { planArmyFiles, writeArmyFiles } from "../../src/agent/army-files.ts";
import { claude } from "../../src/agent/claude/claude.ts";
import type { Role } from "../../src/army/roles.ts";
import { insightFolder } from "../../src/config/insight-folder.ts";
import { resolveLinks } from "../../src/system/resolve-links.ts";
import { claudeEnv, claudeProgram } from "../support/claude.ts";
import { startModel, type ModelRequest } from "../support/model.ts";
import { OVLD } from "../support/ovld.ts";
import { makeSandbox, type Sandbox } from "../support/sandbox.ts";

/** A configuration folder whose name contains pattern characters, reached through a link as dotfiles often are. */
const ODD = "odd (1) [x]";

interface Desk {
  sandbox: Sandbox;
  project: string;
  notes: string;
}

function makeDesk(sandbox: Sandbox): Desk {
  const project = join(sandbox.root, "my project");
  mkdirSync(project);
  const config = join(sandbox.home, "linked");
  mkdirSync(join(sandbox.home, ODD));
  symlinkSync(ODD, config);
  const notes = resolveLinks(insightFolder({ XDG_CONFIG_HOME: config }, () => project));
  return { sandbox, project, notes };
}

/** What tools answer a role whose Claude Code has an army's files, and nobody to ask for permission. */
async function work(
  { sandbox, project, notes }: Desk,
  role: Role,
  calls: { tool: string; input: object }[],
  moreFlags: string[] = [],
): Promise<{ results: string[]; requests: ModelRequest[] }> {
  const model = await startModel(sandbox, ({ toolResults }) => calls[toolResults.length] ?? "all done");
  const { relayDir } = sandbox;
  const program = claudeProgram();
  const files = planArmyFiles({
    session: "test",
    relayDir,
    cwd: project,
    agent: claude,
    agentProgram: program,
    ovld: { node: process.execPath, file: OVLD },
    zellij: "zellij",
    wake: "auto",
    secrets: makeSecrets(),
    insightDir: notes,
    // Without a dialog that shows it meanwhile, a request that is held would wait for ever.
    desk: { answer: false, notify: false },
  });
  writeArmyFiles(files);
  const config = join(relayDir, "mcp", `${role}.json`);
  const settings = join(relayDir, "settings", `${role}.json`);
  const flags = ["--settings", settings, "--strict-mcp-config", "--permission-mode", "manual", ...moreFlags];
  const child = spawn(program, ["-p", "go", `--mcp-config=${config}`, ...flags], {
    cwd: project,
    env: claudeEnv(sandbox, model.url, [project]),
    stdio: "ignore",
  });
  await once(child, "close");
  return { results: model.requests.at(-1)?.toolResults ?? [], requests: model.requests };
}

function write(path: string): { tool: string; input: object } {
  return { tool: "Write", input: { file_path: path, content: "Build with make\n" } };
}

it("the strategist of a real Claude Code is told where the notes are, and writes and reads them without a question", async () => {
  await using sandbox = makeSandbox();
  const desk = makeDesk(sandbox);
  const note = join(desk.notes, "build.md");
  const edit = { file_path: note, old_string: "make", new_string: "ninja" };
  const { results, requests } = await work(desk, "strategist", [
    write(note),
    { tool: "Edit", input: edit },
    { tool: "Read", input: { file_path: note } },
    { tool: "Bash", input: { command: `head -n 1 '${desk.notes}'/*.md`, description: "summaries" } },
    write(join(desk.project, ".ovld/campaign.md")),
  ]);
  expect(JSON.stringify(requests[0]?.messages)).toContain(desk.notes);
  for (const result of results) expect(result).not.toMatch(/permission|approval|blocked/);
  expect(results).toHaveLength(5);
  expect(results[3]).toBe("Build with ninja");
  expect(readFileSync(note, "utf8")).toBe("Build with ninja\n");
  expect(existsSync(join(desk.project, ".ovld/campaign.md"))).toBe(true);
}, 120_000);

it("that applies to nothing else: neither to another project's notes, nor to the project, nor to a general", async () => {
  await using sandbox = makeSandbox();
  const desk = makeDesk(sandbox);
  const other = join(desk.notes, "../other/build.md");
  mkdirSync(join(desk.notes, "../other"), { recursive: true });
  writeFileSync(other, "theirs\n");
  const refused = [
    write(join(desk.notes, "../other/new.md")),
    write(join(desk.notes, "../new.md")),
    write(join(desk.project, "code.ts")),
    { tool: "Read", input: { file_path: other } },
  ];
  for (const result of (await work(desk, "strategist", refused)).results)
    expect(result).toMatch(/requested permissions/);
  mkdirSync(desk.notes);
  writeFileSync(join(desk.notes, "build.md"), "Build with make\n");
  const { results } = await work(desk, "storm", [
    { tool: "Read", input: { file_path: join(desk.notes, "build.md") } },
    write(join(desk.notes, "new.md")),
    write(join(desk.project, ".ovld/campaign.md")),
  ]);
  expect(results).toEqual([
    expect.stringContaining("Build with make"),
    expect.stringMatching(/requested permissions/),
    expect.stringMatching(/requested permissions/),
  ]);
}, 120_000);

it("no role's tools read the army's secrets or write into its folder, even if the person allows them everything", async () => {
  await using sandbox = makeSandbox();
  const desk = makeDesk(sandbox);
  const { relayDir } = sandbox;
  const planted = join(relayDir, "inbox/storm/planted.json");
  const { results } = await work(
    desk,
    "storm",
    [
      ...["secrets.json", "mcp/overlord.json", "settings/storm.json"].map((name) => ({
        tool: "Read",
        input: { file_path: join(relayDir, name) },
      })),
      write(planted),
      write(join(desk.project, "code.ts")),
    ],
    ["--allowedTools", "Read,Write,Edit"],
  );
  expect(results).toHaveLength(5);
  for (const result of results.slice(0, 4)) expect(result).toMatch(/denied/);
  const secrets = JSON.parse(readFileSync(join(relayDir, "secrets.json"), "utf8"));
  for (const secret of Object.values<string>(secrets)) expect(results.join()).not.toContain(secret);
  expect(existsSync(planted)).toBe(false);
  // So everything else was allowed.
  expect(existsSync(join(desk.project, "code.ts"))).toBe(true);
}, 120_000);
