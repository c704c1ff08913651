import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { openSocket, startAgent } from "../support/hooked-relay.ts";
import { OVLD } from "../support/ovld.ts";
import { programPath } from "../support/program-path.ts";
import { makeSandbox, type Sandbox } from "../support/sandbox.ts";
import { soon } from "../support/wait-until.ts";
import { openMail } from "../../src/mail/mail.ts";

const MOST_FILES = 60;

/** The relay, built as it is published, but with source maps. */
async function buildRelay(sandbox: Sandbox): Promise<string> {
  const dist = join(sandbox.root, "dist");
  await build({
    bundle: true,
    platform: "node",
    target: "node20.19",
    define: { OVLD_VERSION: '"0"' },
    entryPoints: {
      relay: "src/relay/main.ts",
      tools: "src/relay/open-tools.ts",
      "texts-en": "src/i18n/en.ts",
    },
    outdir: dist,
    format: "cjs",
    outExtension: { ".js": ".cjs" },
    sourcemap: true,
  });
  const program = join(sandbox.root, "bin", basename(OVLD));
  mkdirSync(dirname(program));
  copyFileSync(OVLD, program);
  return program;
}

/** The source files of the functions that ran. */
function readTrace(folder: string): string[] {
  const traces = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const files = traces.flatMap((name) => {
    const ran: { file: string; offsets: number[] }[] = JSON.parse(readFileSync(join(folder, name), "utf8"));
    return ran.flatMap(({ file, offsets }) => {
      const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8")));
      const lines = readFileSync(file, "utf8").split("\n");
      const starts = lines.map(() => 0);
      for (let line = 1; line < lines.length; line += 1)
        starts[line] = (starts[line - 1] ?? 0) + (lines[line - 1] ?? "").length + 1;
      return offsets.map((offset) => {
        const line = starts.findLastIndex((start) => start <= offset);
        const entry = map.findEntry(line, offset - (starts[line] ?? 0));
        const source = "originalSource" in entry ? entry.originalSource : "";
        return relative(process.cwd(), join(dirname(file), source));
      });
    });
  });
  return [...new Set(files)].filter((file) => file.startsWith("src/")).toSorted();
}

/** The files that docs/architecture.md names as the way of a message, a folder and its files in each line. */
function listedFiles(): string[] {
  const [, list = ""] =
    /^The files on this way:\n\n```\n(.*?)```/ms.exec(readFileSync("docs/architecture.md", "utf8")) ?? [];
  return list
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [folder = "", ...names] = line.split(/\s+/);
      return names.map((name) => join("src", folder, `${name}.ts`));
    });
}

it("a message, from send_message to the end of its reader's check_inbox, runs through the files that the architecture lists, at most 60", async () => {
  await using sandbox = makeSandbox();
  const program = await buildRelay(sandbox);
  const trace = join(sandbox.root, "trace");
  mkdirSync(trace);
  const { path } = await openSocket(sandbox);
  const variables = {
    OVLD_BELL_CARRY: "off",
    OVLD_TEST_TRACE: trace,
    NODE_OPTIONS: `--import=${programPath("trace-functions.mjs")}`,
  };
  const sender = await startAgent(sandbox, "strategist", path, variables, { program });
  const reader = await startAgent(sandbox, "inferno", path, variables, { program });
  for (const agent of [sender, reader]) await agent.hook("SessionStart");
  const mail = openMail(sandbox.relayDir);
  await expect.poll(() => mail.agentReport("inferno")?.state, soon).toBe("idle");
  writeFileSync(join(trace, "begin"), "");
  await expect.poll(() => readdirSync(trace), soon).toHaveLength(3);
  const order = { to: "inferno", subject: "order", body: "burn" };
  expect((await sender.call("send_message", order)).text).toBe("stored");
  await reader.hook("UserPromptSubmit", { prompt: "note" });
  expect((await reader.call("check_inbox")).json).toMatchObject([{ body: "burn" }]);
  await reader.hook("Stop");
  await expect.poll(() => mail.countUnread("inferno"), soon).toBe(0);
  writeFileSync(join(trace, "end"), "");
  await expect.poll(() => readdirSync(trace).filter((name) => name.endsWith(".json")), soon).toHaveLength(2);
  const files = readTrace(trace);
  const listed = listedFiles();
  expect(files.filter((file) => !listed.includes(file))).toEqual([]);
  expect(listed.length).toBeLessThanOrEqual(MOST_FILES);
});
