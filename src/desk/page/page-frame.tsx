/** The frame of the page: its headline, the keys, and what is open beside it. */
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Language } from "../../army/words.ts";
import { PAGE_TEXTS } from "../../i18n/page-texts.ts";
import { MessageStoryView } from "./campaign/messages.tsx";
import { useKeys } from "./keys.ts";
import { RoleName } from "./marks.tsx";
import { PageContext, usePage, type Aside, type Page } from "./page-parts.tsx";
import { PaneScreen } from "./pane-screen.tsx";

interface PageFrameProps extends Pick<Page, "calls" | "now" | "isCut"> {
  /** Of the window. */
  title: string;
  /** How much needs the person or is new to them: shown in the window's title and icon. */
  badge: number;
  heading: ComponentChildren;
  language: Language;
  onLanguage: (language: Language) => void;
  children: ComponentChildren;
}

export function PageFrame({
  title,
  badge,
  heading,
  language,
  onLanguage,
  children,
  ...rest
}: PageFrameProps) {
  const texts = PAGE_TEXTS[language];
  const words = texts.desk.page;
  const other = language === "en" ? "ja" : "en";
  const [aside, onAside] = useState<Aside>();
  const help = useRef<HTMLDialogElement>(null);
  // It belongs to the army that was shown.
  useEffect(() => onAside(undefined), [title]);
  const showHelp = (): void => help.current?.showModal();
  useKeys(showHelp);
  // With the page itself: who reads it aloud needs to know its language.
  useLayoutEffect(() => {
    document.documentElement.lang = language;
    document.title = badge > 0 ? `(${badge}) ${title}` : title;
    document.querySelector("link[rel=icon]")?.setAttribute("href", iconWith(badge > 0));
  }, [language, title, badge]);
  return (
    <PageContext.Provider value={{ texts, words, aside, onAside, ...rest }}>
      <header class="top">
        {heading}
        <div class="tools">
          <button type="button" lang={other} onClick={() => onLanguage(other)}>
            {words.otherLanguage}
          </button>
          <button type="button" aria-label={words.keys.title} onClick={showHelp}>
            ?
          </button>
        </div>
      </header>
      <main class={rest.isCut ? "cut" : undefined}>{children}</main>
      {aside && <AsidePanel key={JSON.stringify(aside)} aside={aside} />}
      <dialog ref={help} class="card help" aria-labelledby="help">
        <h2 id="help">{words.keys.title}</h2>
        <dl>
          {words.keys.list.map(([key, does]) => (
            <>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{does}</dd>
            </>
          ))}
        </dl>
        <p class="note">{words.keys.rule}</p>
        <form method="dialog">
          <button type="submit" class="main">
            {words.close}
          </button>
        </form>
      </dialog>
    </PageContext.Provider>
  );
}

/** Beside the page on a wide screen, over it on a narrow one. Escape closes it, and the focus goes back. */
function AsidePanel({ aside }: { aside: Aside }) {
  const { words, onAside } = usePage();
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    // The person has asked for this, so their keyboard goes there.
    const { activeElement: before } = document;
    heading.current?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key === "Escape" && document.querySelector("dialog[open]") === null) onAside(undefined);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [onAside]);
  return (
    <aside class={"pane" in aside ? "panel" : "panel story"} aria-labelledby="panel">
      <header>
        <h2 id="panel" tabIndex={-1} ref={heading}>
          {"pane" in aside ? <RoleName role={aside.pane} /> : words.mail}
        </h2>
        <button type="button" onClick={() => onAside(undefined)}>
          {words.close}
        </button>
      </header>
      {"pane" in aside ? <PaneScreen role={aside.pane} /> : <MessageStoryView id={aside.message} />}
    </aside>
  );
}

/** The icon of the window, with a dot if something needs the person. */
function iconWith(hasDot: boolean): string {
  const dot = hasDot ? '<circle cx="12" cy="4" r="4" fill="#ff5a4e"/>' : "";
  const path = '<path d="M4 4.5H12M5 8H11M3.5 12H12.5M8 4.5V12" stroke="#fff" stroke-width="1.5"/>';
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#7e479c"/>${path}${dot}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(picture)}`;
}
