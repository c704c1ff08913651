/** The top of the page and of an exported campaign: a title, and a button for the other language. */
import type { ComponentChildren } from "preact";
import type { Language } from "../../army/words.ts";
import type { PageTexts } from "../../i18n/texts.ts";

interface TopBarProps {
  title: string;
  texts: PageTexts;
  onLanguage: (language: Language) => void;
  children?: ComponentChildren;
}

export function TopBar({ title, texts, onLanguage, children }: TopBarProps) {
  const other = texts.language === "en" ? "ja" : "en";
  return (
    <header class="top">
      <h1>{title}</h1>
      {children}
      <button type="button" lang={other} onClick={() => onLanguage(other)}>
        {texts.desk.page.otherLanguage}
      </button>
    </header>
  );
}
