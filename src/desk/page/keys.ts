/**
 * The keys of the page: j and k go from card to card, others act on the card that has the focus. Never while the person
 * types, and what answers an agent only after a moment without any key: who types and has lost the field answers nothing.
 */
import { useEffect } from "preact/hooks";

/** Longer than a person needs to see that something has moved, and to hold back a click. */
export const STEADY_AFTER_MS = 400;

export function useKeys(onHelp: () => void): void {
  useEffect(() => {
    let last = 0;
    const onKey = (event: KeyboardEvent): void => {
      const isQuick = performance.now() - last < STEADY_AFTER_MS;
      last = performance.now();
      const { key, target } = event;
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return;
      if (event.defaultPrevented || isField(target) || document.querySelector("dialog[open]")) return;
      const act = {
        "?": onHelp,
        "/": () => document.querySelector<HTMLElement>("#message")?.focus(),
        j: () => move(1),
        k: () => move(-1),
      }[key];
      const button = act === undefined && !isQuick ? buttonFor(key) : undefined;
      if (act === undefined && button === undefined) return;
      event.preventDefault();
      act?.();
      button?.click();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

function isField(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.matches("textarea, select, input:not([type=checkbox], [type=radio])")
  );
}

function move(by: number): void {
  const cards = [...document.querySelectorAll<HTMLElement>("[data-card]")];
  const current = cards.findIndex((card) => card.contains(document.activeElement));
  const next = current === -1 && by < 0 ? cards.length - 1 : current + by;
  cards[Math.min(cards.length - 1, Math.max(0, next))]?.focus();
}

/** What this key presses on the card that has the focus. Enter on a button of the card is the button's own. */
function buttonFor(key: string): HTMLElement | undefined {
  const { activeElement } = document;
  const card = activeElement?.closest("[data-card]:not(.moving)");
  if (!card || (key === "Enter" && card !== activeElement)) return undefined;
  const buttons = card.querySelectorAll<HTMLElement>("[aria-keyshortcuts]");
  return [...buttons].find((button) => button.getAttribute("aria-keyshortcuts") === key);
}
