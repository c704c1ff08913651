/** A program in place of Zellij that only knows panes with these names, and records how it was called. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listPane } from "./list-pane.ts";
import type { Sandbox } from "./sandbox.ts";

export interface PaneLister {
  program: string;
  /** The actions it was asked for. */
  actions(): string[];
}

export function makePaneLister(sandbox: Sandbox, names: string[]): PaneLister {
  const [program, list, calls] = ["panes-only", "panes.json", "calls"].map((name) =>
    join(sandbox.root, name),
  );
  const panes = names.map((title, id) => listPane({ id, title }));
  writeFileSync(list ?? "", JSON.stringify(panes));
  writeFileSync(
    program ?? "",
    `#!/bin/sh\necho "$4" >> '${calls}'\n[ "$4" = list-panes ] && cat '${list}'\n`,
  );
  chmodSync(program ?? "", 0o755);
  return {
    program: program ?? "",
    actions: () =>
      existsSync(calls ?? "")
        ? readFileSync(calls ?? "", "utf8")
            .trim()
            .split("\n")
        : [],
  };
}
