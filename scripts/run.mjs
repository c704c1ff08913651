// Runs one of the project's TypeScript programs (torture, benchmark) against the built package. Usage: node
// scripts/run.mjs FILE [ARGS…]
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { installIfMissing } from "./install.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
installIfMissing(root);
const { bundling, buildPackage } = await import("./build.mjs");
const { build } = await import("esbuild");
await buildPackage();

const [entry, ...args] = process.argv.slice(2);
// Next to the installed packages, which are not bundled, so that it finds them.
const folder = mkdtempSync(join(root, "node_modules", ".run-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const program = join(folder, "main.mjs");
await build({ ...bundling, entryPoints: [entry], outfile: program, packages: "external" });
process.argv = [process.argv[0], program, ...args];
await import(pathToFileURL(program).href);
