/**
 * The keys that a configuration of Zellij names, in a form in which they can be compared. Pure.
 *
 * Every text in the file that reads like a key counts as bound, wherever it is: rather too many keys than one too few.
 */

const TOKEN =
  /\/\/[^\n]*|(?<comment>\/\*[^]*?\*\/)|r(?<hashes>#*)"(?<raw>[^]*?)"\k<hashes>|"(?<text>(?:[^"\\]|\\[^])*)"|(?<open>\/\*|")|[^]/gu;

/** Undefined if the text is not complete, so that it is unknown what it names. */
export function keysInConfig(kdl: string): Set<string> | undefined {
  const keys = new Set<string>();
  for (const { groups = {} } of kdl.matchAll(TOKEN)) {
    const isNested = groups["comment"]?.includes("/*", 1);
    if (isNested || groups["open"] !== undefined) return undefined;
    const text = groups["raw"] ?? groups["text"];
    // A character that is written as an escape could be any key.
    if (groups["text"]?.includes("\\u")) return undefined;
    if (text !== undefined) keys.add(normalizeKey(text));
  }
  return keys;
}

/** The same for all spellings of a key: modifiers have no order, and a capital is a letter with Shift. */
export function normalizeKey(key: string): string {
  const words = key.trim().toLowerCase().split(/\s+/);
  return words
    .filter((word) => word !== "shift")
    .toSorted()
    .join(" ");
}
