/** Colours on a terminal: whether to use them, and which colour each role has. */
import type { Sender } from "../army/roles.ts";
import { steer } from "./print.ts";

export type Style = Sender | "good" | "warning" | "bad" | "strong" | "faint";

export type Paint = (style: Style, text: string) => string;

/** Not `util.styleText`: the escape characters it writes would be removed like those in any text (`print.ts`). */
const CODES: Record<Style, string> = {
  overlord: "35",
  strategist: "36",
  inferno: "31",
  glacier: "94",
  shadow: "32",
  storm: "33",
  human: "1",
  ovld: "2",
  good: "32",
  warning: "33",
  bad: "31",
  strong: "1",
  faint: "2",
};

export function createPaint(wanted: boolean): Paint {
  return wanted
    ? (style, text) => `${steer(`${CODES[style]}m`)}${text}${steer("0m")}`
    : (_style, text) => text;
}

/** An explicit choice of the person wins over a guess, as in Node itself. */
export function wantsColour(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  if (env["NO_COLOR"]) return false;
  return isTerminal && env["TERM"] !== "dumb";
}
