import { parse } from "smol-toml";
import { expect, it } from "vitest";
import { formatConfig } from "../../../src/cli/commands/init/run.ts";
import { formatError } from "../../../src/i18n/sentences.ts";
import type { ErrorReport } from "../../../src/system/ovld-error.ts";
import { TEXTS } from "../../support/texts.ts";
import { parseSettings } from "../../../src/config/settings.ts";
import { LANGUAGES } from "../../../src/army/words.ts";

/** The compiler makes sure that no code is left out. */
const everyReport: { [Code in ErrorReport["code"]]: Extract<ErrorReport, { code: Code }> } = {
  "env-missing": { code: "env-missing", facts: { variable: "OVLD_ROLE" } },
  "env-wrong": {
    code: "env-wrong",
    facts: { variable: "OVLD_ROLE", value: "\u001b[31mking", expected: "a role" },
  },
  "store-gone": { code: "store-gone", facts: { path: "/r" } },
  "store-newer": { code: "store-newer", facts: { path: "/r", found: 2, known: 1 } },
  "store-foreign": { code: "store-foreign", facts: { path: "/r" } },
  "folder-taken": { code: "folder-taken", facts: { path: "/r" } },
  "disk-full": { code: "disk-full", facts: { path: "/r" } },
  "file-size-limit": { code: "file-size-limit", facts: { path: "/r" } },
  "not-writable": { code: "not-writable", facts: { path: "/r" } },
  "file-trouble": { code: "file-trouble", facts: { path: "/r", reason: "EIO: reading /r" } },
  "file-wrong": { code: "file-wrong", facts: { path: "/r", reason: "not JSON" } },
  "file-unfit": { code: "file-unfit", facts: { path: "/r", problem: "dangling-link" } },
  "too-long": { code: "too-long", facts: { field: "body", limit: 1, unit: "bytes", length: 2 } },
  "inbox-full": { code: "inbox-full", facts: { role: "storm", limit: 1000 } },
  "to-oneself": { code: "to-oneself", facts: { role: "storm" } },
  "out-of-command": {
    code: "out-of-command",
    facts: { role: "storm", to: "overlord", instead: ["strategist"] },
  },
  "zellij-missing": { code: "zellij-missing", facts: { oldest: "0.44.1" } },
  "zellij-not-provided": {
    code: "zellij-not-provided",
    facts: { version: "0.45.1", why: "not-reached", said: "curl: (6)", cargo: "", command: "brew install z" },
  },
  "zellij-too-old": {
    code: "zellij-too-old",
    facts: { program: "/z", version: "0.40.0", oldest: "0.44.1" },
  },
  "zellij-hangs": { code: "zellij-hangs", facts: { command: "action", seconds: 10 } },
  "sockets-foreign": { code: "sockets-foreign", facts: { path: "/tmp/zellij-1000", owner: 1001 } },
  "session-silent": { code: "session-silent", facts: { session: "s", seconds: 5, pid: 4711 } },
  "port-taken": { code: "port-taken", facts: { port: 80 } },
  "output-failed": { code: "output-failed", facts: { reason: "ENOSPC: no space left on device, write" } },
  "session-elsewhere": { code: "session-elsewhere", facts: { session: "s", folder: "/run/other" } },
  "session-lost": { code: "session-lost", facts: { session: "s" } },
  "zellij-refused": { code: "zellij-refused", facts: { command: "attach", said: "no" } },
  "agent-missing": { code: "agent-missing", facts: { program: "claude" } },
  "agent-too-old": {
    code: "agent-too-old",
    facts: {
      agent: "Claude Code",
      program: "/bin/claude",
      version: "2.1.0",
      oldest: "2.1.224",
      update: "claude update",
    },
  },
  "no-terminal": { code: "no-terminal", facts: { command: "summon" } },
  "session-name-wrong": { code: "session-name-wrong", facts: { name: "two words" } },
  "session-name-too-long": { code: "session-name-too-long", facts: { name: "long", limit: 3 } },
  "name-taken": { code: "name-taken", facts: { session: "practice" } },
  "not-an-army": { code: "not-an-army", facts: { session: "overlord" } },
  "session-live": { code: "session-live", facts: { session: "overlord" } },
  "army-elsewhere": { code: "army-elsewhere", facts: { session: "overlord", folder: "/f" } },
  "flag-too-late": { code: "flag-too-late", facts: { session: "overlord", flag: "--rituals" } },
  "agent-may-not-end": { code: "agent-may-not-end", facts: { path: "/c", command: "ovld unsummon" } },
  "agent-may-not-answer": { code: "agent-may-not-answer", facts: { command: "ovld answer" } },
  "no-army": { code: "no-army", facts: { session: "overlord" } },
  "army-file": { code: "army-file", facts: { path: "/r/army.json", problem: "damaged" } },
  "army-crashed": { code: "army-crashed", facts: { session: "overlord", folder: "/f" } },
  "army-worked-elsewhere": { code: "army-worked-elsewhere", facts: { session: "overlord", folder: "/f" } },
  "army-agent": { code: "army-agent", facts: { session: "overlord", was: "claude", asked: "practice" } },
  "army-roles": { code: "army-roles", facts: { session: "overlord", roles: ["king"] } },
  "nothing-to-resume": { code: "nothing-to-resume", facts: { session: "overlord", folder: "/f" } },
  "needs-yes": { code: "needs-yes", facts: { command: "ovld unsummon" } },
  "resume-or-fresh": { code: "resume-or-fresh", facts: {} },
  "army-running": { code: "army-running", facts: { session: "overlord" } },
  "wish-and-resume": { code: "wish-and-resume", facts: {} },
  "archive-unreadable": {
    code: "archive-unreadable",
    facts: { name: "overlord@20261116-031200", path: "/archive" },
  },
  "no-archive": { code: "no-archive", facts: { name: "overlord@20261116-031200" } },
  "empty-message": { code: "empty-message", facts: { role: "storm" } },
  "no-such-message": { code: "no-such-message", facts: { id: "0abc" } },
  "nothing-to-answer": { code: "nothing-to-answer", facts: {} },
  "several-to-answer": { code: "several-to-answer", facts: { letters: ["0a (storm: Which?)"] } },
  "nobody-to-answer": { code: "nobody-to-answer", facts: { id: "0a" } },
  "army-over": { code: "army-over", facts: { session: "overlord" } },
  "no-answer-comes": { code: "no-answer-comes", facts: { role: "storm" } },
  "message-ambiguous": {
    code: "message-ambiguous",
    facts: { id: "0", count: 2, orMore: true, candidates: ["0a"] },
  },
  "no-such-note": { code: "no-such-note", facts: { name: "biuld", folder: "/n", meant: "build" } },
  "invalid-time": { code: "invalid-time", facts: { text: "soon" } },
  "config-syntax": { code: "config-syntax", facts: { path: "/c", line: 3, reason: "no value" } },
  "config-key": {
    code: "config-key",
    facts: { path: "/c", line: 3, key: "sesion", known: ["session"], meant: "session" },
  },
  "config-value": {
    code: "config-value",
    facts: { path: "/c", line: 3, key: "wake", expected: "one of these", choices: ["auto"] },
  },
  "cwd-gone": { code: "cwd-gone", facts: {} },
  "ritual-wrong": { code: "ritual-wrong", facts: { path: "/r/storm.md", problem: "empty" } },
  "rituals-missing": { code: "rituals-missing", facts: { path: "/r" } },
  "no-such-role": { code: "no-such-role", facts: { word: "king" } },
  "answer-whom": { code: "answer-whom", facts: {} },
  "no-request": { code: "no-request", facts: { role: "storm" } },
  "several-requests": { code: "several-requests", facts: { role: "storm", ids: ["0mwh"] } },
  "request-unnamed": { code: "request-unnamed", facts: { role: "storm" } },
  "answer-unfit": { code: "answer-unfit", facts: { role: "storm", problem: "not-offered" } },
  "hub-no-server": { code: "hub-no-server", facts: { oldest: "2.12.0", reason: "curl was not found" } },
  "hub-server-old": {
    code: "hub-server-old",
    facts: { program: "/n", version: "2.9.10", oldest: "2.12.0" },
  },
  "hub-stopped": { code: "hub-stopped", facts: {} },
  "hub-joined-already": {
    code: "hub-joined-already",
    facts: { session: "camp", machine: "machine-2", path: "/home/me/.config/ovld/joined/camp.json" },
  },
  "hub-none": { code: "hub-none", facts: {} },
  "hub-not-started": { code: "hub-not-started", facts: { reason: "port in use", log: "/l" } },
  "hub-not-stopped": { code: "hub-not-stopped", facts: { pid: 7 } },
  "hub-port-taken": { code: "hub-port-taken", facts: { listen: "127.0.0.1:4222" } },
  "hub-address": { code: "hub-address", facts: { listen: "nowhere" } },
  "hub-validity": { code: "hub-validity", facts: { text: "soon" } },
  "hub-certificate": { code: "hub-certificate", facts: { reason: "openssl was not found" } },
  "hub-no-army": { code: "hub-no-army", facts: { session: "camp" } },
  "hub-no-machine": { code: "hub-no-machine", facts: { session: "camp", machine: "b", known: ["a"] } },
  "hub-machine-taken": { code: "hub-machine-taken", facts: { session: "camp", machine: "b" } },
  "hub-join-file": { code: "hub-join-file", facts: { path: "/j", problem: "newer" } },
  "hub-unreachable": { code: "hub-unreachable", facts: { servers: ["h:1"], reason: "ECONNREFUSED" } },
  "hub-refused": { code: "hub-refused", facts: { servers: ["h:1"], machine: "b" } },
  "hub-person-only": { code: "hub-person-only", facts: { command: "ovld hub invite" } },
  "hub-unknown": { code: "hub-unknown", facts: { reason: "disk full" } },
  "hub-role-taken": { code: "hub-role-taken", facts: { role: "storm", machine: "b (host)" } },
  "machine-failed": {
    code: "machine-failed",
    facts: { machine: "b", command: "join b.join", said: "no" },
  },
  "hub-newer": { code: "hub-newer", facts: { machine: "b", found: 2, known: 1 } },
  "hub-foreign": { code: "hub-foreign", facts: { problem: "plain", what: "nats.example.com:4222" } },
  "hub-unfit": {
    code: "hub-unfit",
    facts: { servers: ["a:4222"], problem: "not-apart", who: "inferno", what: "inbox.storm.overlord" },
  },
  "hub-full": { code: "hub-full", facts: { reason: "insufficient resources" } },
  "git-failed": { code: "git-failed", facts: { command: "git gc", said: "no" } },
  "no-trees": { code: "no-trees", facts: { problem: "bare", detail: "" } },
  "no-budget": { code: "no-budget", facts: { session: "s", spender: "inferno" } },
  "budget-words": { code: "budget-words", facts: { words: ["x"] } },
  "army-without-trees": { code: "army-without-trees", facts: { session: "overlord" } },
  "no-tree-of-yours": { code: "no-tree-of-yours", facts: {} },
  "role-without-tree": { code: "role-without-tree", facts: { role: "storm" } },
  "target-in-use": { code: "target-in-use", facts: { branch: "ovld/overlord", path: "/p/review" } },
  "tree-broken": { code: "tree-broken", facts: { path: "/tree" } },
  "board-elsewhere": { code: "board-elsewhere", facts: {} },
  "board-silent": { code: "board-silent", facts: {} },
  "hand-in-refused": { code: "hand-in-refused", facts: { id: "T1", said: "fatal: no" } },
  "hand-in-too-large": {
    code: "hand-in-too-large",
    facts: { id: "T1", kilobytes: 300, limit: 120, branch: "ovld-camp/T1" },
  },
  "tree-dirty": { code: "tree-dirty", facts: { file: "a.ts", others: 2, command: "ovld task done" } },
  "no-such-task": { code: "no-such-task", facts: { id: "T7" } },
  "task-of-another": { code: "task-of-another", facts: { id: "T7", role: "storm" } },
  "task-waits": { code: "task-waits", facts: { id: "T7", tasks: "T1" } },
  "task-state": { code: "task-state", facts: { id: "T7", state: "landed", role: "storm" } },
  "no-task-here": { code: "no-task-here", facts: { branch: "main" } },
  "nothing-committed": { code: "nothing-committed", facts: { id: "T7", branch: "ovld-overlord/T7" } },
  "wrong-arguments": {
    code: "wrong-arguments",
    facts: { tool: "send_message", problems: ["to is missing"] },
  },
};

/** Facts that a sentence expresses in its own words. */
const REPHRASED = new Set(["orMore", "expected", "field", "problem", "unit", "value", "why"]);

it.each(Object.entries(everyReport))("%s is described in both languages, with its facts", (_code, report) => {
  const [english, japanese] = [formatError(report, TEXTS.en), formatError(report, TEXTS.ja)];
  expect(japanese).toMatch(/[ぁ-ん]/);
  expect(english).not.toMatch(/[ぁ-ん]/);
  for (const sentence of [english, japanese]) {
    expect(sentence).not.toMatch(/undefined|\[object|\p{Cc}/u);
    for (const [, fact] of Object.entries(report.facts).filter(([name]) => !REPHRASED.has(name))) {
      expect(sentence).toContain(String(fact));
    }
  }
});

it.each([
  [
    "subject",
    "characters",
    "The subject has 201 characters; the limit is 200 characters.",
    "件名は 201 文字",
  ],
  ["task", "characters", "The task has 201 characters; the limit is 200 characters.", "作業内容は 201 文字"],
  ["body", "bytes", "The body has 201 bytes; the limit is 200 bytes.", "本文は 201 バイト"],
] as const)("a %s that is too long is named in the reader's language", (field, unit, english, japanese) => {
  const report = { code: "too-long", facts: { field, limit: 200, unit, length: 201 } } as const;
  expect(formatError(report, TEXTS.en)).toContain(english);
  expect(formatError(report, TEXTS.ja)).toContain(japanese);
  expect(formatError(report, TEXTS.ja)).not.toContain(field);
});

it.each(LANGUAGES)("the file in %s sets nothing but the requested language", (language) => {
  expect(parse(formatConfig(TEXTS[language], undefined))).toEqual({});
  expect(parse(formatConfig(TEXTS[language], "ja"))).toEqual({ language: "ja" });
});

it.each(LANGUAGES)("the file in %s contains every setting, and each of its examples is valid", (language) => {
  const text = formatConfig(TEXTS[language], undefined).replaceAll(/^# (?=\[|\w+ = )/gm, "");
  expect(() => parseSettings({ HOME: "/home/ann" }, text)).not.toThrow();
  expect(parse(text)).toEqual({
    session: "overlord",
    agent: "claude",
    wake: "auto",
    language,
    zellij: "~/bin/zellij",
    agents: {
      may_unsummon: false,
      claude: {
        program: "~/.local/bin/claude",
        model: "opus",
        permission_mode: "acceptEdits",
        args: ["--add-dir", "/srv/data"],
      },
    },
    roles: { inferno: { model: "sonnet", permission_mode: "acceptEdits", args: [] } },
    bell: { carry: true },
    brake: { messages: 8 },
    command: {
      overlord: ["strategist"],
      strategist: ["overlord", "inferno", "glacier", "shadow", "storm"],
      inferno: ["strategist"],
      read_only: ["overlord", "strategist"],
    },
    budget: { army: 5_000_000, inferno: 1_000_000 },
    prices: { "claude-opus-5-5": { input: 5, cached: 0.5, output: 25 } },
    desk: { answer: true, notify: true, key: "Alt s" },
    notify: { command: "curl -s --data-binary @- https://ntfy.sh/your-topic" },
    rituals: { folder: "~/.config/ovld/rituals", focus: true },
    limits: { unread_per_inbox: 1000, body_bytes: 65536, journal_mb: 1024 },
    trees: {
      on: true,
      check: "npm test",
      check_minutes: 30,
      setup: "npm ci",
      folder: "~/.local/state/ovld/trees",
      into_mine: false,
    },
    archive: { days: 30 },
    hub: {
      url: "tls://nats.example.com:4222",
      creds: "~/nats",
      ca: "~/nats/ca.pem",
      replicas: 3,
    },
  });
});
