/**
 * Turns what a terminal in raw mode sends into keys.
 *
 * A person's Enter is a CR in a read of its own, or after a few characters. A CR in a long piece of text came with a
 * paste and is a line end in it. Claude Code does the same, so programs that type must pause before Enter.
 */
import { StringDecoder } from "node:string_decoder";
import { cleanText } from "../../system/clean-text.ts";

export type Key =
  | { key: "text" | "paste"; text: string }
  | { key: "enter" | "newline" | "backspace" | "delete" | "clear" | "escape" | "interrupt" | "end-of-input" }
  | { key: "up" | "down" | "left" | "right" | "home" | "end" };

export interface KeyReader {
  read(bytes: Buffer): Key[];
}

/** No person types this many bytes of text in one read. */
const BURST_BYTES = 64;

const PASTE_BEGIN = "\u001b[200~";
const PASTE_END = "\u001b[201~";

const NAMED = new Map<string, Key>([
  ["\r", { key: "enter" }],
  ["\n", { key: "newline" }],
  ["\u007f", { key: "backspace" }],
  ["\b", { key: "backspace" }],
  ["\u0015", { key: "clear" }],
  ["\u0003", { key: "interrupt" }],
  ["\u0004", { key: "end-of-input" }],
  ["\u0001", { key: "home" }],
  ["\u0005", { key: "end" }],
  ["\u001b", { key: "escape" }],
  ["\u001b[A", { key: "up" }],
  ["\u001b[B", { key: "down" }],
  ["\u001b[C", { key: "right" }],
  ["\u001b[D", { key: "left" }],
  ["\u001b[3~", { key: "delete" }],
  ["\u001b[H", { key: "home" }],
  ["\u001b[F", { key: "end" }],
]);

/** One key: an escape sequence, a control character, or a run of text. */
const TOKEN = /\u001b\[[0-9;?]*[@-~]|\u001bO[A-Z]|\u001b[^[\u001b]?|[^\P{Cc}\t]|[\t\P{Cc}]+/gu;
/** Text and line ends without any other key in between. */
const STRETCH = /[\t\r\n\P{Cc}]+/gu;
/** The beginning of a sequence whose end arrives with the next read. */
const CUT_OFF = /\u001b\[[0-9;?]*$/;

export function createKeyReader(): KeyReader {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  /** The text of a paste that has not ended yet. */
  let paste: string | undefined;
  const readPaste = (input: string, pasted: string): { keys: Key[]; left: string } => {
    const whole = pasted + input;
    const end = whole.indexOf(PASTE_END);
    if (end === -1) {
      paste = whole;
      return { keys: [], left: "" };
    }
    paste = undefined;
    const text = cleanText(whole.slice(0, end));
    return { keys: text === "" ? [] : [{ key: "paste", text }], left: whole.slice(end + PASTE_END.length) };
  };
  return {
    read(bytes) {
      let input = rest + decoder.write(bytes);
      rest = "";
      const keys: Key[] = [];
      while (input !== "") {
        if (paste !== undefined) {
          const { keys: pasted, left } = readPaste(input, paste);
          keys.push(...pasted);
          input = left;
          continue;
        }
        const begin = input.indexOf(PASTE_BEGIN);
        let typed = begin === -1 ? input : input.slice(0, begin);
        if (begin === -1) {
          rest = CUT_OFF.exec(typed)?.[0] ?? "";
          typed = typed.slice(0, typed.length - rest.length);
          input = "";
        } else {
          paste = "";
          input = input.slice(begin + PASTE_BEGIN.length);
        }
        keys.push(...readTyped(typed));
      }
      return keys;
    },
  };
}

function readTyped(typed: string): Key[] {
  const bursts = Array.from(typed.matchAll(STRETCH)).filter(
    ([text]) => Buffer.byteLength(text) >= BURST_BYTES,
  );
  const isInBurst = (at: number): boolean =>
    bursts.some(({ 0: text, index }) => at >= index && at < index + text.length);
  return Array.from(typed.matchAll(TOKEN)).flatMap(({ 0: token, index }): Key[] => {
    if (token === "\r" && isInBurst(index)) return [{ key: "newline" }];
    const named = NAMED.get(token);
    if (named) return [named];
    // Anything else that begins with a control character is a key without a meaning here.
    return /^[^\P{Cc}\t]/u.test(token) ? [] : [{ key: "text", text: token }];
  });
}
