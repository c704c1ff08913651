import { mkdirSync, readFileSync, symlinkSync, writeFileSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  claudeStateFile,
  readClaudeState,
  storeTrust,
  isTrusted,
  trustsFolder,
} from "../../../../src/agent/claude/folder-trust.ts";
import { findCheckout } from "../../../../src/system/paths.ts";
import { makeSandbox } from "../../../support/sandbox.ts";
import { homedir } from "node:os";

const trusting = (...folders: string[]) => ({
  projects: Object.fromEntries(folders.map((folder) => [folder, { hasTrustDialogAccepted: true }])),
});

describe("which folders are trusted, compared with a real Claude Code 2.1.325", () => {
  const repository = { top: "/w/repo", main: "/w/repo" };
  const worktree = { top: "/w/tree", main: "/w/repo" };

  it.each([
    ["a folder that was trusted", "/w/a", undefined, trusting("/w/a"), true],
    ["a folder below a trusted one", "/w/a/b", undefined, trusting("/w/a"), true],
    ["a folder next to a trusted one", "/w/ab", undefined, trusting("/w/a"), false],
    ["a repository below a trusted folder", "/w/repo", repository, trusting("/w"), false],
    ["a folder of a trusted repository", "/w/repo/src", repository, trusting("/w/repo"), true],
    [
      "a trusted folder of a repository that is not",
      "/w/repo/src",
      repository,
      trusting("/w/repo/src"),
      true,
    ],
    ["a worktree whose main checkout is trusted", "/w/tree", worktree, trusting("/w/repo"), true],
    ["a worktree that is trusted itself", "/w/tree", worktree, trusting("/w/tree"), true],
    ["nothing stored", "/w/a", undefined, {}, false],
    ["a refusal", "/w/a", undefined, { projects: { "/w/a": { hasTrustDialogAccepted: false } } }, false],
    ["something else in its place", "/w/a", undefined, { projects: ["/w/a"] }, false],
  ])("%s", (_what, folder, checkout, state, expected) => {
    expect(isTrusted(state, folder, checkout)).toBe(expected);
  });
});

describe("the checkout of a folder", () => {
  it("is found upwards; a worktree names its main checkout; a submodule is a checkout of its own", async () => {
    await using sandbox = makeSandbox();
    const at = (...parts: string[]): string => join(sandbox.root, ...parts);
    for (const folder of ["repo/.git/worktrees/tree", "repo/src/deep", "repo/sub", "tree/src", "plain"])
      mkdirSync(at(folder), { recursive: true });
    writeFileSync(at("tree/.git"), `gitdir: ${at("repo/.git/worktrees/tree")}\n`);
    writeFileSync(at("repo/.git/worktrees/tree/commondir"), "../..\n");
    writeFileSync(at("repo/sub/.git"), "gitdir: ../.git/modules/sub\n");
    expect(findCheckout(at("repo/src/deep"))).toEqual({ top: at("repo"), main: at("repo") });
    expect(findCheckout(at("tree/src"))).toEqual({ top: at("tree"), main: at("repo") });
    expect(findCheckout(at("repo/sub"))).toEqual({ top: at("repo/sub"), main: at("repo/sub") });
    expect(findCheckout(at("plain"))).toBeUndefined();
    // The folder that has to be trusted so that this one is.
    expect(trustsFolder(sandbox.env, at("tree/src"))).toMatchObject({ is: "lacking", folder: at("repo") });
    expect(trustsFolder(sandbox.env, at("plain"))).toMatchObject({ is: "lacking", folder: at("plain") });
  });
});

describe("storing trust", () => {
  it("keeps everything else as it was, with the same indentation", async () => {
    await using sandbox = makeSandbox();
    const file = claudeStateFile(sandbox.env);
    const before = { oauth: { x: null }, projects: { "/a": { n: 1.5, s: "界" } }, list: [1, { two: "2" }] };
    writeFileSync(file, JSON.stringify(before, undefined, 4));
    expect(await storeTrust(file, "/a")).toEqual({ stored: true });
    const after = { ...before, projects: { "/a": { n: 1.5, s: "界", hasTrustDialogAccepted: true } } };
    expect(readFileSync(file, "utf8")).toBe(JSON.stringify(after, undefined, 4));
    expect(await storeTrust(file, "/b")).toEqual({ stored: true });
    expect(readClaudeState(file)).toMatchObject({ state: trusting("/a", "/b") });
  });

  it("creates the file if there is none, in CLAUDE_CONFIG_DIR if that is set", async () => {
    await using sandbox = makeSandbox();
    const file = claudeStateFile({ ...sandbox.env, CLAUDE_CONFIG_DIR: sandbox.root });
    expect(file).toBe(join(sandbox.root, ".claude.json"));
    expect(await storeTrust(file, "/b")).toEqual({ stored: true });
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(trusting("/b"));
  });

  it("changes a link's target and leaves the link", async () => {
    await using sandbox = makeSandbox();
    const file = claudeStateFile(sandbox.env);
    writeFileSync(join(sandbox.root, "dotfile"), "{}");
    symlinkSync(join(sandbox.root, "dotfile"), file);
    expect(await storeTrust(file, "/b")).toEqual({ stored: true });
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(sandbox.root, "dotfile"), "utf8")).toContain("/b");
  });

  it.each(["not json", "[]", '"text"', ""])("leaves a file with the content %j alone", async (content) => {
    await using sandbox = makeSandbox();
    const file = claudeStateFile(sandbox.env);
    writeFileSync(file, content);
    expect(readClaudeState(file)).toEqual({ problem: "not-understood" });
    expect(await storeTrust(file, "/b")).toEqual({ problem: "not-understood" });
    expect(readFileSync(file, "utf8")).toBe(content);
  });
});

it.each([
  ["{}", '{"projects":{"/b":{"hasTrustDialogAccepted":true}}}'],
  ['{"a":1,"projects":null}\n', '{"a":1,"projects":{"/b":{"hasTrustDialogAccepted":true}}}\n'],
  [
    '{\n\t"projects": {"/b": {"n": [], "hasTrustDialogAccepted": false}},\n\t"z": {}\n}',
    '{\n\t"projects": {\n\t\t"/b": {\n\t\t\t"n": [],\n\t\t\t"hasTrustDialogAccepted": true\n\t\t}\n\t},\n\t"z": {}\n}',
  ],
  ['{"projects":[1]}', undefined],
  ['{"projects":{"/b":7}}', undefined],
])("trust is added to %s, and the order of everything else stays", async (text, expected) => {
  await using sandbox = makeSandbox();
  const file = claudeStateFile(sandbox.env);
  writeFileSync(file, text);
  const outcome = expected === undefined ? { problem: "not-understood" } : { stored: true };
  expect(await storeTrust(file, "/b")).toEqual(outcome);
  expect(readFileSync(file, "utf8")).toBe(expected ?? text);
});

it.each([
  [{ CLAUDE_CONFIG_DIR: "/c", HOME: "/h" }, "/c/.claude.json"],
  [{ HOME: "/h" }, "/h/.claude.json"],
  [{}, join(homedir(), ".claude.json")],
])("with %o Claude Code keeps its state in %s, never in the folder it is run in", (env, file) => {
  expect(claudeStateFile(env)).toBe(file);
});
