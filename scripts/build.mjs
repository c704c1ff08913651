// Builds what is published: the program, in one file per command, the page of the desk, and the licence notices of the
// bundled packages.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { thirdPartyNotices } from "./third-party-notices.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { version } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));

/** Settings that all our bundles share, including tests and benchmarks. */
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
      tools: "src/relay/open-tools.ts",
      spending: "src/relay/watch-budget.ts",
      machines: "src/machines/machines.ts",
      "provide-zellij": "src/zellij/provide-zellij.ts",
      cli: "src/cli/main.ts",
      app: "src/cli/run-app.ts",
      "texts-en": "src/i18n/en.ts",
      "texts-ja": "src/i18n/ja.ts",
      "help-en": "src/i18n/en/help.ts",
      "help-ja": "src/i18n/ja/help.ts",
      ...commandEntries(),
    },
    outdir: "dist",
    // CommonJS starts faster: importing one of Node's own modules as ESM evaluates all its getters.
    format: "cjs",
    outExtension: { ".js": ".cjs" },
    minify: true,
    metafile: true,
  });
  const page = await build({
    ...bundling,
    entryPoints: [
      { in: "src/desk/page/main.tsx", out: "page" },
      { in: "src/desk/page/desk.css", out: "page" },
    ],
    outdir: "dist/desk-page",
    platform: "browser",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    minify: true,
    metafile: true,
  });
  const inputs = [metafile, page.metafile].flatMap((each) => Object.keys(each.inputs));
  writeFileSync(`${root}dist/third-party-notices.txt`, thirdPartyNotices(root, inputs));
}

/** Each command is a file of its own, so that no command loads what only another one needs. */
function commandEntries() {
  const names = readdirSync(`${root}src/cli/commands`);
  const entries = names.map((name) => [name, `src/cli/commands/${name}/run.ts`]);
  return Object.fromEntries([...entries, ["hub", "src/machines/commands/hub.ts"]]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPackage();
