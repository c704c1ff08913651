/** What a request is about, in one line, for lists; the whole of it is shown where it is answered. Pure. */
import type { Asked } from "../mail/request.ts";
import { cleanLine, shorten } from "../system/clean-text.ts";

const MOST_CHARACTERS = 100;

export function summarizeRequest(request: Asked): string {
  const about = cleanLine(aboutOf(request));
  return shorten(about === "" ? request.tool : `${request.tool}: ${about}`, MOST_CHARACTERS);
}

function aboutOf(request: Asked): string {
  switch (request.kind) {
    case "permission":
      return aboutAction(request);
    case "question":
      return request.questions.map(({ text }) => text).join(" ");
    case "plan":
      return request.plan.replace(/^[#\s]+/, "");
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
      return action.path;
    case "call":
      return Object.keys(rest).length === 0 ? "" : JSON.stringify(rest);
  }
}
