/** What an agent asks, in words for the person. */
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
export function nameSuggestion(suggestion: Suggestion, { suggestions: texts }: Texts["answer"]): string {
  switch (suggestion.what) {
    case "rules":
      return texts.rules(suggestion.behavior, suggestion.rules.join(", "), suggestion.where);
    case "folders":
      return texts.folders(suggestion.folders.join(", "), suggestion.where);
    case "mode":
      return texts.mode(suggestion.mode, suggestion.where);
    case "other":
      return texts.other(suggestion.text);
  }
}

const MOST_CHARACTERS = 100;

/** What a request is about, in one line, for lists; the whole of it is shown where it is answered. */
export function summarizeRequest(request: Asked): string {
  const about = cleanLine(aboutOf(request));
  return shorten(about === "" ? request.tool : `${request.tool}: ${about}`, MOST_CHARACTERS);
}

function aboutOf(request: Asked): string {
  switch (request.kind) {
    case "permission":
      return cleanCode(aboutAction(request));
    case "question":
      return cleanProse(request.questions.map(({ text }) => text).join(" "));
    case "plan":
      return cleanProse(request.plan.replace(/^[#\s]+/, ""));
    case "oversized":
      return "";
  }
}

function aboutAction({ action, rest }: Extract<Asked, { kind: "permission" }>): string {
  switch (action.what) {
    case "command":
      return action.command;
    case "edit":
    case "write":
      return action.target === undefined ? action.path : `${action.path} → ${action.target}`;
    case "call":
      return Object.keys(rest).length === 0 ? "" : JSON.stringify(rest);
  }
}
