import { expect, it } from "vitest";
import { keysInConfig, normalizeKey } from "../../../src/zellij/status-key.ts";

const bound = (kdl: string, key: string): boolean | undefined => keysInConfig(kdl)?.has(normalizeKey(key));

it.each([
  [`keybinds { normal { bind "Alt s" { NewTab; }; }; }`],
  [`keybinds { shared_except "locked" { bind "F2" "Alt s" { NewTab; } } }`],
  [`bind r"Alt s" { NewTab; }`],
  [`bind r#"Alt s"# { NewTab; }`],
  [`bind "Alt S" { NewTab; }`],
  [`bind "Alt Shift s" { NewTab; }`],
  [`unbind "alt  s"`],
  [`theme "http://x" // "\nbind "Alt s" { Quit; }`],
  [`/* " */ bind "Alt s" { Quit; }`],
  [`// bind "Alt s" { NewTab; }`],
  [`/* bind "Alt s" { NewTab; } */`],
  [`bind "Alt s`],
])("Alt s is found in %j", (kdl) => {
  expect(bound(kdl, "Alt s")).toBe(true);
});

it.each([[`keybinds { normal { bind "Ctrl s" { NewTab; }; }; }`], [`theme "say Alt s aloud"`], [``]])(
  "Alt s is not found in %j",
  (kdl) => {
    expect(bound(kdl, "Alt s")).toBe(false);
  },
);

it("modifiers have no order", () => {
  expect(bound(`bind "Alt Ctrl o" { Quit; }`, "Ctrl Alt o")).toBe(true);
});

it("what an escape binds is unknown", () => {
  expect(keysInConfig(`bind "\\u{41}lt s" { Quit; }`)).toBeUndefined();
});
