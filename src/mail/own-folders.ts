/** A link in place of one of the store's folders would lead what we write, move or remove out of the store. */
import { lstatSync } from "node:fs";
import { relative, join, sep } from "node:path";
import { OvldError } from "../system/ovld-error.ts";

/** Throws if one of these folders, or one between them and the root, is something else. A missing one is no harm. */
export function requireOwnFolders(root: string, folders: readonly string[]): void {
  const seen = new Set<string>();
  for (const folder of folders) {
    let path = root;
    for (const part of relative(root, folder).split(sep)) {
      path = join(path, part);
      if (seen.has(path)) continue;
      seen.add(path);
      const found = lstatSync(path, { throwIfNoEntry: false });
      if (found && !found.isDirectory()) throw new OvldError({ code: "store-foreign", facts: { path } });
    }
  }
}
