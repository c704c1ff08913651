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
    // Packages in the older format load Node's own modules this way.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    logLevel: "warning",
  });
  return outfile;
}
