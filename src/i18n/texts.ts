/**
 * Every sentence that a person reads, in one language. English defines the keys that each language fills in. Each
 * language is built into a file of its own, which is loaded only when it is used; so is what `ovld --help` says
 * (help.ts), because it should be there at once.
 */
import type { Language } from "../army/words.ts";
import type * as ENGLISH from "./en.ts";
import type * as PAGE from "./en/page.ts";

export type Texts = typeof ENGLISH;

/** Loads the texts of a language on first use. */
export type LoadTexts = (language: Language) => Texts;

export type PageTexts = typeof PAGE;
