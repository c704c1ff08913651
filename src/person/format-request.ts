/** What an agent asks, as text for the person who is to decide: all of it, and marked as quoted. Pure. */
import type { Look } from "../command/command-context.ts";
import type { AgentRequest, Question } from "../mail/records/request.ts";
import { diffLines, nameRequest, nameSuggestion, type DiffLine } from "../requests/describe-request.ts";
import { cleanCode, cleanProse } from "../system/clean-text.ts";
import type { Style } from "../terminal/paint.ts";
import { wrapLines } from "../terminal/text-width.ts";

export interface RequestLook extends Look {
  /** The army of the role; undefined if there is only one. */
  army: string | undefined;
}

type Permission = Extract<AgentRequest, { kind: "permission" }>;

export function formatRequest(request: AgentRequest, look: RequestLook): string {
  const { texts, paint, army } = look;
  const { since } = request;
  const whose = army === undefined ? "" : ` ${texts.answer.ofArmy(army)}`;
  const age = texts.answer.since(texts.status.age((look.now - Date.parse(since)) / 1_000));
  const head = `${paint("warning", `${nameRequest(request, texts.answer)}${whose}`)}  ${paint("faint", age)}`;
  return `${[head, ...formatBody(request, look)].join("\n")}\n`;
}

function formatBody(request: AgentRequest, look: RequestLook): string[] {
  const { answer } = look.texts;
  if (request.kind === "oversized") return [answer.tooLarge(request.bytes)];
  const rest = Object.entries(request.rest).flatMap(([name, value]) =>
    quote(`${name}: ${typeof value === "string" ? value : JSON.stringify(value, undefined, 2)}`, look),
  );
  const suggestions = request.kind === "question" ? [] : request.suggestions;
  const offers = suggestions.flatMap((suggestion, index) =>
    quote(nameSuggestion(suggestion, answer), look, { mark: `${index + 1}. ` }),
  );
  return [
    ...formatAsked(request, look),
    ...(rest.length > 0 ? [answer.rest, ...rest] : []),
    ...(offers.length > 0 ? [answer.offers, ...offers] : []),
  ];
}

function formatAsked(request: Exclude<AgentRequest, { kind: "oversized" }>, look: RequestLook): string[] {
  switch (request.kind) {
    case "permission":
      return formatAction(request, look);
    case "plan":
      return quote(request.plan, look, { clean: cleanProse });
    case "question":
      return request.questions.flatMap((each) => formatQuestion(each, look));
  }
}

function formatAction({ action }: Permission, look: RequestLook): string[] {
  const { answer } = look.texts;
  switch (action.what) {
    case "command":
      return quote(action.command, look);
    case "write":
      return [...formatPath(action, look), ...formatDiff(diffLines("", action.content), look)];
    case "edit":
      return [
        ...formatPath(action, look),
        ...action.changes.flatMap(({ before, after, everywhere }) => [
          ...(everywhere ? [answer.everywhere] : []),
          ...formatDiff(diffLines(before, after), look),
        ]),
      ];
    case "call":
      return formatTarget(action.target, look);
  }
}

function formatPath(
  { path, target }: { path: string; target?: string | undefined },
  look: RequestLook,
): string[] {
  return [...quote(look.texts.answer.file(path), look), ...formatTarget(target, look)];
}

function formatTarget(target: string | undefined, look: RequestLook): string[] {
  if (target === undefined) return [];
  return quote(look.texts.answer.target(target), look, { style: "warning" });
}

const DIFF: Record<DiffLine["is"], { mark: string; style: Style }> = {
  kept: { mark: " ", style: "faint" },
  removed: { mark: "-", style: "bad" },
  added: { mark: "+", style: "good" },
};

function formatDiff(lines: DiffLine[], look: Look): string[] {
  return lines.flatMap(({ is, text }) => {
    const { mark, style } = DIFF[is];
    return quote(text, look, { mark: `${mark} `, style });
  });
}

export function formatQuestion({ text, header, several, options }: Question, look: RequestLook): string[] {
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

const PREVIEW_INDENT = "     ";
const GUTTER = "  │ ";

interface Quoting {
  /** Begins the first line. */
  mark?: string;
  clean?: (text: string) => string;
  style?: Style;
}

/** Every line of it begins with the gutter, so that no text can pass for ours. */
export function quote(
  text: string,
  { columns, paint }: Look,
  { mark = "", clean = cleanCode, style }: Quoting = {},
): string[] {
  const width = columns === undefined ? Infinity : columns - GUTTER.length - mark.length;
  // Cleaned before it is broken into lines: otherwise a carriage return would become a line without the gutter.
  return wrapLines(clean(text), width).map((line, index) => {
    const words = `${index === 0 ? mark : " ".repeat(mark.length)}${line}`;
    return `${paint("faint", GUTTER)}${style === undefined ? words : paint(style, words)}`;
  });
}
