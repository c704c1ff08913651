#!/usr/bin/env node
// Checks Node's version before anything that an old one could not read, then hands over to the built program.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `ovld needs Node.js 20.19 or newer, and this is ${process.versions.node}: please update Node.js.`,
  );
  process.exitCode = 4;
} else {
  const args = process.argv.slice(2);
  if (args.length === 1 && args[0] === "relay") (await import("../dist/relay.mjs")).runRelay();
  else await (await import("../dist/cli.mjs")).runCli(args);
}
