/**
 * The session in which this process runs, by its original name.
 *
 * Panes that were open when a session was renamed keep its old name in their environment; later panes get the new
 * name. The server was started with the path of its first socket, which does not change.
 */
import { basename } from "node:path";
import { listAncestors } from "../system/process-table.ts";

export function sessionAround(env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (env["ZELLIJ"] === undefined) return undefined;
  for (const { words } of listAncestors()) {
    const socket = words[words.indexOf("--server") + 1];
    if (words.includes("--server") && socket !== undefined) return basename(socket);
  }
  // Started in a pane, but no longer below the server.
  return env["ZELLIJ_SESSION_NAME"];
}
