/** What the agent's own dialog offers to allow from now on, in the person's language. */
import type { Texts } from "../i18n/texts.ts";
import type { AgentRequest } from "../mail/records/request.ts";

type Suggestion = Extract<AgentRequest, { kind: "permission" }>["suggestions"][number];

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
