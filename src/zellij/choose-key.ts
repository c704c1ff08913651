/**
 * Whether a key can be bound in a session of ours without taking one of the person's own away: neither their
 * configuration of Zellij nor Zellij itself may use it.
 */
import { join } from "node:path";
import { OvldError } from "../system/ovld-error.ts";
import { readOwnFile } from "../system/read-file.ts";
import { keysInConfig, normalizeKey } from "./keys-in-config.ts";
import { runZellijAtOnce, type Zellij } from "./zellij.ts";

export type KeyChoice =
  | { is: "free"; key: string }
  /** `by`: the file that binds it; undefined if Zellij itself does. */
  | { is: "taken"; key: string; by: string | undefined }
  /** A configuration could not be read, so nothing is known about it. */
  | { is: "unknown"; key: string; why: string };

const MOST_CONFIG_BYTES = 1024 * 1024;

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
    const text = readOwnFile(path, MOST_CONFIG_BYTES);
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
