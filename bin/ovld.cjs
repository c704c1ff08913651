#!/usr/bin/env node
// Checks Node's version before loading anything that an old version could not parse, then starts the built program.
// It is CommonJS because Node takes about ten milliseconds longer to load an ES module, which every relay would pay.
"use strict";
const load = (name) => require(`../dist/${name}.cjs`);
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `ovld needs Node.js 20.19 or newer, and this is ${process.versions.node}: please update Node.js.`,
  );
  process.exitCode = 4;
} else {
  const args = process.argv.slice(2);
  if (args.length === 1 && args[0] === "relay") load("relay").runRelay(load);
  else load("cli").runCli(args, load);
}
