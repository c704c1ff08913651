import { expect, it } from "vitest";
import { lineOfSetting } from "../../../src/config/config-file.ts";
import { isDeskKey, parseSettings } from "../../../src/config/settings.ts";
import { formatError } from "../../../src/i18n/sentences.ts";
import { OvldError } from "../../../src/system/ovld-error.ts";
import { TEXTS } from "../../support/texts.ts";

function complaint(text: string): string {
  try {
    parseSettings({}, text);
  } catch (error) {
    if (error instanceof OvldError) return formatError(error.report, TEXTS.en);
  }
  return "nothing is wrong";
}

it("every setting is read as written", () => {
  const text = `
session = "army"
agent = "practice"
wake = "pane"
language = "ja"
zellij = "~/bin/zellij"
[agents.claude]
program = "/opt/claude"
args = ["--verbose"]
model = "opus"
[roles.inferno]
model = "haiku"
permission_mode = "plan"
args = []
[bell]
carry = false
[brake]
messages = 0
[notify]
command = "ntfy"
[budget]
army = 5_000_000
inferno = 1_000
[prices]
claude-opus-5-5 = { input = 5.0, cached = 0.5, output = 25 }
[rituals]
folder = "/r"
focus = false
[limits]
unread_per_inbox = 1
body_bytes = 65536
[trees]
on = true
check = "npm test"
folder = "~/trees"
[command]
storm = ["strategist"]
shadow = []
read_only = ["overlord"]
[archive]
days = 0`;
  const { found, wishes, ...settings } = parseSettings({ HOME: "/home/ann" }, text);
  expect(settings).toEqual({
    session: "army",
    agent: "practice",
    wake: "pane",
    language: "ja",
    zellij: "/home/ann/bin/zellij",
    programs: { claude: "/opt/claude" },
    agentsMayUnsummon: false,
    bell: { carry: false },
    brake: { messages: 0 },
    budget: { army: 5_000_000, inferno: 1_000 },
    prices: { "claude-opus-5-5": { input: 5, cached: 0.5, output: 25 } },
    desk: { answer: true, notify: true, key: "Alt s" },
    notify: { command: "ntfy" },
    rituals: { folder: "/r", focus: false },
    limits: { unreadPerInbox: 1, bodyBytes: 65536, journalMegabytes: 1024 },
    trees: { on: true, check: "npm test", checkMinutes: 30, folder: "/home/ann/trees", intoMine: false },
    command: {
      order: new Map([
        ["shadow", []],
        ["storm", ["strategist"]],
      ]),
      readOnly: ["overlord"],
    },
    archive: { days: 0 },
    hub: { replicas: 1 },
  });
  expect(wishes.get("inferno")).toEqual({ model: "haiku", permissionMode: "plan", args: ["--verbose"] });
  expect(wishes.get("storm")).toEqual({ model: "opus", args: ["--verbose"] });
  expect(found["bell.carry"]).toEqual({ value: false, source: "file" });
  expect(found["desk.answer"]).toEqual({ value: true, source: "default" });
});

it.each([
  ["\nsesion = 'x'", 'line 2: there is no setting "sesion". Did you mean session?'],
  ["[roles.infreno]\nmodel = 'x'", 'line 1: there is no setting "roles.infreno". Did you mean inferno?'],
  [
    "[agents.claude]\n\nmodle = 'x'",
    'line 3: there is no setting "agents.claude.modle". Did you mean model?',
  ],
  ["[command]\nstorn = []", 'line 2: there is no setting "command.storn". Did you mean storm?'],
  [
    "[command]\nstorm = ['strategist', 'overlrod']",
    "line 2: command.storm.1 must be one of these: overlord, strategist, inferno",
  ],
  ["[command]\nstorm = 'strategist'", "line 2: command.storm must be a list of texts"],
  ["[command]\nread_only = ['all']", "line 2: command.read_only.0 must be one of these: overlord"],
  ["[rituals]\nfokus = true", 'line 2: there is no setting "rituals.fokus". Did you mean focus?'],
  ["dragons = 7", 'line 1: there is no setting "dragons". Settings there: session, agent, wake'],
  ["# a\nwake = 'loud'", "line 2: wake must be one of these: auto, pane."],
  ["agent = 1", "line 1: agent must be one of these: claude, practice."],
  ["session = 'two words'", "line 1: session must be a name for an army"],
  ["zellij = 'bin/zellij'", "line 1: zellij must be an absolute path, or one that starts with ~/."],
  ["bell.carry = 1", "line 1: bell.carry must be true or false."],
  ["rituals.focus = 'yes'", "line 1: rituals.focus must be true or false."],
  ["[roles.storm]\nargs = '--fast'", "line 2: roles.storm.args must be a list of texts"],
  ["[roles.storm]\nargs = [1]", "line 2: roles.storm.args.0 must be a text in quotes."],
  ["[agents]\nclaude = 3", "line 2: agents.claude must be a table of settings."],
  ["[limits]\nbody_byte = 1", 'line 2: there is no setting "limits.body_byte". Did you mean body_bytes?'],
  [
    "[limits]\nbody_bytes = 65537",
    "line 2: limits.body_bytes must be a whole number in this range: 1–65536.",
  ],
  ["limits.unread_per_inbox = 0", "line 1: limits.unread_per_inbox must be a whole number in this range: 1–"],
  [
    "[limits]\nunread_per_inbox = 1.5",
    "limits.unread_per_inbox must be a whole number in this range: 1–1000",
  ],
  ["[limits]\nunread_per_inbox = 'all'", "must be a whole number in this range: 1–1000."],
  ["archive.days = -1", "line 1: archive.days must be a whole number in this range: 0–3650."],
  ["limits = 3", "line 1: limits must be a table of settings."],
  ["a = 1\nb = \n", "config.toml, line 2, is not valid TOML:"],
])("%o is refused with its line and what to do", (text, sentence) => {
  expect(complaint(text)).toContain(sentence);
});

it.each([
  [["roles", "storm", "args"], 5],
  [["roles", "storm"], 4],
  [["rituals", "focus"], 2],
  [["agents", "claude", "model"], 7],
  [["roles", "shadow"], 1],
  [["top"], 3],
])("%o is on line %i", (setting, line) => {
  const text = `# session = "x"\nrituals . focus = true\n"top" = 1\n[roles.storm]\nargs = ["a",\n"b"]\n[agents] # c\nclaude.program = "x"`;
  expect(lineOfSetting(text, setting)).toBe(line);
});

it.each(["Alt s", "Ctrl Alt o", "Alt Shift s", "Super 1", "F9", "Shift F12", "off"])("%j is a key", (key) => {
  expect(isDeskKey(key)).toBe(true);
});

it.each([
  "s",
  "Shift s",
  "Alt",
  "alt s",
  "Alt+s",
  "Alt é",
  "F13",
  "F0",
  "Alt s ",
  "",
  `Alt "`,
  "Enter",
  "on",
])("%j is not a key", (key) => {
  expect(isDeskKey(key)).toBe(false);
});
