/** What the person's own settings files say, as far as it matters to an army. They are only ever read. */
import { join } from "node:path";
import * as z from "zod/mini";
import type { Environment } from "../../system/run-program.ts";
import { lazily } from "../../system/async.ts";
import { readIfThere } from "../../system/read-file.ts";
import { claudeFolder } from "./registry.ts";

interface PersonSettings {
  path: string;
  /** Whether a program provides the key. */
  helper: boolean;
  variables: Environment;
  /** What happens to messages that come through a session's socket. */
  inbound: string | undefined;
}

/** The file that counts most comes first; `folder` is undefined if it no longer exists. */
export function readPersonSettings(env: Environment, folder: string | undefined): PersonSettings[] {
  const own = join(claudeFolder(env), "settings.json");
  const ofProject = ["settings.local.json", "settings.json"].map((name) => `.claude/${name}`);
  const paths = folder === undefined ? [own] : [...ofProject.map((name) => join(folder, name)), own];
  return paths.map(readSettingsFile);
}

/**
 * The setting by which the person keeps messages out of the sockets of their sessions, ours included; undefined if they
 * do not. Of several files Claude Code obeys the strictest, and ovld overrules none of them.
 */
export function closedInbox(
  env: Environment,
  folder: string | undefined,
): { value: string; path: string } | undefined {
  for (const { path, inbound } of readPersonSettings(env, folder))
    if (inbound === "hold" || inbound === "refuse") return { value: inbound, path };
  return undefined;
}

const settingsFile = lazily(() =>
  z.object({
    apiKeyHelper: z.optional(z.string()),
    env: z.optional(z.record(z.string(), z.string())),
    crossSessionInbound: z.optional(z.string()),
  }),
);

const MOST_SETTINGS_BYTES = 16 * 1024 * 1024;

/** A file that is missing or not understood counts as empty. */
function readSettingsFile(path: string): PersonSettings {
  try {
    const { apiKeyHelper, env, crossSessionInbound } = settingsFile().parse(
      JSON.parse(readIfThere(path, MOST_SETTINGS_BYTES) ?? ""),
    );
    return { path, helper: Boolean(apiKeyHelper), variables: env ?? {}, inbound: crossSessionInbound };
  } catch {
    return { path, helper: false, variables: {}, inbound: undefined };
  }
}
