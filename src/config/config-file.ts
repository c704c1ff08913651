/** The configuration file: reads it setting by setting, and names the line of what is wrong in it. */
import { parse, TomlError } from "smol-toml";
import type { Expectation } from "../army/errors.ts";
import { shorten } from "../system/clean-text.ts";
import { OvldError, type ErrorReport } from "../system/ovld-error.ts";
import { closestWord } from "../system/text.ts";

export interface Kind<Value> {
  expected: Expectation;
  /** Shown to the person after the expectation. */
  choices?: string[];
  /** What each member of a list may be. */
  each?: Kind<unknown>;
  /** The value as ovld uses it; undefined if it does not fit. */
  read: (value: unknown) => Value | undefined;
}

/** A name in the file may have any length. */
const MOST_SHOWN = 60;

/** Throws at the first error: an invalid value when it is read, an unknown setting when all others have been. */
export function parseConfig(path: string, text: string) {
  const whole = parseToml(path, text);
  /** The settings that have been read, by the name of their table. */
  const known = new Map<string, Set<string>>();
  const place = (names: string[]) => ({
    path,
    line: lineOfSetting(text, names),
    key: names.map((name) => shorten(name, MOST_SHOWN)).join("."),
  });
  const refuse = (names: string[], expected: Expectation, choices: string[] = []): never => {
    throw new OvldError({ code: "config-value", facts: { ...place(names), expected, choices } });
  };
  const find = (names: string[]): unknown => {
    let found: unknown = whole;
    for (const [depth, name] of names.entries()) {
      if (found === undefined) return undefined;
      if (!isTable(found)) return refuse(names.slice(0, depth), "a table");
      found = found[name];
    }
    return found;
  };
  return {
    /** Undefined if the file does not have it. */
    read<Value>(setting: string, { expected, choices, each, read }: Kind<Value>): Value | undefined {
      const names = setting.split(".");
      for (const [depth, name] of names.entries()) {
        const table = names.slice(0, depth).join(".");
        known.set(table, (known.get(table) ?? new Set()).add(name));
      }
      const found = find(names);
      if (found === undefined) return undefined;
      const wrong =
        each && Array.isArray(found) ? found.findIndex((one) => each.read(one) === undefined) : -1;
      if (each && wrong >= 0) return refuse([...names, String(wrong)], each.expected, each.choices);
      return read(found) ?? refuse(names, expected, choices);
    },
    refuseUnknown(): void {
      for (const [table, settings] of known) {
        const names = table === "" ? [] : table.split(".");
        const wrong = Object.keys(find(names) ?? {}).find((name) => !settings.has(name));
        if (wrong === undefined) continue;
        const meant = closestWord(shorten(wrong, MOST_SHOWN), [...settings]) ?? "";
        const facts = { ...place([...names, wrong]), known: [...settings], meant };
        throw new OvldError({ code: "config-key", facts });
      }
    },
  };
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function parseToml(path: string, text: string): unknown {
  const report = (line: number, reason: string): ErrorReport => ({
    code: "config-syntax",
    facts: { path, line, reason },
  });
  try {
    return parse(text);
  } catch (error) {
    // Thousands of nested tables overflow the parser's stack.
    if (error instanceof RangeError) throw new OvldError(report(1, "nested too deeply"), error);
    if (!(error instanceof TomlError)) throw error;
    const [reason = ""] = error.message.replace(/^Invalid TOML document: /, "").split("\n");
    throw new OvldError(report(error.line, reason), error);
  }
}

const NAME = String.raw`(?:"[^"]*"|'[^']*'|[\w-]+)`;
const TABLE = /^\s*\[([^[\]]+)\]/;
const SETTING = new RegExp(String.raw`^\s*(${NAME}(?:\s*\.\s*${NAME})*)\s*=`);

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
    if (beginsWith(here, setting)) return index + 1;
    if (beginsWith(setting, here)) nearest = index + 1;
  }
  return nearest;
}

function namesIn(dotted: string): string[] {
  return dotted.split(".").map((name) => name.trim().replaceAll(/^["']|["']$/g, ""));
}

function beginsWith(whole: readonly string[], beginning: readonly string[]): boolean {
  return beginning.length > 0 && beginning.every((name, index) => whole[index] === name);
}
