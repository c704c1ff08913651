// An agent that runs one command, as its shell would: run-below.mjs --mcp-config FILE PROGRAM ARGUMENT…
import { spawnSync } from "node:child_process";

const [, , , , program, ...args] = process.argv;
process.exitCode = spawnSync(program, args, { stdio: "inherit" }).status;
