/** What a request is about, in one line, for lists; the whole of it is shown where it is answered. Pure. */
import type { Asked } from "../mail/records/request.ts";
import { cleanCode, cleanLine, cleanProse, shorten } from "../system/clean-text.ts";

const MOST_CHARACTERS = 100;

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
