// Builds what is published: the program, in one file per command, and the notices of what is bundled in them.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { thirdPartyNotices } from "./third-party-notices.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { version } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));

/** Settings that every bundle of ours shares, tests and benchmarks included. */
export const bundling = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20.19",
  define: { OVLD_VERSION: JSON.stringify(version) },
  logLevel: "warning",
};

export async function buildPackage() {
  rmSync(`${root}dist`, { recursive: true, force: true });
  mkdirSync(`${root}dist`);
  const { metafile } = await build({
    ...bundling,
    entryPoints: {
      relay: "src/relay/main.ts",
      bell: "src/relay/bell-entry.ts",
      cli: "src/cli/main.ts",
      app: "src/cli/run-app.ts",
      complete: "src/cli/commands/complete.ts",
      continue: "src/cli/commands/continue.ts",
      completion: "src/cli/commands/completion.ts",
      doctor: "src/cli/commands/doctor.ts",
      help: "src/cli/commands/help.ts",
      welcome: "src/cli/commands/welcome.ts",
      init: "src/cli/commands/init.ts",
      insight: "src/cli/commands/insight.ts",
      log: "src/cli/commands/log.ts",
      send: "src/cli/commands/send.ts",
      status: "src/cli/commands/status.ts",
      summon: "src/cli/commands/summon.ts",
      unsummon: "src/cli/commands/unsummon.ts",
      ritual: "src/cli/commands/ritual.ts",
      practice: "src/cli/commands/practice.ts",
      "practice-agent": "src/cli/commands/practice-agent.ts",
    },
    outdir: "dist",
    // CommonJS starts faster: importing a module of Node's own as ESM evaluates every getter it has.
    format: "cjs",
    outExtension: { ".js": ".cjs" },
    minify: true,
    metafile: true,
  });
  writeFileSync(`${root}dist/third-party-notices.txt`, thirdPartyNotices(root, Object.keys(metafile.inputs)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPackage();
