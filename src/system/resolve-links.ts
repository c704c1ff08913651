/** Where a path leads when every link in it is followed; what is not there yet stays as it is. */
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
