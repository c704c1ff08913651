/** A card of something that needs the person: it takes no click and no key while it is in a new place. */
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Role } from "../../../army/roles.ts";
import { STEADY_AFTER_MS } from "../keys.ts";
import { Sigil } from "../marks.tsx";
import { Button, usePage } from "../page-parts.tsx";

interface CardProps {
  look: "request" | "need";
  role: Role;
  title: string;
  /** What is at the end of its first line. */
  extra?: ComponentChildren;
  isBusy?: boolean;
  request?: string;
  children: ComponentChildren;
}

export function Card({ look, role, title, extra, isBusy = false, request, children }: CardProps) {
  const { words, onAside } = usePage();
  const { place, isSteady } = useSteadiness();
  return (
    <article
      ref={place}
      class={isSteady ? `card ${look}` : `card ${look} moving`}
      tabIndex={-1}
      aria-label={title}
      aria-busy={isBusy}
      data-card
      data-request={request}
    >
      <header>
        <h3>
          <Sigil role={role} /> {title}
        </h3>
        {extra}
        <Button
          class="quiet"
          hotkey="Enter"
          label={words.pane}
          aria-label={words.showScreen(role)}
          onClick={() => onAside({ pane: role })}
        />
      </header>
      {children}
    </article>
  );
}

/**
 * Whether an element has been in its place for a moment. When a card goes away, the next one moves under the pointer:
 * a click that was meant for the first must not answer the second. It looks at each rendering, so what moves the element
 * has to be rendered together with it.
 */
function useSteadiness(): { place: RefObject<HTMLElement | null>; isSteady: boolean } {
  const place = useRef<HTMLElement>(null);
  const top = useRef<number | undefined>(undefined);
  const [movedAt, setMovedAt] = useState<number | undefined>(() => performance.now());
  useLayoutEffect(() => {
    const now = place.current?.offsetTop;
    if (now === top.current) return;
    top.current = now;
    setMovedAt(performance.now());
  });
  useEffect(() => {
    if (movedAt === undefined) return undefined;
    const timer = window.setTimeout(() => setMovedAt(undefined), STEADY_AFTER_MS);
    return () => window.clearTimeout(timer);
  }, [movedAt]);
  return { place, isSteady: movedAt === undefined };
}
