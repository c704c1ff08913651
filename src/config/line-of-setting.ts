/** Where in a TOML text a setting stands, for a message to point at: the parser does not tell once it has succeeded. */
const TABLE = /^\s*\[([^[\]]+)\]/;
const SETTING = /^\s*((?:"[^"]*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[\w-]+))*)\s*=/;

/** The line of the setting itself, or of the table it would be in; the first line where neither is found. */
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
