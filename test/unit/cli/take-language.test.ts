import { expect, it } from "vitest";
import { takeLanguage } from "../../../src/cli/take-language.ts";

it.each([
  [["--lang", "ja", "status"], ["status"], "ja"],
  [["status", "--lang=en", "--json"], ["status", "--json"], "en"],
  [["send", "storm", "--", "--lang", "ja"], ["send", "storm", "--", "--lang", "ja"], undefined],
  [["status"], ["status"], undefined],
])("%o leaves %o and says %o", (args, rest, language) => {
  expect(takeLanguage(args)).toEqual({ rest, language, wrong: undefined });
});

it.each([[["--lang"]], [["--lang", "fr"]], [["--lang="]]])("%o is refused", (args) => {
  expect(takeLanguage(args).wrong).toBeDefined();
});
