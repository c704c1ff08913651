// A client that starts a relay, sends it some lines and never reads an answer: never-reading-client.mjs OVLD LINES
import { spawn } from "node:child_process";

const [, , ovld, lines] = process.argv;
const relay = spawn(process.execPath, [ovld, "relay"], { stdio: ["pipe", "pipe", "inherit"] });
relay.stdin.write(lines);
process.stdout.write(String(relay.pid));
setInterval(() => {}, 1000);
