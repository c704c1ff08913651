import { expect, it } from "vitest";
import { chooseLanguage } from "../../../src/i18n/language.ts";

it.each([
  [{}, "en"],
  [{ LANG: "ja_JP.UTF-8" }, "ja"],
  [{ LANG: "ja_JP.UTF-8", LC_MESSAGES: "en_US.UTF-8" }, "en"],
  [{ LANG: "ja_JP.UTF-8", LC_MESSAGES: "", LC_ALL: "" }, "ja"],
  [{ LANG: "en_US.UTF-8", OVLD_LANG: "ja" }, "ja"],
  [{ LANG: "de_DE.UTF-8" }, "en"],
])("the environment %o is read as %s", (env, language) => {
  expect(chooseLanguage(env)).toBe(language);
});

it("--lang wins over OVLD_LANG, that over the configuration, that over the system's own variables", () => {
  const env = { LANG: "de_DE.UTF-8" };
  expect(chooseLanguage(env, { config: "ja" })).toBe("ja");
  expect(chooseLanguage({ ...env, OVLD_LANG: "en" }, { config: "ja" })).toBe("en");
  expect(chooseLanguage({ ...env, OVLD_LANG: "en" }, { config: "en", flag: "ja" })).toBe("ja");
});
