/** Practice agents in panes of a real Zellij, which follow prompts and record what they did. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { practice } from "../../src/agent/practice/practice.ts";
import type { Role } from "../../src/army/roles.ts";
import type { Wake } from "../../src/config/relay-settings.ts";
import { readLines } from "./read-lines.ts";
import { takeSeats, type Seats } from "./seats.ts";
import { makeZellijWorld } from "./zellij.ts";

export interface PracticeSeats extends Seats {
  /** Everything the agents have recorded so far. */
  record(): RecordedLine[];
}

interface RecordedLine {
  at: string;
  role: Role;
  event: string;
  prompt?: string;
}

export async function seatPractice(roles: Role[], wake: Wake = "auto"): Promise<PracticeSeats> {
  const world = makeZellijWorld();
  const [script, record] = ["script.json", "record"].map((name) => join(world.sandbox.root, name));
  const ran = join(world.sandbox.root, "ran");
  const acts = [
    { when: { prompt: "please work" }, turn: [{ do: "busy", for: { ms: 1_000 } }] },
    { when: { prompt: "please run" }, turn: [{ do: "ask", command: "touch it", ran }] },
  ];
  const parts = Object.fromEntries(roles.map((role) => [role, { acts }]));
  writeFileSync(script ?? "", JSON.stringify({ workMs: 0, roles: parts }));
  Object.assign(world.env, { OVLD_PRACTICE_SCRIPT: script, OVLD_PRACTICE_RECORD: record });
  const seats = await takeSeats({
    world,
    roles,
    agent: practice,
    program: process.execPath,
    wake,
    ready: "idle",
  });
  return { ...seats, record: readLines<RecordedLine>(record ?? "") };
}
