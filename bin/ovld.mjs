#!/usr/bin/env node
// Checks Node's version before loading anything that an old version could not parse, then starts the built program.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `ovld needs Node.js 20.19 or newer, and this is ${process.versions.node}: please update Node.js.`,
  );
  process.exitCode = 4;
} else {
  const loadFile = process.getBuiltinModule("node:module").createRequire(import.meta.url);
  const load = (name) => loadFile(`../dist/${name}.cjs`);
  const args = process.argv.slice(2);
  if (args.length === 1 && args[0] === "relay") await load("relay").runRelay(load);
  else await load("cli").runCli(args, load);
}
