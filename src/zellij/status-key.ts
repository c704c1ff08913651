/**
 * The key of the army's session that opens `ovld status --watch` in a floating pane.
 *
 * It is bound only if that takes no key of the person's own away: neither their configuration of Zellij nor Zellij
 * itself may use it.
 */
import { join } from "node:path";
import { OvldError } from "../system/ovld-error.ts";
import { readOwnFile } from "../system/read-file.ts";
import { runZellijAtOnce, type Zellij } from "./zellij.ts";
import type { Language } from "../army/words.ts";
import type { PaneCommand } from "./layout.ts";
import type { Pane } from "./panes.ts";

export type KeyChoice =
  | { is: "free"; key: string }
  /** `by`: the file that binds it; undefined if Zellij itself does. */
  | { is: "taken"; key: string; by: string | undefined }
  /** A configuration could not be read, so nothing is known about it. */
  | { is: "unknown"; key: string; why: string };

interface KeyList {
  /** Undefined for Zellij itself. */
  path: string | undefined;
  /** Undefined if they could not be read. */
  keys: ReadonlySet<string> | undefined;
}

export async function chooseKey(zellij: Zellij, key: string): Promise<KeyChoice> {
  const lists = [await usualKeys(zellij), ...configFiles(zellij.env).flatMap(keysIn)];
  const unread = lists.find(({ keys }) => keys === undefined);
  if (unread) return { is: "unknown", key, why: unread.path ?? "zellij setup --dump-config" };
  const taken = lists.find(({ keys }) => keys?.has(normalizeKey(key)));
  return taken ? { is: "taken", key, by: taken.path } : { is: "free", key };
}

async function usualKeys(zellij: Zellij): Promise<KeyList> {
  // This call connects to no socket.
  const { code, stdout } = await runZellijAtOnce(zellij, "setup", "--dump-config");
  return { path: undefined, keys: code === 0 && stdout !== "" ? keysInConfig(stdout) : undefined };
}

/** Nothing if there is no such file. */
function keysIn(path: string): KeyList[] {
  try {
    const text = readOwnFile(path);
    return text === undefined ? [] : [{ path, keys: keysInConfig(text) }];
  } catch (error) {
    if (error instanceof OvldError) return [{ path, keys: undefined }];
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

const TOKEN =
  /\/\/[^\n]*|(?<comment>\/\*[^]*?\*\/)|r(?<hashes>#*)"(?<raw>[^]*?)"\k<hashes>|"(?<text>(?:[^"\\]|\\[^])*)"|(?<open>\/\*|")|[^]/gu;

/**
 * The keys that a configuration of Zellij names, in a form in which they can be compared. Pure.
 *
 * Every text in the file that reads like a key counts as bound, wherever it is: rather too many keys than one too few.
 * Undefined if the text is not complete, so that it is unknown what it names.
 */
export function keysInConfig(kdl: string): Set<string> | undefined {
  const keys = new Set<string>();
  for (const { groups = {} } of kdl.matchAll(TOKEN)) {
    const isNested = groups["comment"]?.includes("/*", 1);
    if (isNested || groups["open"] !== undefined) return undefined;
    const text = groups["raw"] ?? groups["text"];
    // A character that is written as an escape could be any key.
    if (groups["text"]?.includes("\\u")) return undefined;
    if (text !== undefined) keys.add(normalizeKey(text));
  }
  return keys;
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
