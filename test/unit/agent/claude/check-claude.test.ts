import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { checkLogin } from "../../../../src/agent/claude/check-claude.ts";
import { pretendToBe } from "../../../support/pretend-to-be.ts";
import { makeSandbox, type Sandbox } from "../../../support/sandbox.ts";

const SECRET = "sk-ant-a-key-that-nobody-may-see-0123456789";

/** What is found with these variables and these files in the home folder. */
function lookAt(sandbox: Sandbox, { env = {}, files = {} }: Partial<Circumstances>) {
  for (const [name, content] of Object.entries(files)) {
    const path = join(sandbox.home, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(content));
  }
  const findings = checkLogin({ HOME: sandbox.home, ...env }, join(sandbox.home, "project"));
  expect(JSON.stringify(findings)).not.toContain(SECRET.slice(-20));
  expect(findings).toHaveLength(1);
  return findings[0];
}

interface Circumstances {
  env: Record<string, string>;
  files: Record<string, unknown>;
}

it.each([
  ["ANTHROPIC_AUTH_TOKEN", SECRET],
  ["CLAUDE_CODE_OAUTH_TOKEN", SECRET],
  ["CLAUDE_CODE_USE_BEDROCK", "1"],
  ["CLAUDE_CODE_USE_VERTEX", "true"],
])("%s in the environment counts as a login", async (variable, value) => {
  await using sandbox = makeSandbox();
  expect(lookAt(sandbox, { env: { [variable]: value } })).toEqual({
    verdict: "good",
    code: "login-environment",
    facts: { agent: "Claude Code", variable },
  });
});

it("a switch that is off does not count", async () => {
  await using sandbox = makeSandbox();
  expect(lookAt(sandbox, { env: { CLAUDE_CODE_USE_BEDROCK: "0" } })).toMatchObject({ code: "login-none" });
});

it("an API key is good once Claude Code may use it; before that each agent will ask", async () => {
  await using sandbox = makeSandbox();
  const env = { ANTHROPIC_API_KEY: SECRET };
  expect(lookAt(sandbox, { env })).toMatchObject({ verdict: "note", code: "login-key-unapproved" });
  const files = { ".claude.json": { customApiKeyResponses: { approved: [SECRET.slice(-20)] } } };
  expect(lookAt(sandbox, { env, files })).toMatchObject({ verdict: "good", code: "login-environment" });
});

it.each([
  [".claude/settings.json", { apiKeyHelper: "/bin/key" }, "apiKeyHelper"],
  ["project/.claude/settings.local.json", { apiKeyHelper: "/bin/key" }, "apiKeyHelper"],
  [".claude/settings.json", { env: { ANTHROPIC_AUTH_TOKEN: SECRET } }, "ANTHROPIC_AUTH_TOKEN"],
])("%s with %o counts as a login", async (file, content, setting) => {
  await using sandbox = makeSandbox();
  expect(lookAt(sandbox, { files: { [file]: content } })).toEqual({
    verdict: "good",
    code: "login-settings",
    facts: { agent: "Claude Code", setting, path: join(sandbox.home, file) },
  });
});

it.each([
  [".claude/.credentials.json", { claudeAiOauth: { accessToken: SECRET } }],
  [".claude.json", { oauthAccount: { emailAddress: "somebody" } }],
])("a login stored in %s is found", async (file, content) => {
  await using sandbox = makeSandbox();
  expect(lookAt(sandbox, { files: { [file]: content } })).toEqual({
    verdict: "good",
    code: "login-stored",
    facts: { agent: "Claude Code", path: join(sandbox.home, file) },
  });
});

it("a login is looked for in CLAUDE_CONFIG_DIR", async () => {
  await using sandbox = makeSandbox();
  const env = { CLAUDE_CONFIG_DIR: join(sandbox.home, "mine") };
  const files = { "mine/.credentials.json": {} };
  expect(lookAt(sandbox, { env, files })).toMatchObject({ code: "login-stored" });
});

it("if nothing is found there is no login, and on macOS, with its keychain, it is unknown", async () => {
  await using sandbox = makeSandbox();
  const nothing = { verdict: "note", facts: { agent: "Claude Code" }, fix: "claude" };
  const files = { ".claude/settings.json": "not what it should be", ".claude.json": [] };
  expect(lookAt(sandbox, { files })).toEqual({ ...nothing, code: "login-none" });
  pretendToBe("darwin");
  expect(lookAt(sandbox, {})).toEqual({ ...nothing, code: "login-unknown" });
});
