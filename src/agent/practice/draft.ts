/** What stands in the composer, and how typing changes it. Pure. */
export interface Draft {
  text: string;
  /** Where the next character goes. */
  cursor: number;
}

export const EMPTY_DRAFT: Draft = { text: "", cursor: 0 };

export function draftOf(text: string): Draft {
  return { text, cursor: text.length };
}

export function insert({ text, cursor }: Draft, piece: string): Draft {
  return { text: text.slice(0, cursor) + piece + text.slice(cursor), cursor: cursor + piece.length };
}

/** Removes what a person sees as one character, before the cursor. */
export function erase(draft: Draft): Draft {
  const { text, cursor } = draft;
  const start = previousEdge(draft);
  return { text: text.slice(0, start) + text.slice(cursor), cursor: start };
}

export type Move = "left" | "right" | "home" | "end";

export function move(draft: Draft, where: Move): Draft {
  switch (where) {
    case "left":
      return { ...draft, cursor: previousEdge(draft) };
    case "right":
      return { ...draft, cursor: nextEdge(draft) };
    case "home":
      return { ...draft, cursor: 0 };
    case "end":
      return { ...draft, cursor: draft.text.length };
  }
}

const segmenter = new Intl.Segmenter();

/** What belongs together is never longer than this, and looking at a whole ritual at each key would be slow. */
const NEIGHBOURHOOD = 64;

function previousEdge({ text, cursor }: Draft): number {
  const before = text.slice(Math.max(0, cursor - NEIGHBOURHOOD), cursor);
  const last = Array.from(segmenter.segment(before)).at(-1);
  return cursor - (last?.segment.length ?? 0);
}

function nextEdge({ text, cursor }: Draft): number {
  const [first] = segmenter.segment(text.slice(cursor, cursor + NEIGHBOURHOOD));
  return cursor + (first?.segment.length ?? 0);
}
