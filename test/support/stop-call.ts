/** Stops ovld at a call of Zellij, until the test lets it go on. */
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { programPath } from "./program-path.ts";

/**
 * What ovld asks of Zellij to open a session, as patterns of the shell, in this order. It writes its files between the
 * two lists of sessions.
 */
export const STARTING_CALLS = [
  "--version",
  "'list-sessions --no-formatting'",
  "list-sessions",
  "'attach --create-background '*|*' --new-session-with-layout '*",
  "*' action list-panes '*",
] as const;

export interface StoppedCall {
  isReached: () => boolean;
  release: () => void;
  /** Zellij has answered, and ovld may go on. */
  isOver: () => boolean;
}

/** `lines` belong into the script by which ovld calls Zellij. They stop only the first call that matches. */
export function stopCall(
  root: string,
  zellij: string,
  pattern: string,
  when: "before" | "after",
): { lines: string; call: StoppedCall } {
  const folder = mkdtempSync(join(root, "call-"));
  const [reached, released, over] = [join(folder, "reached"), join(folder, "released"), join(folder, "over")];
  return {
    lines: `[ -e '${reached}' ] || case "$*" in ${pattern}) exec sh '${programPath("hold-call.sh")}' '${folder}' ${when} '${zellij}' "$@";; esac`,
    call: {
      isReached: () => existsSync(reached),
      release: () => writeFileSync(released, ""),
      isOver: () => existsSync(over),
    },
  };
}

/** A step at which nothing waits: it is only seen, and ovld may already be a little further. */
export function passBy(isReached: () => boolean): StoppedCall {
  return { isReached, release() {}, isOver: () => true };
}
