/** Copies the default prompts to where the person can edit them; an existing file is never overwritten. */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { asideBeside, publishNewFile } from "../system/durable-files.ts";
import { explainFileError } from "../system/file-error.ts";
import type { LoadedRituals } from "./load-rituals.ts";

export function fillRituals({ sources, texts }: LoadedRituals): void {
  for (const { role, path, startsAs } of sources) {
    const content = texts.get(role);
    if (startsAs === undefined || content === undefined) continue;
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      publishNewFile({ aside: asideBeside(path), target: path, content });
    } catch (error) {
      throw explainFileError(error, path);
    }
  }
}
