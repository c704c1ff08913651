/** What an agent asks, as one line. */
import type { AnswerTexts } from "../i18n/en/answer.ts";
import type { AgentRequest } from "../mail/records/request.ts";

export function nameRequest(request: AgentRequest, { asks }: AnswerTexts): string {
  const { role, tool, kind } = request;
  if (kind !== "permission" || request.action.what === "call") return asks[kind](role, tool);
  return asks[request.action.what](role, tool);
}
