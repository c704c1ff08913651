import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ERRORS } from "../../src/army/errors.ts";
import { exitCodeOf } from "../../src/command/command-context.ts";

/** Errors of the command line itself, which are not errors of a command. */
const BEFORE_ANY_COMMAND = { usage: 2, internal: 1 };

it("docs/errors.md lists every code, by the exit code it ends with", () => {
  const documented = [...read("docs/errors.md").matchAll(/^- \*\*(\d)\*\*.*$/gm)].flatMap(([row, exit]) =>
    [...row.matchAll(/`([a-z-]+)`/g)].map(([, code = ""]): [string, number] => [code, Number(exit)]),
  );
  const codes = Object.keys(ERRORS);
  expect(codes.length).toBeGreaterThan(20);
  const real = codes.map((code): [string, number] => [code, exitCodeOf(code)]);
  expect(Object.fromEntries(documented)).toEqual({ ...BEFORE_ANY_COMMAND, ...Object.fromEntries(real) });
});

function read(path: string): string {
  return readFileSync(join(process.cwd(), path), "utf8");
}
