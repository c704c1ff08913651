/** Why no Zellij answers when it is asked for its version. */
import { whyNotMakeFolder } from "../system/can-make-folder.ts";
import type { ErrorReport } from "../system/ovld-error.ts";
import { existsSync } from "node:fs";
import { OLDEST_ZELLIJ } from "./version.ts";
import type { Zellij } from "./zellij.ts";

export function lackOfZellij(zellij: Pick<Zellij, "env">): ErrorReport {
  const value = unusableTempFolder(zellij);
  if (value === undefined) return { code: "zellij-missing", facts: { oldest: OLDEST_ZELLIJ } };
  return { code: "env-wrong", facts: { variable: "TMPDIR", value, expected: "a folder to write in" } };
}

/** Zellij keeps its log in the folder for temporary files, and does not even tell its version where it cannot. */
export function unusableTempFolder({ env }: Pick<Zellij, "env">): string | undefined {
  const folder = env["TMPDIR"];
  if (!folder) return undefined;
  return existsSync(folder) && whyNotMakeFolder(folder) === undefined ? undefined : folder;
}
