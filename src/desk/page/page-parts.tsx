/** What all parts of the page use: what they know and ask, its controls, and text from agents. */
import {
  createContext,
  type ButtonHTMLAttributes,
  type ComponentChildren,
  type TargetedKeyboardEvent,
  type TextareaHTMLAttributes,
} from "preact";
import { useContext, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ROLES, type Role } from "../../army/roles.ts";
import type { PageTexts } from "../../i18n/texts.ts";
import { cleanCode } from "../../system/clean-text.ts";
import type { DeskCalls, DeskReads, Query } from "./call-desk.ts";

/** What is open beside the page: the pane of a role, or a message. */
export type Aside = { pane: Role } | { message: string };

export interface Page {
  texts: PageTexts;
  /** Those that only the page has. */
  words: PageTexts["desk"]["page"];
  calls: DeskCalls;
  /** The desk's time. */
  now: number;
  /** The desk does not answer, so what is shown may have changed, and nothing can be pressed. */
  isCut: boolean;
  aside: Aside | undefined;
  onAside: (aside: Aside | undefined) => void;
}

export const PageContext = createContext<Page | undefined>(undefined);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (page === undefined) throw new Error("outside of the page's frame");
  return page;
}

interface Looks {
  everyMs: number;
  times: number;
}

/**
 * The latest answer to a question, and the problem if there was one since. It is asked when it changes, and so many times
 * at an interval; after the first time only while somebody looks at the page.
 */
export function useAnswer<Route extends keyof DeskReads>(
  route: Route,
  query: Query,
  how: Looks = { everyMs: 0, times: 1 },
): { value?: DeskReads[Route]; problem?: string } {
  return useAnswerOf(usePage().calls, route, query, how);
}

/** The same outside of the page's frame. */
export function useAnswerOf<Route extends keyof DeskReads>(
  calls: DeskCalls,
  route: Route,
  query: Query,
  { everyMs, times }: Looks,
): { value?: DeskReads[Route]; problem?: string } {
  const [answer, setAnswer] = useState<{ value?: DeskReads[Route]; problem?: string }>({});
  useEffect(() => {
    let timer: number | undefined;
    let [asked, isOver] = [0, false];
    const ask = async (): Promise<void> => {
      if (asked === 0 || !document.hidden) {
        const got = await calls.get(route, query);
        if (isOver) return;
        setAnswer((before) => ("value" in got ? got : { ...before, ...got }));
        asked += 1;
      }
      if (asked < times) timer = window.setTimeout(() => void ask(), everyMs);
    };
    void ask();
    return () => {
      isOver = true;
      window.clearTimeout(timer);
    };
  }, [calls, route, new URLSearchParams(query).toString(), times]);
  return answer;
}

export function Section({ id, title, children }: { id: string; title: string; children: ComponentChildren }) {
  return (
    <section aria-labelledby={id} class={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

interface ButtonProps extends ButtonHTMLAttributes {
  label: ComponentChildren;
  /** The key that does the same on the card that has the focus. */
  hotkey?: string;
}

export function Button({ label, hotkey, disabled, ...rest }: ButtonProps) {
  const { isCut } = usePage();
  return (
    <button type="button" aria-keyshortcuts={hotkey} disabled={isCut || disabled} {...rest}>
      {label}
      {hotkey?.length === 1 && <kbd aria-hidden="true">{hotkey}</kbd>}
    </button>
  );
}

/** A command for the person's terminal. */
export function Command({ line }: { line: string }) {
  const { words } = usePage();
  const [isCopied, setCopied] = useState(false);
  const copy = (): void => void navigator.clipboard.writeText(line).then(() => setCopied(true));
  return (
    <span class="command">
      <code>{line}</code>{" "}
      <button type="button" aria-live="polite" onClick={copy}>
        {isCopied ? words.copied : words.copy}
      </button>
    </span>
  );
}

interface SureButtonProps {
  label: string;
  sure: string;
  yes: string;
  waiting: string;
  act: () => Promise<void>;
}

export function SureButton({ label, sure, yes, waiting, act }: SureButtonProps) {
  const { words } = usePage();
  const [step, setStep] = useState<"offer" | "ask" | "wait">("offer");
  const begin = async (): Promise<void> => {
    setStep("wait");
    await act();
    setStep("offer");
  };
  if (step === "wait") return <p role="status">{waiting}</p>;
  if (step === "offer")
    return (
      <p>
        <Button label={label} onClick={() => setStep("ask")} />
      </p>
    );
  return (
    <p role="group" aria-label={sure}>
      {sure} <Button class="main" label={yes} onClick={() => void begin()} />{" "}
      <Button label={words.cancel} onClick={() => setStep("offer")} />
    </p>
  );
}

/** A card that goes away with the focus in it leaves the focus here, so that the keyboard goes on with the next card. */
export function useKeptFocus() {
  const heading = useRef<HTMLHeadingElement>(null);
  const hasFocus = useRef(false);
  useLayoutEffect(() => {
    if (hasFocus.current && document.activeElement === document.body)
      heading.current?.focus({ preventScroll: true });
    hasFocus.current = heading.current?.parentElement?.contains(document.activeElement) ?? false;
  });
  return { heading, hasFocus };
}

/** For a form that the page itself handles. */
export function submits(act: () => void): (event: Event) => void {
  return (event) => {
    event.preventDefault();
    act();
  };
}

interface TextBoxProps extends Omit<TextareaHTMLAttributes, "label"> {
  label: string;
  value: string;
  onText: (text: string) => void;
  /** Where the person goes on when it appears. */
  takesFocus?: boolean;
}

/** Ctrl and Enter submit it; in a box of one line, Enter alone does. */
export function TextBox({ label, rows = 1, value, onText, takesFocus = false, ...rest }: TextBoxProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (takesFocus) box.current?.focus();
  }, []);
  const onKey = (event: TargetedKeyboardEvent<HTMLTextAreaElement>): void => {
    const isMeant = event.ctrlKey || event.metaKey || (rows === 1 && !event.shiftKey);
    // While Japanese is composed, Enter chooses a word.
    if (event.key !== "Enter" || !isMeant || event.isComposing) return;
    event.preventDefault();
    // A button that is disabled stays unpressed.
    event.currentTarget.form?.querySelector<HTMLButtonElement>("[type=submit]")?.click();
  };
  return (
    <label>
      <span>{label}</span>
      <textarea
        ref={box}
        rows={rows}
        value={value}
        onInput={(event) => onText(event.currentTarget.value)}
        onKeyDown={onKey}
        {...rest}
      />
    </label>
  );
}

interface RoleChoiceProps {
  label: string;
  /** What the choice of all roles is called. */
  all: string;
  role: Role | "all";
  onChoose: (role: Role | "all") => void;
}

export function RoleChoice({ label, all, role, onChoose }: RoleChoiceProps) {
  const choose = (name: string): void => onChoose(ROLES.find((each) => each === name) ?? "all");
  return (
    <label>
      {label}{" "}
      <select value={role} onChange={(event) => choose(event.currentTarget.value)}>
        {ROLES.map((each) => (
          <option key={each}>{each}</option>
        ))}
        <option value="all">{all}</option>
      </select>
    </label>
  );
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
  const { hiddenCharacters } = usePage().words;
  return isHidden ? <p class="note">{hiddenCharacters}</p> : null;
}
