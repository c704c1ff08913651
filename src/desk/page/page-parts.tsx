/** What all parts of the page use: its frame and its texts, a role's name, and text from agents. */
import { createContext, type ComponentChildren } from "preact";
import { useContext, useEffect } from "preact/hooks";
import type { Sender } from "../../army/roles.ts";
import type { Language } from "../../army/words.ts";
import { PAGE_TEXTS } from "../../i18n/page-texts.ts";
import type { PageTexts } from "../../i18n/texts.ts";
import { cleanCode } from "../../system/clean-text.ts";

const TextsContext = createContext(PAGE_TEXTS.en);

export function useTexts(): PageTexts {
  return useContext(TextsContext);
}

interface PageFrameProps {
  /** Of the window. */
  title: string;
  heading: string;
  note?: string;
  language: Language;
  onLanguage: (language: Language) => void;
  children: ComponentChildren;
}

export function PageFrame({ title, heading, note, language, onLanguage, children }: PageFrameProps) {
  const texts = PAGE_TEXTS[language];
  const other = language === "en" ? "ja" : "en";
  useEffect(() => {
    document.documentElement.lang = language;
    document.title = title;
  }, [language, title]);
  return (
    <TextsContext.Provider value={texts}>
      <header class="top">
        <h1>{heading}</h1>
        {note !== undefined && <span class="age">{note}</span>}
        <button type="button" lang={other} onClick={() => onLanguage(other)}>
          {texts.desk.page.otherLanguage}
        </button>
      </header>
      <main>{children}</main>
    </TextsContext.Provider>
  );
}

/** A role's name in its colour. */
export function RoleName({ role }: { role: Sender }) {
  const { you } = useTexts().desk.page;
  return <span class={`role ${role}`}>{role === "human" ? you : role}</span>;
}

/**
 * Text from agents, always as text: without characters that control a terminal or change the order of others. It keeps
 * its line breaks, and says so if something in it is not shown as it is.
 */
export function ShownText({ text }: { text: string }) {
  const shown = cleanCode(text);
  return (
    <>
      {/* Long text scrolls, so a person who uses only the keyboard must be able to reach it. */}
      <pre class="text" tabIndex={0}>
        {shown}
      </pre>
      <HiddenNote isHidden={shown !== text} />
    </>
  );
}

export function HiddenNote({ isHidden }: { isHidden: boolean }) {
  const { hiddenCharacters } = useTexts().desk.page;
  return isHidden ? <p class="note">{hiddenCharacters}</p> : null;
}
