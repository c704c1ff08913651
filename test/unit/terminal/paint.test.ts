import { expect, it } from "vitest";
import { wantsColour } from "../../../src/terminal/paint.ts";

it.each([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: "1" }, true, false],
  [{ NO_COLOR: "" }, true, true],
  [{ TERM: "dumb" }, true, false],
  [{ FORCE_COLOR: "1" }, false, true],
  [{ FORCE_COLOR: "1", NO_COLOR: "1", TERM: "dumb" }, false, true],
  [{ FORCE_COLOR: "0" }, true, false],
])("with %o and a terminal %o, colours are wanted: %o", (env, isTerminal, wanted) => {
  expect(wantsColour(env, isTerminal)).toBe(wanted);
});
