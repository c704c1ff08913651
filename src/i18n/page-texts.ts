/** The texts of the desk's page in every language: the page has them all, so that it can switch without the server. */
import type { Language } from "../army/words.ts";
import { TEXTS as ENGLISH } from "./page-en.ts";
import { TEXTS as JAPANESE } from "./page-ja.ts";
import type { PageTexts } from "./texts.ts";

export const PAGE_TEXTS: Record<Language, PageTexts> = { en: ENGLISH, ja: JAPANESE };
