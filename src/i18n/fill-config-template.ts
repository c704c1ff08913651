/** The configuration file that `ovld init` writes. */
import type { Language } from "../army/words.ts";
import type { Texts } from "./texts.ts";

/** If a language is given, it is set in the file; otherwise the system decides. */
export function fillConfigTemplate(
  { language, configTemplate }: Pick<Texts, "language" | "configTemplate">,
  set: Language | undefined,
): string {
  const line = set === undefined ? `# language = "${language}"` : `language = "${set}"`;
  return configTemplate.replace("LANGUAGE_LINE", line);
}
