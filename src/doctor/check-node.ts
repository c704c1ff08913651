/** Node.js: the one that runs this is new enough, otherwise the program would not have started. */
import type { Finding } from "../agent/agent-program.ts";

export function checkNode(program: string): Finding[] {
  return [{ verdict: "good", code: "node", facts: { version: process.versions.node, program } }];
}
