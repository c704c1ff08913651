/**
 * Changes one value in a JSON text and leaves every other character as it is.
 *
 * Parsing and printing the whole file would change what JavaScript cannot represent, such as numbers of more than 15
 * digits, and anything else that others rely on. The caller has made sure that the text is valid JSON.
 */
interface Member {
  /** Where its value begins and ends. */
  from: number;
  to: number;
}

interface Members {
  /** The member with this name that counts, which is the last. */
  found: Member | undefined;
  /** Where the last member of any name ends; undefined in an empty object. */
  lastEnd: number | undefined;
  /** Where the object's closing brace is. */
  close: number;
}

/** Undefined if something on the path is not an object. */
export function setInJson(text: string, path: readonly string[], value: unknown): string | undefined {
  const [name, ...deeper] = path;
  if (name === undefined) return undefined;
  return setIn({ text, value }, { at: skipBlanks(text, 0), depth: 1 }, name, deeper);
}

/** Where an object begins, and how deep it is. */
interface Spot {
  at: number;
  depth: number;
}

function setIn(
  change: { text: string; value: unknown },
  { at, depth }: Spot,
  name: string,
  deeper: readonly string[],
): string | undefined {
  const { text, value } = change;
  if (text[at] !== "{") return undefined;
  const { found, lastEnd, close } = membersOf(text, at, name);
  const content = deeper.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  const [next, ...rest] = deeper;
  if (found === undefined) return addMember(text, { at, depth, lastEnd, close }, name, content);
  const isNull = text.slice(found.from, found.to) === "null";
  if (next !== undefined && !isNull) return setIn(change, { at: found.from, depth: depth + 1 }, next, rest);
  return text.slice(0, found.from) + write(content, styleOf(text), depth) + text.slice(found.to);
}

function addMember(
  text: string,
  { at, depth, lastEnd, close }: Spot & Omit<Members, "found">,
  name: string,
  content: unknown,
): string {
  const style = styleOf(text);
  const colon = style.indent === "" ? ":" : ": ";
  const member = `${lineAt(style, depth)}${JSON.stringify(name)}${colon}${write(content, style, depth)}`;
  if (lastEnd !== undefined) return `${text.slice(0, lastEnd)},${member}${text.slice(lastEnd)}`;
  return `${text.slice(0, at + 1)}${member}${lineAt(style, depth - 1)}${text.slice(close)}`;
}

interface Style {
  newline: string;
  /** Empty if the text is on one line. */
  indent: string;
}

function styleOf(text: string): Style {
  const [, newline = "\n", indent = ""] = /^\s*\{(\r?\n)([ \t]+)"/.exec(text) ?? [];
  return { newline, indent };
}

function lineAt({ newline, indent }: Style, depth: number): string {
  return indent === "" ? "" : newline + indent.repeat(depth);
}

function write(content: unknown, style: Style, depth: number): string {
  return JSON.stringify(content, undefined, style.indent).replaceAll("\n", lineAt(style, depth));
}

function membersOf(text: string, at: number, name: string): Members {
  const members: Members = { found: undefined, lastEnd: undefined, close: at };
  let next = skipBlanks(text, at + 1);
  while (text[next] === '"') {
    const keyEnd = endOfText(text, next);
    const from = skipBlanks(text, skipBlanks(text, keyEnd) + 1);
    const to = endOfValue(text, from);
    if (JSON.parse(text.slice(next, keyEnd)) === name) members.found = { from, to };
    members.lastEnd = to;
    const behind = skipBlanks(text, to);
    next = text[behind] === "," ? skipBlanks(text, behind + 1) : behind;
  }
  return { ...members, close: next };
}

function skipBlanks(text: string, at: number): number {
  let next = at;
  while (" \t\r\n".includes(text[next] ?? "x")) next += 1;
  return next;
}

function endOfText(text: string, at: number): number {
  let next = at + 1;
  for (; text[next] !== '"' && next < text.length; next += 1) if (text[next] === "\\") next += 1;
  return next + 1;
}

function endOfValue(text: string, at: number): number {
  if (text[at] === '"') return endOfText(text, at);
  let next = at;
  for (let depth = 0; next < text.length; next += 1) {
    const character = text[next] ?? "";
    if (depth === 0 && ",}] \t\r\n".includes(character)) return next;
    if (character === '"') next = endOfText(text, next) - 1;
    else if ("{[".includes(character)) depth += 1;
    else if ("}]".includes(character)) {
      depth -= 1;
      if (depth === 0) return next + 1;
    }
  }
  return next;
}
