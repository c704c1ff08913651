/** What an agent asks, as one line. */
import type { Texts } from "../i18n/texts.ts";
import type { AgentRequest } from "../mail/records/request.ts";

export function nameRequest(request: AgentRequest, { asks }: Texts["answer"]): string {
  const { role, tool, kind } = request;
  if (kind !== "permission" || request.action.what === "call") return asks[kind](role, tool);
  return asks[request.action.what](role, tool);
}
