import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { salvageSettings, type Salvage } from "../../../src/config/salvage-settings.ts";
import { makeSandbox } from "../../support/sandbox.ts";

async function salvage(text: string, env: Record<string, string> = {}): Promise<Salvage> {
  await using sandbox = makeSandbox();
  mkdirSync(join(sandbox.home, ".config/ovld"), { recursive: true });
  writeFileSync(join(sandbox.home, ".config/ovld/config.toml"), text);
  return salvageSettings({ HOME: sandbox.home, ...env });
}

it("the valid parts of an invalid file apply, and only those", async () => {
  const { settings, problem } = await salvage(`session = "mine"
wake = "loud"
zellij = "/opt/zellij"
dragons = 7
[agents.claude]
args = ["--verbose", 3]
model = "opus"
[roles.storm]
modle = "haiku"
model = "sonnet"
[limits]
body_bytes = 0
unread_per_inbox = 5`);
  expect(problem?.report.code).toMatch(/^config-/);
  expect(settings.file).toEqual({
    session: "mine",
    zellij: "/opt/zellij",
    agents: { claude: { model: "opus" } },
    roles: { storm: { model: "sonnet" } },
    limits: { unread_per_inbox: 5 },
  });
  expect(settings).toMatchObject({ session: "mine", wake: "auto", limits: { unreadPerInbox: 5 } });
});

it("a file without errors is taken as it is", async () => {
  const { settings, problem, isNameCertain } = await salvage('session = "mine"');
  expect([settings.session, problem, isNameCertain]).toEqual(["mine", undefined, true]);
});

it.each([
  ["waek = 1", "overlord", true],
  ["wake = = 1", "overlord", true],
  ["session = 'mine' # ours\nwake = = 1", "mine", true],
  ["sesion = 'mine'", "overlord", false],
  ["session = 'two words'", "overlord", false],
  ["session = 'mine\nwake = 1", "overlord", false],
])("in %o the army is %s, and its name is certain: %o", async (text, session, isNameCertain) => {
  const salvaged = await salvage(text);
  expect([salvaged.settings.session, salvaged.isNameCertain]).toEqual([session, isNameCertain]);
  expect((await salvage(text, { OVLD_SESSION: "named" })).isNameCertain).toBe(true);
});

it("a file that cannot be read leaves the defaults, and the army's name uncertain", async () => {
  await using sandbox = makeSandbox();
  const config = join(sandbox.home, ".config/ovld/config.toml");
  mkdirSync(config, { recursive: true });
  const { settings, problem, isNameCertain } = salvageSettings({ HOME: sandbox.home });
  expect([settings.session, isNameCertain]).toEqual(["overlord", false]);
  expect(JSON.stringify(problem?.report)).toContain(config);
});

it("an error in the environment is not blamed on the file", async () => {
  await expect(salvage("waek = 1", { OVLD_WAKE: "loud" })).rejects.toThrow("env-wrong");
});
