/** Programs that tests start, each in a file of its own. */
import { chmodSync, copyFileSync } from "node:fs";
import { join } from "node:path";

export function programPath(name: string): string {
  return join(process.cwd(), "test/support/programs", name);
}

/** For a program that finds its files beside itself. */
export function copyProgram(name: string, path: string): void {
  copyFileSync(programPath(name), path);
  chmodSync(path, 0o755);
}
