import { expect, it } from "vitest";
import { readArguments } from "../../../src/cli/read-arguments.ts";

it.each([
  [["--lang", "ja", "status"], ["status"], "ja"],
  [["status", "--lang=en", "--json"], ["status", "--json"], "en"],
  [["send", "storm", "--", "--lang", "ja"], ["send", "storm", "--", "--lang", "ja"], undefined],
  [["status"], ["status"], undefined],
  [["status", "--session", "work"], ["status", "--army", "work"], undefined],
  [["log", "--session=work", "--", "--session"], ["log", "--army=work", "--", "--session"], undefined],
])("%o leaves %o and says %o", (args, rest, language) => {
  expect(readArguments(args)).toEqual({ rest, language, wrong: undefined });
});

it.each([[["--lang"]], [["--lang", "fr"]], [["--lang="]]])("%o is refused", (args) => {
  expect(readArguments(args).wrong).toBeDefined();
});
