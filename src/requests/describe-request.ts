/** What an agent asks, in words for the person, and the lines that it would change. */
import type { Texts } from "../i18n/texts.ts";
import type { AgentRequest, Asked } from "../mail/records/request.ts";
import { cleanCode, cleanLine, cleanProse, shorten } from "../system/clean-text.ts";

/** What it asks, as one line. */
export function nameRequest(request: AgentRequest, { asks }: Texts["answer"]): string {
  const { role, tool, kind } = request;
  if (kind !== "permission" || request.action.what === "call") return asks[kind](role, tool);
  return asks[request.action.what](role, tool);
}

type Suggestion = Extract<AgentRequest, { kind: "permission" }>["suggestions"][number];

/** What the agent's own dialog offers to allow from now on. */
export function nameSuggestion(offer: Suggestion, { suggestions: texts }: Texts["answer"]): string {
  if (offer.what === "rules") return texts.rules(offer.behavior, offer.rules.join(", "), offer.where);
  if (offer.what === "folders") return texts.folders(offer.folders.join(", "), offer.where);
  return offer.what === "mode" ? texts.mode(offer.mode, offer.where) : texts.other(offer.text);
}

const MOST_CHARACTERS = 100;

/** What a request is about, in one line, for lists; the whole of it is shown where it is answered. */
export function summarizeRequest(request: Asked): string {
  const about = cleanLine(aboutOf(request));
  return shorten(about === "" ? request.tool : `${request.tool}: ${about}`, MOST_CHARACTERS);
}

function aboutOf(request: Asked): string {
  if (request.kind === "question") return cleanProse(request.questions.map(({ text }) => text).join(" "));
  if (request.kind === "plan") return cleanProse(request.plan.replace(/^[#\s]+/, ""));
  if (request.kind === "oversized") return "";
  const { action, rest } = request;
  if (action.what === "command") return cleanCode(action.command);
  if (action.what === "call") return Object.keys(rest).length === 0 ? "" : cleanCode(JSON.stringify(rest));
  return cleanCode(action.target === undefined ? action.path : `${action.path} → ${action.target}`);
}

export interface DiffLine {
  is: "kept" | "removed" | "added";
  text: string;
}

/** Above this many comparisons only the common beginning and end are kept: the rest is shown as replaced. */
const MOST_COMPARISONS = 1_000_000;

/** The lines that a change removes, adds and keeps, in order. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const shorter = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < shorter && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  return [
    ...all("kept", old.slice(0, head)),
    ...diffMiddle(old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail)),
    ...all("kept", old.slice(old.length - tail)),
  ];
}

/** No text has no lines; everything else has one more than it has newlines. */
function linesOf(text: string): string[] {
  return text === "" ? [] : text.split("\n");
}

/** By the longest common subsequence. */
function diffMiddle(old: string[], fresh: string[]): DiffLine[] {
  if (old.length * fresh.length > MOST_COMPARISONS) return [...all("removed", old), ...all("added", fresh)];
  const width = fresh.length + 1;
  const longest = new Uint32Array((old.length + 1) * width);
  const at = (row: number, column: number): number => longest[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = fresh.length - 1; column >= 0; column -= 1) {
      longest[row * width + column] =
        old[row] === fresh[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < old.length && column < fresh.length) {
    const [mine = "", theirs = ""] = [old[row], fresh[column]];
    let is: DiffLine["is"] = "kept";
    if (mine !== theirs) is = at(row + 1, column) >= at(row, column + 1) ? "removed" : "added";
    lines.push({ is, text: is === "added" ? theirs : mine });
    if (is !== "added") row += 1;
    if (is !== "removed") column += 1;
  }
  return [...lines, ...all("removed", old.slice(row)), ...all("added", fresh.slice(column))];
}

function all(is: DiffLine["is"], lines: string[]): DiffLine[] {
  return lines.map((text) => ({ is, text }));
}
