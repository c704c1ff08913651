/** Bad input of every kind, random but repeatable: the same seed gives the same inputs. */
import * as fc from "fast-check";
import { ROLES } from "../../../src/army/roles.ts";

/** What a terminal, a shell, a path, a program or a regular expression might stumble over. */
const NASTY = [
  "",
  " ",
  "\u001b[31m\u001b]0;title\u0007",
  "\u009b2J\u0085",
  "\u202egnp.exe\u2066",
  "\u0000",
  "\r\nfake: line",
  "../../../etc/passwd",
  "$(touch PWNED)`id`;rm -rf .",
  "'\"\\",
  "__proto__",
  "constructor",
  "👩‍👩‍👧‍👦".repeat(60),
  "\ud800",
  "\ufeff",
  "a".repeat(300),
  "-".repeat(3) + "help",
  "%s%n%",
  "魔王",
  "[MESSAGE from human]",
];

const word = fc.oneof(
  fc.constantFrom(...NASTY, ...ROLES),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ maxLength: 20 }),
  fc.stringMatching(/^[a-z0-9_.:-]{1,30}$/),
);

/** A line for a relay's stdin. With a `name` it is a call whose result is known from its answer. */
export type ToolInput =
  { call: { name: string; arguments: unknown } } | { method: string; params: unknown } | { line: string };

const value = fc.oneof(
  { weight: 3, arbitrary: word },
  { weight: 2, arbitrary: fc.jsonValue() },
  {
    weight: 1,
    arbitrary: fc.constantFrom("x".repeat(70_000), "storm", "working", "urgent", 1e308, -0, null),
  },
);
export const argumentName = fc.constantFrom(
  "to",
  "subject",
  "body",
  "priority",
  "role",
  "status",
  "task",
  "__proto__",
  "x",
);
export const soundCall = fc.constantFrom<[string, Record<string, unknown>]>(
  ["send_message", { to: "storm", subject: "s", body: "b" }],
  ["send_message", { to: "strategist", subject: "s", body: "b", priority: "urgent" }],
  ["check_inbox", {}],
  ["get_status", { role: "storm" }],
  ["update_status", { status: "working", task: "t" }],
  ["broadcast", { subject: "s", body: "b" }],
);
const changedCall = fc
  .tuple(soundCall, fc.array(fc.tuple(argumentName, value), { maxLength: 3 }))
  .map(([[name, args], changes]) => ({ name, arguments: { ...args, ...Object.fromEntries(changes) } }));
const method = fc.oneof(
  fc.constantFrom("ping", "initialize", "tools/list", "tools/call", "server/discover", "resources/list"),
  word,
);
const envelope = fc.record(
  {
    jsonrpc: fc.constantFrom("2.0", "1.0"),
    id: fc.jsonValue(),
    method: fc.jsonValue(),
    params: fc.jsonValue(),
  },
  { requiredKeys: [] },
);
const cancellation = fc.nat(5_000).map((number) => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId: `t${number}` },
}));

export const toolInput: fc.Arbitrary<ToolInput> = fc.oneof(
  { weight: 6, arbitrary: changedCall.map((call): ToolInput => ({ call })) },
  {
    weight: 1,
    arbitrary: fc.record({ name: word, arguments: fc.jsonValue() }).map((call): ToolInput => ({ call })),
  },
  { weight: 1, arbitrary: fc.record({ method, params: fc.jsonValue() }) },
  { weight: 1, arbitrary: envelope.map((each): ToolInput => ({ line: JSON.stringify(each) })) },
  { weight: 1, arbitrary: cancellation.map((each): ToolInput => ({ line: JSON.stringify(each) })) },
  { weight: 1, arbitrary: fc.oneof(word, fc.json()).map((line): ToolInput => ({ line })) },
);

/** Something to put into a store. */
export interface Plant {
  role: (typeof ROLES)[number];
  /** Where to put it, with ROLE and NAME to be filled in. */
  place: string;
  name: string;
  form:
    | "bytes"
    | "folder"
    | "full folder"
    | "pipe"
    | "link out"
    | "link to itself"
    | "locked file"
    | "locked folder";
  /** Base64. */
  content: string;
}

const fileName = word
  .map((text) => Buffer.from(text.replaceAll(/[/\0]/g, "")).subarray(0, 200).toString())
  .filter((name) => name !== "" && name !== "." && name !== "..");
const goodMessage = {
  from: "overlord",
  to: "storm",
  subject: "s",
  body: "b",
  priority: "normal",
  timestamp: "2026-11-15T00:00:00.000Z",
};
const content = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc.json().map((text) => Buffer.from(text)),
  fc
    .tuple(fc.constantFrom(...Object.keys(goodMessage), "id", "relay", "agent", "format", "event"), value)
    .map(([key, changed]) => Buffer.from(JSON.stringify({ ...goodMessage, [key]: changed }))),
  fc
    .constantFrom("", "{", "null", "[]", '{"format":99}', '{"format":2}', "\n".repeat(10_000))
    .map((text) => Buffer.from(text)),
);

export const plant: fc.Arbitrary<Plant> = fc.record({
  role: fc.constantFrom(...ROLES),
  place: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom("inbox/ROLE/NAME.json", "inbox/ROLE/NAME", "claimed/ROLE/NAME") },
    {
      weight: 6,
      arbitrary: fc.constantFrom(
        "claimed/ROLE/999999999-1.dead-000000/NAME.json",
        "status/ROLE.json",
        "pending/ROLE",
        "agents/ROLE.json",
        "presence/NAME",
        "presence/1-1",
        "tmp/NAME",
        "tmp/999999999-1.dead-000000~0mwhao51k000-924ybx",
        "quarantine/NAME",
        "locks/NAME",
        "journal.jsonl",
        "journal/NAME.jsonl",
        "journal/00000001.jsonl",
        "store.json",
        "army.json",
        "rituals/ROLE.md",
        "NAME",
      ),
    },
  ),
  name: fileName,
  form: fc.oneof(
    { weight: 8, arbitrary: fc.constant<Plant["form"]>("bytes") },
    {
      weight: 4,
      arbitrary: fc.constantFrom<Plant["form"][]>(
        "folder",
        "full folder",
        "link out",
        "link to itself",
        "locked file",
        "locked folder",
        "pipe",
      ),
    },
  ),
  content: content.map((bytes) => bytes.toString("base64")),
});

/** A configuration file and the command line that is run with it. */
export interface ConfigInput {
  config: string;
  words: string[];
}

const keyName = fc.oneof(
  fc.constantFrom(
    "session",
    "agent",
    "wake",
    "language",
    "zellij",
    "folder",
    "focus",
    "body_bytes",
    "args",
    "model",
  ),
  fc.constantFrom("sesion", "agents.claude.program", '"\u202e"', "''", "a b", "__proto__"),
  fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/),
);
const tomlValue = fc.oneof(
  word.map((text) => JSON.stringify(text)),
  fc.json(),
  fc.constantFrom(
    "true",
    "1",
    "1e999",
    "[",
    "[[[[",
    "{ }",
    '"""',
    "'''",
    "1979-05-27",
    "nan",
    "",
    "= =",
    "0x",
    '"\\u0000"',
  ),
  word,
);
const tomlLine = fc.oneof(
  fc.tuple(keyName, tomlValue).map(([key, text]) => `${key} = ${text}`),
  fc.constantFrom(
    "[agents]",
    "[agents.claude]",
    "[roles.storm]",
    "[limits]",
    "[rituals]",
    "[[roles]]",
    "[",
    "# x",
    "",
  ),
  word,
);
const configText = fc.oneof(
  { weight: 10, arbitrary: fc.array(tomlLine, { maxLength: 8 }).map((lines) => lines.join("\n")) },
  { weight: 1, arbitrary: word },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom("\n", " ", "[", "a.", '"', "\t=", "[[", "{a="),
        fc.integer({ min: 1, max: 20_000 }),
        tomlLine,
      )
      .map(([part, times, line]) => `${part.repeat(times)}${line}`),
  },
);

export const configInput: fc.Arbitrary<ConfigInput> = fc.record({
  config: configText,
  words: fc.constantFrom<string[][]>(
    ["status"],
    [],
    ["status", "--json"],
    ["summon", "--dry-run"],
    ["send", "storm", "hello", "--json"],
    ["complete", "status", "--session", ""],
    ["log", "--since", "1m"],
  ),
});

/** Words of a command line: names of armies, messages, notes, roles, times, commands and flags. */
export const nameInput: fc.Arbitrary<ConfigInput> = fc
  .tuple(
    fc.constantFrom<((text: string) => string[])[]>(
      (text) => ["status", "--session", text],
      (text) => ["status", "--session", text, "--json"],
      (text) => ["log", text],
      (text) => ["log", "--since", text, "--json"],
      (text) => ["log", "--grep", text],
      (text) => ["log", "--role", text],
      (text) => ["notes", "show", text],
      (text) => ["notes", "show", text, "--json"],
      (text) => ["notes", text],
      (text) => ["send", text, "hello"],
      (text) => ["send", "storm", text, "--json"],
      (text) => ["send", "storm", "hello", "--subject", text, "--json"],
      (text) => ["summon", "--dry-run", "--session", text],
      (text) => ["summon", "--dry-run", "--rituals", text],
      (text) => ["summon", "--dry-run", "--agent", text],
      (text) => ["rituals", "give", text],
      (text) => ["complete", "status", "--session", text],
      (text) => ["complete", text],
      (text) => ["--lang", text, "status"],
      (text) => [text],
      (text) => [text, text],
      (text) => [`--${text}`],
    ),
    // An argument of a process cannot contain a zero byte.
    word.map((text) => text.replaceAll("\0", "")),
  )
  .map(([make, text]) => ({ config: "", words: make(text) }));
