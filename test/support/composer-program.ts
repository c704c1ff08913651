/** A program in place of Zellij, with one pane that contains a practice composer. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openComposer, type ComposerPane } from "./composer-pane.ts";
import type { Sandbox } from "./sandbox.ts";

export interface ComposerProgram {
  program: string;
  pane: ComposerPane;
}

export async function makeComposerProgram(
  sandbox: Sandbox,
  title: string,
  id: number,
): Promise<ComposerProgram> {
  const at = (name: string): string => join(sandbox.root, name);
  const [program, list, screen, keys] = [at("composer"), at("composer-panes"), at("screen"), at("keys")];
  const pane = openComposer();
  const panes = [
    {
      id,
      title,
      tab_name: "command",
      tab_position: 0,
      is_plugin: false,
      is_focused: true,
      exited: false,
      is_held: false,
      pane_y: 0,
      pane_content_y: 0,
      cursor_coordinates_in_pane: null,
    },
  ];
  writeFileSync(list, JSON.stringify(panes));
  const draw = async (): Promise<void> => writeFileSync(screen, (await pane.screen()).join("\n"));
  await draw();
  writeFileSync(
    program,
    `#!/bin/sh
case "$4" in
  list-panes) cat '${list}' ;;
  dump-screen) cat '${screen}' ;;
  write-chars) printf '%s\\0' "$8" >> '${keys}' ;;
esac
`,
  );
  chmodSync(program, 0o755);
  let taken = 0;
  const timer = setInterval(() => {
    const pieces = existsSync(keys) ? readFileSync(keys, "utf8").split("\0").slice(0, -1) : [];
    const fresh = pieces.slice(taken);
    taken = pieces.length;
    for (const piece of fresh) void pane.write(piece);
    if (fresh.length > 0) void draw();
  }, 5);
  sandbox.defer(() => clearInterval(timer));
  return { program, pane };
}
