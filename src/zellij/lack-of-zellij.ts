/** Why Zellij does not answer when asked for its version. */
import { whyNotMakeFolder } from "../system/paths.ts";
import type { ErrorReport } from "../system/ovld-error.ts";
import { existsSync } from "node:fs";
import { OLDEST_ZELLIJ } from "./version.ts";
import type { Zellij } from "./zellij.ts";

export function lackOfZellij(zellij: Pick<Zellij, "env">): ErrorReport {
  const value = unusableTempFolder(zellij);
  if (value === undefined) return { code: "zellij-missing", facts: { oldest: OLDEST_ZELLIJ } };
  return { code: "env-wrong", facts: { variable: "TMPDIR", value, expected: "a folder to write in" } };
}

/** Zellij writes its log to the folder for temporary files; if it cannot, it does not even print its version. */
export function unusableTempFolder({ env }: Pick<Zellij, "env">): string | undefined {
  const folder = env["TMPDIR"];
  if (!folder) return undefined;
  return existsSync(folder) && whyNotMakeFolder(folder) === undefined ? undefined : folder;
}
