import { expect, it } from "vitest";
import { isDeskKey } from "../../../src/config/desk-key.ts";

it.each(["Alt s", "Ctrl Alt o", "Alt Shift s", "Super 1", "F9", "Shift F12", "off"])("%j is a key", (key) => {
  expect(isDeskKey(key)).toBe(true);
});

it.each([
  "s",
  "Shift s",
  "Alt",
  "alt s",
  "Alt+s",
  "Alt é",
  "F13",
  "F0",
  "Alt s ",
  "",
  `Alt "`,
  "Enter",
  "on",
])("%j is not a key", (key) => {
  expect(isDeskKey(key)).toBe(false);
});
