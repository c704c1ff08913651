/** The texts of every language, for tests. */
import { TEXTS as EN } from "../../src/i18n/en.ts";
import { TEXTS as JA } from "../../src/i18n/ja.ts";

export const TEXTS = { en: EN, ja: JA };
