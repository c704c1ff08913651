/** The texts of the desk's page in every language: the page has them all, so that it can switch without the server. */
import type { Language } from "../army/words.ts";
import * as ENGLISH from "./en/page.ts";
import * as JAPANESE from "./ja/page.ts";
import type { PageTexts } from "./texts.ts";

export const PAGE_TEXTS: Record<Language, PageTexts> = { en: ENGLISH, ja: JAPANESE };
