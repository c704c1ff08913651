import { parseSettings } from "../../src/config/settings.ts";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { planArmyFiles, writeArmyFiles, makeSecrets } from "../../src/summon/army-files.ts";
import { ROLES } from "../../src/army/roles.ts";
import type { Language } from "../../src/army/words.ts";
import { claude } from "../../src/agent/claude/claude.ts";
import type { Conversation } from "../../src/mail/records/conversation.ts";
import { identifyProcess } from "../../src/system/process.ts";
import { OVLD } from "../support/ovld.ts";
import { startStandIn } from "../support/stand-in.ts";
import { makeStore, type StoreFixture } from "../support/store.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface Launched {
  code: number | null;
  stderr: string;
  /** What the program in place of Claude Code was started with, and its process. */
  words: string[] | undefined;
  pid: number;
}

/** Runs the launcher that summon writes, with a program in place of Claude Code that records its arguments. */
function launch(
  store: StoreFixture,
  { ovld = OVLD, more = [], language = "en" }: { ovld?: string; more?: string[]; language?: Language } = {},
): Launched {
  const program = join(store.sandbox.root, "the real claude");
  const said = join(store.sandbox.root, "said");
  writeFileSync(program, `#!/bin/sh\nfor word in $$ "$@"; do echo "$word"; done > '${said}'\n`);
  chmodSync(program, 0o700);
  writeFileSync(said, "");
  const files = planArmyFiles({
    session: "test",
    relayDir: store.dir,
    cwd: store.sandbox.root,
    agent: claude,
    agentProgram: program,
    ovld: { node: process.execPath, file: ovld },
    zellij: "/nonexistent/zellij",
    settings: parseSettings({}),
    language,
    secrets: makeSecrets(),
  });
  writeArmyFiles(files);
  const config = join(store.dir, "mcp/storm.json");
  const script = join(store.dir, "launch/claude");
  expect(files.layout.content.match(/launch\/claude"/g)).toHaveLength(6);
  const run = spawnSync(script, ["--mcp-config", config, ...more], {
    env: store.sandbox.env,
    encoding: "utf8",
  });
  const [pid, ...words] = readFileSync(said, "utf8").split("\n").slice(0, -1);
  return {
    code: run.status,
    stderr: run.stderr,
    words: pid === undefined ? undefined : words.slice(2),
    pid: Number(pid),
  };
}

function keep(store: StoreFixture, more: Partial<Conversation> = {}): string {
  const at = "2026-11-15T03:48:12.303Z";
  const id = "11111111-1111-4111-8111-111111111111";
  store.mail.recordConversation({
    role: "storm",
    program: "claude",
    id,
    since: at,
    started: at,
    start: "began",
    ritual: at,
    ...more,
  });
  const folder = join(store.sandbox.home, ".claude/projects/-x");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, `${id}.jsonl`),
    `${JSON.stringify({ type: "user", message: { content: "hi" } })}\n`,
  );
  return id;
}

it("the launcher becomes the real program, with an id that ovld chose, and its process is recorded as the agent", async () => {
  await using store = makeStore();
  const { code, stderr, words, pid } = launch(store, { more: ["--model", "a b"] });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(words).toEqual(["--model", "a b", "--session-id", expect.stringMatching(UUID)]);
  const kept = store.mail.conversation("storm");
  expect(kept).toMatchObject({ id: words?.at(-1), agent: expect.stringMatching(new RegExp(`^${pid}-`)) });
});

it("a conversation that can be resumed is resumed", async () => {
  await using store = makeStore();
  const id = keep(store);
  expect(launch(store)).toMatchObject({ code: 0, stderr: "", words: ["--resume", id] });
});

it("an empty transcript is reported in the pane, in the person's language, and a new id is used", async () => {
  await using store = makeStore();
  const id = keep(store);
  writeFileSync(join(store.sandbox.home, ".claude/projects/-x", `${id}.jsonl`), "");
  const { words, stderr } = launch(store);
  expect(words).toEqual(["--session-id", expect.stringMatching(UUID)]);
  expect(words?.at(-1)).not.toBe(id);
  expect(stderr).toBe("ovld: storm begins a new conversation: the transcript of the old one is empty.\n");
  keep(store);
  writeFileSync(join(store.sandbox.home, ".claude/projects/-x", `${id}.jsonl`), "");
  expect(launch(store, { language: "ja" }).stderr).toContain("storm は新しい会話を始めます");
});

it("a role whose agent is alive is not started again: the pane says which process to end", async () => {
  await using store = makeStore();
  const agent = startStandIn(store.sandbox, ["claude", "--mcp-config", store.path("mcp/storm.json")]);
  keep(store, { agent });
  const { code, words, stderr } = launch(store);
  expect({ code, words }).toEqual({ code: 75, words: undefined });
  const pid = Number.parseInt(agent, 10);
  expect(stderr).toBe(
    `ovld: storm is not started, because process ${pid} has its conversation. End that process, then press Enter here.\n`,
  );
  expect(identifyProcess(pid)).toBe(agent);
});

it.each([["--resume=x"], ["-c"], ["--continue"], ["--session-id"]])(
  "where the person's own arguments choose the conversation (%s), ovld adds nothing",
  async (word) => {
    await using store = makeStore();
    keep(store);
    expect(launch(store, { more: [word] }).words).toEqual([word]);
  },
);

it("if ovld was moved or updated since the army was summoned, the one on the PATH chooses the conversation, and the army's files name it from then on", async () => {
  await using store = makeStore();
  const bin = join(store.sandbox.root, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "ovld"), `#!/bin/sh\nexec '${process.execPath}' '${OVLD}' "$@"\n`);
  chmodSync(join(bin, "ovld"), 0o700);
  store.sandbox.env["PATH"] = `${bin}:${store.sandbox.env["PATH"]}`;
  const id = keep(store);
  expect(launch(store, { ovld: "/old version/ovld.cjs" })).toMatchObject({
    code: 0,
    words: ["--resume", id],
  });
  for (const role of ROLES) {
    const { mcpServers } = JSON.parse(readFileSync(store.path(`mcp/${role}.json`), "utf8"));
    expect(mcpServers["ovld-relay"]).toMatchObject({ command: process.execPath, args: [OVLD, "relay"] });
  }
  const launcher = readFileSync(store.path("launch/claude"), "utf8");
  expect(launcher).toContain(`${process.execPath} ${OVLD} take-up`);
  expect(launcher).not.toContain("old version");
  expect(statSync(store.path("launch/claude")).mode & 0o777).toBe(0o700);
});

it("if ovld cannot be run, or its store cannot be used, the program still starts", async () => {
  await using store = makeStore();
  expect(launch(store, { ovld: "/nowhere/ovld.cjs" })).toMatchObject({ code: 0, words: [] });
  writeFileSync(store.path("store.json"), '{"format":99}');
  const { code, words, stderr } = launch(store);
  expect({ code, words }).toEqual({ code: 0, words: [] });
  expect(stderr).toContain("ovld: ");
});
