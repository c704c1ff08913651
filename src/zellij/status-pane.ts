/** The floating pane that a key of the army's session opens: `ovld status --watch`. */
import type { Language } from "../army/words.ts";
import type { PaneCommand } from "./layout/print-layout.ts";
import type { Pane } from "./panes.ts";

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
