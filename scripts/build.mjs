// Builds what is published: the program, in one file per command, and the notices of what is bundled in them.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
  charset: "utf8",
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
      "texts-en": "src/i18n/en.ts",
      "texts-ja": "src/i18n/ja.ts",
      ...commandEntries(),
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

/** What each command does is a file of its own, so that nobody pays for what another command needs. */
function commandEntries() {
  const names = readdirSync(`${root}src/cli/commands`);
  return Object.fromEntries(names.map((name) => [name, `src/cli/commands/${name}/run.ts`]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPackage();
