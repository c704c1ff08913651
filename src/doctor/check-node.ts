/** Node.js: whatever runs this is new enough, or the program would not have begun. */
import type { Finding } from "../agent/finding.ts";

export function checkNode(program: string): Finding[] {
  return [{ verdict: "good", code: "node", facts: { version: process.versions.node, program } }];
}
