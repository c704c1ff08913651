/** Prints what an agent asks, for the person who is to decide: all of it, and marked as quoted text. Pure. */
import type { Texts } from "../../../i18n/texts.ts";
import type { AgentRequest, Question } from "../../../mail/records/request.ts";
import { diffLines, type DiffLine } from "../../../requests/diff-lines.ts";
import { nameRequest, nameSuggestion } from "../../../requests/name-request.ts";
import { cleanCode, cleanProse } from "../../../system/clean-text.ts";
import type { Paint, Style } from "../../../terminal/paint.ts";
import { wrapLines } from "../../../terminal/text-width.ts";

export interface RequestLook {
  texts: Pick<Texts, "answer" | "status">;
  paint: Paint;
  /** The army of the role; undefined if there is only one. */
  army: string | undefined;
  /** Undefined if lines are not wrapped. */
  columns: number | undefined;
  now: number;
}

type Permission = Extract<AgentRequest, { kind: "permission" }>;

export function printRequest(request: AgentRequest, look: RequestLook): string {
  const { texts, paint, army } = look;
  const { since } = request;
  const whose = army === undefined ? "" : ` ${texts.answer.ofArmy(army)}`;
  const age = texts.answer.since(texts.status.age((look.now - Date.parse(since)) / 1_000));
  const head = `${paint("warning", `${nameRequest(request, texts.answer)}${whose}`)}  ${paint("faint", age)}`;
  return `${[head, ...printBody(request, look)].join("\n")}\n`;
}

function printBody(request: AgentRequest, look: RequestLook): string[] {
  const { answer } = look.texts;
  switch (request.kind) {
    case "permission":
      return [
        ...printAction(request, look),
        ...printRest(request.rest, look),
        ...printSuggestions(request.suggestions, look),
      ];
    case "plan":
      return [
        ...quote(request.plan, look, { clean: cleanProse }),
        ...printRest(request.rest, look),
        ...printSuggestions(request.suggestions, look),
      ];
    case "question":
      return [
        ...request.questions.flatMap((each) => printQuestion(each, look)),
        ...printRest(request.rest, look),
      ];
    case "oversized":
      return [answer.tooLarge(request.bytes)];
  }
}

function printAction({ action }: Permission, look: RequestLook): string[] {
  const { answer } = look.texts;
  switch (action.what) {
    case "command":
      return quote(action.command, look);
    case "write":
      return [...printPath(action, look), ...printDiff(diffLines("", action.content), look)];
    case "edit":
      return [
        ...printPath(action, look),
        ...action.changes.flatMap(({ before, after, everywhere }) => [
          ...(everywhere ? [answer.everywhere] : []),
          ...printDiff(diffLines(before, after), look),
        ]),
      ];
    case "call":
      return printTarget(action.target, look);
  }
}

function printPath(
  { path, target }: { path: string; target?: string | undefined },
  look: RequestLook,
): string[] {
  return [...quote(look.texts.answer.file(path), look), ...printTarget(target, look)];
}

function printTarget(target: string | undefined, look: RequestLook): string[] {
  if (target === undefined) return [];
  return quote(look.texts.answer.target(target), look, { style: "warning" });
}

const DIFF: Record<DiffLine["is"], { mark: string; style: Style }> = {
  kept: { mark: " ", style: "faint" },
  removed: { mark: "-", style: "bad" },
  added: { mark: "+", style: "good" },
};

function printDiff(lines: DiffLine[], look: RequestLook): string[] {
  return lines.flatMap(({ is, text }) => {
    const { mark, style } = DIFF[is];
    return quote(text, look, { mark: `${mark} `, style });
  });
}

export function printQuestion({ text, header, several, options }: Question, look: RequestLook): string[] {
  const { answer } = look.texts;
  const title = [header && `${header}: `, text, several ? ` ${answer.several}` : ""].join("");
  const choices = options.flatMap(({ label, description, preview }, index) => [
    ...quote(description === "" ? label : `${label} – ${description}`, look, {
      mark: `${index + 1}. `,
      clean: cleanProse,
    }),
    ...(preview === undefined ? [] : quote(preview, look, { mark: PREVIEW_INDENT })),
  ]);
  return [...quote(title, look, { clean: cleanProse }), ...choices];
}

function printRest(rest: Record<string, unknown>, look: RequestLook): string[] {
  const entries = Object.entries(rest);
  if (entries.length === 0) return [];
  const lines = entries.flatMap(([name, value]) =>
    quote(`${name}: ${typeof value === "string" ? value : JSON.stringify(value, undefined, 2)}`, look),
  );
  return [look.texts.answer.rest, ...lines];
}

function printSuggestions(suggestions: Permission["suggestions"], look: RequestLook): string[] {
  if (suggestions.length === 0) return [];
  const { answer } = look.texts;
  const lines = suggestions.flatMap((suggestion, index) =>
    quote(nameSuggestion(suggestion, answer), look, { mark: `${index + 1}. ` }),
  );
  return [answer.offers, ...lines];
}

const PREVIEW_INDENT = "     ";
const GUTTER = "  │ ";

interface Quoting {
  /** Begins the first line. */
  mark?: string;
  clean?: (text: string) => string;
  style?: Style;
}

/** Every line of it begins with the gutter, so that no text can pass for ours. */
function quote(
  text: string,
  { columns, paint }: RequestLook,
  { mark = "", clean = cleanCode, style }: Quoting = {},
): string[] {
  const width = columns === undefined ? Infinity : columns - GUTTER.length - mark.length;
  // Cleaned before it is broken into lines: otherwise a carriage return would become a line without the gutter.
  return wrapLines(clean(text), width).map((line, index) => {
    const words = `${index === 0 ? mark : " ".repeat(mark.length)}${line}`;
    return `${paint("faint", GUTTER)}${style === undefined ? words : paint(style, words)}`;
  });
}
