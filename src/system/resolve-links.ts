/** Follows every link in a path; parts that do not exist yet stay as they are. */
import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";

export function resolveLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(resolveLinks(above), basename(path));
  }
}
