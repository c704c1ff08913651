import { expect, it } from "vitest";
import { readArguments } from "../../../src/cli/read-arguments.ts";

it.each([
  [["--lang", "ja", "status"], ["status"], "ja"],
  [["status", "--lang=en", "--json"], ["status", "--json"], "en"],
  [["send", "storm", "--", "--lang", "ja"], ["send", "storm", "--", "--lang", "ja"], undefined],
  [["status"], ["status"], undefined],
  [["status", "--session", "work"], ["status", "--army", "work"], undefined],
  [["log", "--session=work", "--", "--session"], ["log", "--army=work", "--", "--session"], undefined],
  [["--lang", "en", "up", "--fresh"], ["summon", "--fresh"], "en"],
  [["watch", "--army", "work"], ["status", "--watch", "--army", "work"], undefined],
  [["rm", "ls", "--yes"], ["armies", "rm", "ls", "--yes"], undefined],
  [["help", "demo"], ["help", "practice"], undefined],
  [["send", "storm", "up"], ["send", "storm", "up"], undefined],
])("%o leaves %o and says %o", (args, rest, language) => {
  expect(readArguments(args)).toEqual({ rest, language, wrong: undefined });
});

it.each([[["--lang"]], [["--lang", "fr"]], [["--lang="]]])("%o is refused", (args) => {
  expect(readArguments(args).wrong).toBeDefined();
});

it.each([
  [["armies", "--yes", "remove", "rm"], ["armies", "rm", "--yes", "rm"], "armies remove"],
  [["armies", "rm", "remove"], ["armies", "rm", "remove"], undefined],
  [["status", "--json", "--all", "--watch"], ["armies", "--json", "--watch"], "status --all"],
  [["unsummon", "--all"], ["unsummon", "--all"], undefined],
  [["continue", "storm"], ["restart", "--continue", "storm"], "continue"],
  [["ritual"], ["rituals", "give"], "ritual"],
])("%o is run as %o, by the old name %s", (args, rest, name) => {
  const taken = readArguments(args);
  expect([taken.rest, taken.oldName?.names[0]]).toEqual([rest, name]);
});
