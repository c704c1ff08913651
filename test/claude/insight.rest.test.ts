import { parseSettings } from "../../src/config/settings.ts";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { makeSecrets, planArmyFiles, writeArmyFiles, type OwnPaths } from "../../src/summon/army-files.ts";
import { claude } from "../../src/agent/claude/claude.ts";
import type { Role } from "../../src/army/roles.ts";
import { insightFolder } from "../../src/config/folders.ts";
import { resolveLinks } from "../../src/system/paths.ts";
import { claudeEnv, claudeProgram } from "../support/claude.ts";
import { startModel, type ModelRequest } from "../support/model.ts";
import { OVLD } from "../support/ovld.ts";
import { runCommand } from "../support/run-command.ts";
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
  { flags: moreFlags = [], own }: { flags?: string[]; own?: OwnPaths } = {},
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
    secrets: makeSecrets(),
    insightDir: notes,
    ...(own && { own }),
    // Without a dialog that shows it meanwhile, a request that is held would wait for ever.
    settings: parseSettings({}, "[desk]\nanswer = false\nnotify = false"),
  });
  writeArmyFiles(files);
  const config = join(relayDir, "mcp", `${role}.json`);
  const settings = join(relayDir, "settings", `${role}.json`);
  const flags = ["--settings", settings, "--strict-mcp-config", "--permission-mode", "manual", ...moreFlags];
  await runCommand(sandbox, [program, "-p", "go", `--mcp-config=${config}`, ...flags], {
    cwd: project,
    env: claudeEnv(sandbox, model.url, [project]),
  });
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
});

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
});

/** Tools that the person allows without a question. */
const ALL = ["--allowedTools", "Read,Write,Edit"];

it("no role's tools read the army's secrets or write into its folder, even if the person allows them everything", async () => {
  await using sandbox = makeSandbox();
  const desk = makeDesk(sandbox);
  const { relayDir } = sandbox;
  const planted = join(relayDir, "inbox/storm/planted.json");
  const { results } = await work(
    desk,
    "storm",
    [
      ...["mcp/overlord.json", "settings/storm.json"].map((name) => ({
        tool: "Read",
        input: { file_path: join(relayDir, name) },
      })),
      write(planted),
      write(join(desk.project, "code.ts")),
    ],
    { flags: ALL },
  );
  expect(results).toHaveLength(4);
  for (const result of results.slice(0, 3)) expect(result).toMatch(/denied/);
  expect(existsSync(planted)).toBe(false);
  // So everything else was allowed.
  expect(existsSync(join(desk.project, "code.ts"))).toBe(true);
});

it("the same is true of all armies, of the hub's keys and of the configuration, by whatever path; the notes stay open", async () => {
  await using sandbox = makeSandbox();
  const desk = makeDesk(sandbox);
  const config = join(desk.notes, "../..");
  const own: OwnPaths = {
    armies: [join(config, "relay"), join(config, "relays/*")],
    secret: [join(config, "joined")],
    settings: [join(config, "config.toml")],
  };
  const files = ["relays/other/settings/storm.json", "relays/other/mcp/storm.json", "joined/camp.json"];
  const note = join(desk.notes, "build.md");
  for (const path of [...files, "config.toml", "relays/other/rituals/storm.md"].map((each) =>
    join(config, each),
  ))
    writeWithin(path, "# old\n");
  writeWithin(note, "# old\n");
  const { results } = await work(
    desk,
    "strategist",
    [
      ...files.map((name) => read(join(config, name))),
      read(join(sandbox.home, "linked/ovld", files[0] ?? "")),
      write(join(config, "relays/other/inbox/storm/planted.json")),
      read(join(config, "config.toml")),
      {
        tool: "Edit",
        input: { file_path: join(config, "config.toml"), old_string: "old", new_string: "new" },
      },
      read(join(config, "relays/other/rituals/storm.md")),
      read(note),
      { tool: "Edit", input: { file_path: note, old_string: "old", new_string: "new" } },
    ],
    { flags: ALL, own },
  );
  const denied = results.map((result) => /denied/.test(result));
  expect(denied).toEqual([true, true, true, true, true, false, true, false, false, false]);
  expect(readFileSync(join(config, "config.toml"), "utf8")).toBe("# old\n");
  expect(readFileSync(note, "utf8")).toBe("# new\n");
});

function read(path: string): { tool: string; input: object } {
  return { tool: "Read", input: { file_path: path } };
}

function writeWithin(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
