/** The configuration file: what it may contain, and errors about what it contains. */
import { LANGUAGES, AGENT_NAMES, isSessionName, MOST_MAIL } from "../army/words.ts";
import { isAbsolute } from "node:path";
import { parse, TomlError } from "smol-toml";
import * as z from "zod/mini";
import { ROLES, type Role } from "../army/roles.ts";
import { shorten } from "../system/clean-text.ts";
import { closestWord } from "../system/text.ts";
import { OvldError, type ErrorReport } from "../system/ovld-error.ts";
import type { Expectation } from "../army/errors.ts";
import { readOwnFile } from "../system/read-file.ts";
import type { Environment } from "../system/run-program.ts";
import { configFilePath } from "./folders.ts";
import { WAKES } from "./relay-settings.ts";

/** A check that names what it expected, in words that the error texts know. */
const EXPECTED = ["a text", "a path", "a session name", "a key"] as const satisfies Expectation[];

function expecting(expected: (typeof EXPECTED)[number], fits: (text: string) => boolean) {
  return z.string().check(z.refine((text) => typeof text === "string" && fits(text), expected));
}

const word = expecting("a text", (text) => text.trim() !== "");
const path = expecting("a path", (text) => isAbsolute(text) || text.startsWith("~/"));

/** How a role's agent is started; for all roles or for one. */
const agentTable = {
  args: z.optional(z.array(z.string())),
  model: z.optional(word),
  permission_mode: z.optional(word),
};
const roleTable = z.optional(z.strictObject(agentTable));
const roleTables = Object.fromEntries(ROLES.map((role) => [role, roleTable])) satisfies Record<
  string,
  unknown
>;

/** The whole numbers that a setting allows. A person may set lower limits than the store's, never higher ones. */
const RANGES = {
  limits: {
    unread_per_inbox: [1, MOST_MAIL.unreadPerInbox],
    body_bytes: [1, MOST_MAIL.bodyBytes],
    journal_mb: [1, MOST_MAIL.journalMegabytes],
  },
  archive: { days: [0, 3_650] },
} satisfies Record<string, Record<string, [number, number]>>;

/** On how many servers of a cluster each message is kept. */
const REPLICAS = [1, 3] as const;

function within([least, most]: readonly [number, number]) {
  return z.optional(z.int().check(z.gte(least), z.lte(most)));
}

const TABLES = {
  agents: {
    claude: z.optional(z.strictObject({ program: z.optional(word), ...agentTable })),
    may_unsummon: z.optional(z.boolean()),
  },
  roles: roleTables,
  bell: { carry: z.optional(z.boolean()) },
  desk: {
    answer: z.optional(z.boolean()),
    notify: z.optional(z.boolean()),
    key: z.optional(expecting("a key", isDeskKey)),
  },
  rituals: { folder: z.optional(path), focus: z.optional(z.boolean()) },
  limits: {
    unread_per_inbox: within(RANGES.limits.unread_per_inbox),
    body_bytes: within(RANGES.limits.body_bytes),
    journal_mb: within(RANGES.limits.journal_mb),
  },
  archive: { days: within(RANGES.archive.days) },
  hub: {
    url: z.optional(z.union([word, z.array(word)])),
    creds: z.optional(path),
    ca: z.optional(path),
    replicas: z.optional(z.literal(REPLICAS)),
  },
};

const TOP = {
  session: z.optional(expecting("a session name", isSessionName)),
  agent: z.optional(z.enum(AGENT_NAMES)),
  wake: z.optional(z.enum(WAKES)),
  language: z.optional(z.enum(LANGUAGES)),
  zellij: z.optional(path),
  agents: z.optional(z.strictObject(TABLES.agents)),
  roles: z.optional(z.strictObject(TABLES.roles)),
  bell: z.optional(z.strictObject(TABLES.bell)),
  desk: z.optional(z.strictObject(TABLES.desk)),
  rituals: z.optional(z.strictObject(TABLES.rituals)),
  limits: z.optional(z.strictObject(TABLES.limits)),
  archive: z.optional(z.strictObject(TABLES.archive)),
  hub: z.optional(z.strictObject(TABLES.hub)),
};

const configFile = z.strictObject(TOP);

export type AgentTable = z.infer<z.ZodMiniObject<typeof agentTable>>;
export type ConfigFile = Omit<z.infer<typeof configFile>, "roles"> & {
  roles?: Partial<Record<Role, AgentTable | undefined>> | undefined;
};

/** The person's settings; empty if there is no file. Throws at the first error. */
export function readConfigFile(env: Environment): ConfigFile {
  const file = configFilePath(env);
  return parseConfig(file, readOwnFile(file) ?? "");
}

export function parseConfig(file: string, text: string): ConfigFile {
  const parsed = configFile.safeParse(parseToml(file, text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new OvldError(
    issue === undefined
      ? { code: "config-syntax", facts: { path: file, line: 1, reason: "" } }
      : reportOf(file, text, issue),
  );
}

function parseToml(file: string, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(file, error);
    if (!(error instanceof TomlError)) throw error;
    const [reason = ""] = error.message.replace(/^Invalid TOML document: /, "").split("\n");
    throw new OvldError({ code: "config-syntax", facts: { path: file, line: error.line, reason } }, error);
  }
}

/** Thousands of nested tables overflow the parser's stack. */
function tooDeep(file: string, error: RangeError): OvldError {
  const facts = { path: file, line: 1, reason: "nested too deeply" };
  return new OvldError({ code: "config-syntax", facts }, error);
}

/** A name in the file may have any length. */
const MOST_SHOWN = 60;

function reportOf(file: string, text: string, issue: z.core.$ZodIssue): ErrorReport {
  const at = issue.path.map(String);
  if (issue.code === "unrecognized_keys") {
    const [wrong = ""] = issue.keys;
    const known = keysAt(at);
    const setting = [...at, wrong].map((name) => shorten(name, MOST_SHOWN));
    const facts = { path: file, line: lineOfSetting(text, [...at, wrong]), key: setting.join("."), known };
    return {
      code: "config-key",
      facts: { ...facts, meant: closestWord(shorten(wrong, MOST_SHOWN), known) ?? "" },
    };
  }
  const key = at.map((name) => shorten(name, MOST_SHOWN)).join(".");
  const facts = { path: file, line: lineOfSetting(text, at), key };
  return { code: "config-value", facts: { ...facts, ...demandOf(at, issue) } };
}

/** What the value should be instead. */
function demandOf(
  [table, key = ""]: string[],
  issue: z.core.$ZodIssue,
): { expected: Expectation; choices: string[] } {
  const tables: Record<string, Record<string, [number, number]>> = RANGES;
  const range = table === undefined ? undefined : tables[table]?.[key];
  if (range !== undefined) return { expected: "a number in this range", choices: [range.join("–")] };
  const choices = issue.code === "invalid_value" ? issue.values.map(String) : [];
  return { expected: expectationOf(issue), choices };
}

function expectationOf(issue: z.core.$ZodIssue): Expectation {
  if (issue.code === "invalid_value") return "one of these";
  if (issue.code === "custom") return EXPECTED.find((each) => each === issue.message) ?? "a text";
  if (issue.code !== "invalid_type") return "a text";
  const { expected } = issue;
  if (expected === "boolean") return "true or false";
  if (expected === "array") return "a list of texts";
  return expected === "object" ? "a table" : "a text";
}

/** The settings that exist at this place in the file. */
function keysAt([table, entry]: string[]): string[] {
  if (table === undefined) return Object.keys(TOP);
  if (table === "agents" && entry === "claude") return ["program", ...Object.keys(agentTable)];
  if (table === "roles" && entry !== undefined) return Object.keys(agentTable);
  return entry === undefined
    ? Object.keys(Object.entries(TABLES).find(([name]) => name === table)?.[1] ?? {})
    : [];
}

const TABLE = /^\s*\[([^[\]]+)\]/;
const SETTING = /^\s*((?:"[^"]*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[\w-]+))*)\s*=/;

/**
 * The line of the setting, or of the table it belongs to; the first line if neither is found. The parser reports no
 * lines after it has succeeded.
 */
export function lineOfSetting(text: string, setting: readonly string[]): number {
  let table: string[] = [];
  let nearest = 1;
  for (const [index, line] of text.split("\n").entries()) {
    const [, header] = TABLE.exec(line) ?? [];
    const [, key] = SETTING.exec(line) ?? [];
    if (header !== undefined) table = namesIn(header);
    const here = header !== undefined ? table : key !== undefined ? [...table, ...namesIn(key)] : undefined;
    if (here === undefined) continue;
    if (startsWith(here, setting)) return index + 1;
    if (startsWith(setting, here)) nearest = index + 1;
  }
  return nearest;
}

function namesIn(dotted: string): string[] {
  return dotted.split(".").map((name) => name.trim().replaceAll(/^["']|["']$/g, ""));
}

function startsWith(whole: readonly string[], beginning: readonly string[]): boolean {
  return beginning.length > 0 && beginning.every((name, index) => whole[index] === name);
}

/** Opens `ovld status --watch` in an army's session, as Zellij spells keys. Neither Zellij nor Claude Code uses it. */
export const DESK_KEY = "Alt s";

/** In place of a key: there is none. */
export const NO_KEY = "off";

/** A letter or digit with Ctrl, Alt or Super, or a function key. A key alone would be missing when the person types. */
export function isDeskKey(text: string): boolean {
  return (
    text === NO_KEY ||
    /^(?:(?:(?:Ctrl|Alt|Super) )+(?:Shift )?[a-z0-9]|(?:(?:Ctrl|Alt|Super|Shift) )*F(?:[1-9]|1[0-2]))$/.test(
      text,
    )
  );
}
