import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { otherRoles, ROLES, type Role } from "../../../src/army/roles.ts";
import { STATUSES } from "../../../src/mail/status.ts";
import { TOOLS } from "../../../src/relay/tools/tool-list.ts";

const FOLDERS = { en: "rituals", ja: "rituals/ja" } as const;
const MOST_BYTES = 6 * 1024;
const GENERALS: Role[] = ["inferno", "glacier", "shadow", "storm"];
const toolNames = TOOLS.map(({ name }) => name);

type Language = keyof typeof FOLDERS;

function ritual(language: Language, role: Role): string {
  return readFileSync(join(process.cwd(), FOLDERS[language], `${role}.md`), "utf8");
}

/** The section that tells how to talk to the others. */
function protocol(language: Language, role: Role): string {
  const [, section = ""] = /\n## MCP [^\n]*\n(.*?)(?=\n## )/s.exec(ritual(language, role)) ?? [];
  return section;
}

/** The lines that tell what a tool is for. */
function linesAbout(tool: string, language: Language, role: Role): string {
  return protocol(language, role)
    .split("\n")
    .filter((line) => line.startsWith(`- \`${tool}\``))
    .join("\n");
}

/** Words in code marks: what a text names, whatever its language. */
function namesIn(text: string): string[] {
  return [...new Set([...text.matchAll(/`([a-z_]+)`/g)].map(([, name = ""]) => name))].toSorted();
}

describe.each(["en", "ja"] as const)("rituals in %s", (language) => {
  it("R2 there are exactly six, one for each role, each at most 6 KB", () => {
    const files = readdirSync(join(process.cwd(), FOLDERS[language])).filter((name) => name.endsWith(".md"));
    expect(files).toEqual(ROLES.map((role) => `${role}.md`).toSorted());
    for (const role of ROLES)
      expect(Buffer.byteLength(ritual(language, role))).toBeLessThanOrEqual(MOST_BYTES);
  });

  it("R7.1a R7.2a R7.3a each has a section on the MCP communication protocol", () => {
    for (const role of ROLES) expect(protocol(language, role)).not.toBe("");
  });

  it("R7.1c each tells to call check_inbox when [MESSAGE from …] is shown", () => {
    for (const role of ROLES) {
      const [line = ""] = protocol(language, role)
        .split("\n")
        .filter((each) => each.includes("[MESSAGE from "));
      expect(line).toContain("`check_inbox`");
    }
  });

  it("R7.1b the overlord sends messages to the strategist", () => {
    expect(linesAbout("send_message", language, "overlord")).toContain("strategist");
  });

  it("R7.2b R7.2c the strategist sends messages to the four generals and broadcasts to everyone", () => {
    for (const general of GENERALS)
      expect(linesAbout("send_message", language, "strategist")).toContain(general);
    expect(linesAbout("broadcast", language, "strategist")).toMatch(/everyone|全員/);
  });

  it.each(GENERALS)("R7.3b R7.3c %s reports to the strategist and keeps its status", (general) => {
    expect(linesAbout("send_message", language, general)).toContain("strategist");
    expect(linesAbout("update_status", language, general)).toContain("`working`");
  });

  it("DG4 each asks for paths of files instead of their content", () => {
    for (const role of ROLES) expect(protocol(language, role)).toMatch(/paths of files|ファイルのパス/);
  });

  it("only tools and statuses that exist are named", () => {
    const known = new Set([...toolNames, ...STATUSES, "task", "urgent", "normal", "redelivered"]);
    for (const role of ROLES)
      expect(namesIn(ritual(language, role)).filter((name) => !known.has(name))).toEqual([]);
  });

  it("no ritual speaks of itself as somebody to write to", () => {
    for (const role of ROLES) {
      const [, sender] = /\[MESSAGE from (\w+)\]/.exec(protocol(language, role)) ?? [];
      expect(otherRoles(role)).toContain(sender);
    }
  });
});

it.each(ROLES)("English and Japanese say the same protocol to %s", (role) => {
  const [english, japanese] = [protocol("en", role), protocol("ja", role)];
  expect(namesIn(english)).toEqual(namesIn(japanese));
  expect(english.split("\n- ")).toHaveLength(japanese.split("\n- ").length);
});
