/**
 * Whether an element has been in its place for a moment. When a card goes away, the next one moves under the pointer:
 * a click that was meant for the first must not answer the second.
 */
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** Longer than a person needs to see that something has moved, and to hold back a click. */
const STEADY_AFTER_MS = 400;

/** Looks at each rendering, so what moves the element has to be rendered together with it. */
export function useSteadiness(): { place: RefObject<HTMLElement | null>; isSteady: boolean } {
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
