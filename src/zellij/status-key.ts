/**
 * The key of the army's session that opens `ovld status --watch` in a floating pane.
 *
 * It is bound only if that takes no key of the person's own away: neither their configuration of Zellij nor Zellij
 * itself may use it.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { OvldError } from "../system/ovld-error.ts";
import { readOwnFile } from "../system/read-file.ts";
import { runZellijAtOnce, type Zellij } from "./zellij.ts";
import type { Language } from "../army/words.ts";
import type { PaneCommand } from "./layout.ts";
import type { Pane } from "./panes.ts";

/**
 * Free; free later, because Zellij has no configuration yet: it would write one, with this key in it, for all of the
 * person's sessions; taken by a file or by Zellij itself; or unknown, because what is named could not be read.
 */
export type KeyChoice =
  { is: "free" } | { is: "later" } | { is: "taken"; by: string } | { is: "unknown"; why: string };

const USUAL = "zellij setup --dump-config";

export async function chooseKey(zellij: Zellij, key: string): Promise<KeyChoice> {
  const files = configFiles(zellij.env);
  if (!files.some((file) => existsSync(file))) return { is: "later" };
  // This call connects to no socket.
  const { code, stdout } = await runZellijAtOnce(zellij, ...USUAL.split(" ").slice(1));
  const usual = code === 0 && stdout !== "" ? keysInConfig(stdout) : undefined;
  const keys = new Map([[USUAL, usual]]);
  for (const path of files) keys.set(path, keysIn(path));
  const [unread] = [...keys].find(([, bound]) => bound === undefined) ?? [];
  if (unread !== undefined) return { is: "unknown", why: unread };
  const [by] = [...keys].find(([, bound]) => bound?.has(normalizeKey(key))) ?? [];
  return by === undefined ? { is: "free" } : { is: "taken", by: by === USUAL ? "Zellij" : by };
}

/** None if there is no such file; undefined if it cannot be read. */
function keysIn(path: string): Set<string> | undefined {
  try {
    return keysInConfig(readOwnFile(path) ?? "");
  } catch (error) {
    if (error instanceof OvldError) return undefined;
    throw error;
  }
}

/** Every file that Zellij may use. Which of them it does use need not be known: a key in any of them counts. */
function configFiles(env: Zellij["env"]): string[] {
  const home = env["HOME"];
  const folders = [
    env["ZELLIJ_CONFIG_DIR"],
    env["XDG_CONFIG_HOME"] && join(env["XDG_CONFIG_HOME"], "zellij"),
    home && join(home, ".config", "zellij"),
    home && join(home, "Library", "Application Support", "org.Zellij-Contributors.Zellij"),
    "/etc/zellij",
  ];
  const files = folders.map((folder) => folder && join(folder, "config.kdl"));
  return [...new Set([env["ZELLIJ_CONFIG_FILE"], ...files])].flatMap((file) => (file ? [file] : []));
}

/**
 * The keys that a configuration of Zellij names, in a form in which they can be compared. Pure.
 *
 * Whatever stands between two quotes counts as bound, also in a comment: rather too many keys than one too few. Undefined
 * if a character is written as an escape, which could be any key.
 */
export function keysInConfig(kdl: string): Set<string> | undefined {
  return kdl.includes("\\u") ? undefined : new Set(kdl.split('"').map(normalizeKey));
}

/** The same for all spellings of a key: modifiers have no order, and a capital is a letter with Shift. */
export function normalizeKey(key: string): string {
  const words = key.trim().toLowerCase().split(/\s+/);
  return words
    .filter((word) => word !== "shift")
    .toSorted()
    .join(" ");
}

const WORDS = ["status", "--watch", "--floating"];

/** Runs the `ovld` on the PATH if this one was moved or updated while the army ran. */
const RUN = 'if [ -x "$0" ] && [ -e "$1" ]; then exec "$0" "$@"; fi; shift; exec ovld "$@"';

export function statusCommand(
  ovld: { node: string; file: string },
  language: Language | undefined,
): PaneCommand {
  const words = [...(language === undefined ? [] : ["--lang", language]), ...WORDS];
  return { program: "/bin/sh", args: ["-c", RUN, ovld.node, ovld.file, ...words] };
}

/** The pane that was opened by the key before the pane `own`; a number is never used again. */
export function findStatusPane(panes: Pane[], own: number): Pane | undefined {
  return panes.find(
    ({ id, isFloating, ended, command }) =>
      isFloating && !ended && id < own && command.endsWith(WORDS.join(" ")),
  );
}
