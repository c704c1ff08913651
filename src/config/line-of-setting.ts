/**
 * Finds the line of a setting in a TOML text for an error message, because the parser reports no lines after it has
 * succeeded.
 */
const TABLE = /^\s*\[([^[\]]+)\]/;
const SETTING = /^\s*((?:"[^"]*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[\w-]+))*)\s*=/;

/** The line of the setting, or of the table it belongs to; the first line if neither is found. */
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

function startsWith(path: readonly string[], beginning: readonly string[]): boolean {
  return beginning.length > 0 && beginning.every((name, index) => path[index] === name);
}
