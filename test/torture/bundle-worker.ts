/** Builds one of the tests' programs into a single file that can be started as a process. */
import { basename, join } from "node:path";
import { build } from "esbuild";
import type { Sandbox } from "../support/sandbox.ts";

export async function bundleWorker(sandbox: Sandbox, file: string): Promise<string> {
  const outfile = join(sandbox.root, `${basename(file, ".ts")}.mjs`);
  await build({
    entryPoints: [join(process.cwd(), file)],
    outfile,
    bundle: true,
    minify: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    logLevel: "warning",
  });
  return outfile;
}
