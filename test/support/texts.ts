/** The texts of every language, as a test reads them. */
import { TEXTS as EN } from "../../src/i18n/en.ts";
import { TEXTS as JA } from "../../src/i18n/ja.ts";

export const TEXTS = { en: EN, ja: JA };
