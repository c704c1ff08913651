/** The folder of the prompts that come with ovld. */
import { dirname, join } from "node:path";
import type { Language } from "../army/words.ts";

/** `program` is the started file of ovld, `bin/ovld.cjs` in its package. */
export function packagedRituals(program: string, language: Language): string {
  const folder = join(dirname(dirname(program)), "rituals");
  return language === "ja" ? join(folder, "ja") : folder;
}
