import type { Document, Node } from "@bgotink/kdl";
import { parse } from "@bgotink/kdl/v1-compat";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { FORMATION } from "../../../src/army/formation.ts";
import { ROLES } from "../../../src/army/roles.ts";
import { formatLayout, type PaneCommand } from "../../../src/zellij/layout.ts";

function layoutOf(cwd: string, command: PaneCommand): Document {
  // An independent parser for version 1 of KDL, which is what Zellij reads.
  return parse(formatLayout({ cwd, commandOf: () => command }));
}

function nodes(parent: Document | Node | undefined, name: string): Node[] {
  const children = parent && "nodes" in parent ? parent.nodes : parent?.children?.nodes;
  return (children ?? []).filter((node) => node.getName() === name);
}

const plain: PaneCommand = { program: "/bin/agent", args: ["--mcp-config", "/r/mcp.json"] };

it("Z5 there are three tabs, and the first has the focus", () => {
  const [layout] = nodes(layoutOf("/work", plain), "layout");
  const tabs = nodes(layout, "tab");
  expect(tabs.map((tab) => [tab.getProperty("name"), tab.getProperty("focus")])).toEqual([
    ["command", true],
    ["battlefield", undefined],
    ["support", undefined],
  ]);
});

it("Z6 every role has exactly one pane, named after it", () => {
  expect(FORMATION.flatMap(({ panes }) => panes.map(({ role }) => role)).toSorted()).toEqual(
    [...ROLES].toSorted(),
  );
});

it("an army on several machines has panes for the roles of this one only; an empty tab is left out", () => {
  const text = formatLayout({
    cwd: "/work",
    commandOf: () => plain,
    roles: ["strategist", "glacier", "storm"],
  });
  const [layout] = nodes(parse(text), "layout");
  const tabs = nodes(layout, "tab");
  const panes = tabs.map((tab) =>
    nodes(tab, "pane").map((pane) => [pane.getProperty("name"), pane.getProperty("size")]),
  );
  expect(tabs.map((tab) => [tab.getProperty("name"), tab.getProperty("focus")])).toEqual([
    ["command", true],
    ["support", undefined],
  ]);
  expect(panes).toEqual([
    [["strategist", undefined]],
    [
      ["glacier", "49%"],
      ["storm", "51%"],
    ],
  ]);
});

const hostile = fc.string({ unit: "binary", maxLength: 30 });
const nasty = fc.constantFrom(
  '"',
  "\\",
  "$HOME",
  "~",
  "\n",
  "\r",
  "魔王",
  "\u001b[31m",
  "{}",
  "//",
  "\u{1F525}",
);
const text = fc.array(fc.oneof(hostile, nasty), { maxLength: 4 }).map((parts) => parts.join(""));

it("any path and any argument survive the layout unchanged", () => {
  fc.assert(
    fc.property(text, text, fc.array(text, { maxLength: 4 }), (cwd, program, args) => {
      const document = layoutOf(`/${cwd}`, { program: `/${program}`, args });
      const [layout] = nodes(document, "layout");
      expect(nodes(layout, "cwd")[0]?.getArgument(0)).toBe(asZellijReads(`/${cwd}`));
      for (const pane of nodes(layout, "tab").flatMap((tab) => nodes(tab, "pane"))) {
        expect(nodes(pane, "command")[0]?.getArgument(0)).toBe(asZellijReads(`/${program}`));
        const [printed] = nodes(pane, "args");
        expect(args.map((_, index) => printed?.getArgument(index))).toEqual(args.map(possible));
      }
    }),
    { numRuns: 500 },
  );
});

/** Zellij expands variables in paths; a doubled dollar sign means a single one. */
function asZellijReads(path: string): string {
  return possible(path).replaceAll("$", "$$$$");
}

/** What an argument can contain: no NUL, and no half of a surrogate pair. */
function possible(value: string): string {
  return value.replaceAll(/[\0\p{Cs}]/gu, "");
}
