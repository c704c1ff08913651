/** The texts of every language, for tests. */
import type { Language } from "../../src/army/words.ts";
import * as EN from "../../src/i18n/en.ts";
import * as JA from "../../src/i18n/ja.ts";
import type { Texts } from "../../src/i18n/texts.ts";

export const TEXTS: Record<Language, Texts> = { en: EN, ja: JA };
