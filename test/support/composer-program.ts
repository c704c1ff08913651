/** A program in place of Zellij, with one pane that contains a practice composer. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openComposer, type ComposerPane } from "./composer-pane.ts";
import { listPane } from "./list-pane.ts";
import { copyProgram } from "./program-path.ts";
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
  const [program, screen, keys] = [at("composer"), at("screen"), at("keys")];
  const pane = openComposer();
  writeFileSync(at("composer-panes"), JSON.stringify([listPane({ id, title, is_focused: true })]));
  const draw = async (): Promise<void> => writeFileSync(screen, (await pane.screen()).join("\n"));
  await draw();
  copyProgram("one-pane-zellij.sh", program);
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
