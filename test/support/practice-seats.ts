/** Practice agents in panes of a real Zellij, which follow prompts and record what they did. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { practice } from "../../src/agent/practice/practice.ts";
import type { Role } from "../../src/army/roles.ts";
import type { Wake } from "../../src/config/relay-settings.ts";
import { takeSeats, type Seats } from "./seats.ts";
import { makeZellijWorld, type PracticeLine } from "./zellij.ts";

export interface PracticeSeats extends Seats {
  /** Everything the agents have recorded so far. */
  record(): PracticeLine[];
}

export async function seatPractice(roles: Role[], wake: Wake = "auto"): Promise<PracticeSeats> {
  const world = makeZellijWorld();
  const script = join(world.sandbox.root, "script.json");
  const ran = join(world.sandbox.root, "ran");
  const acts = [
    { when: { prompt: "please work" }, turn: [{ do: "busy", for: { ms: 1_000 } }] },
    { when: { prompt: "please run" }, turn: [{ do: "ask", command: "touch it", ran }] },
  ];
  const parts = Object.fromEntries(roles.map((role) => [role, { acts }]));
  writeFileSync(script, JSON.stringify({ workMs: 0, roles: parts }));
  Object.assign(world.env, { OVLD_PRACTICE_SCRIPT: script });
  const seats = await takeSeats({
    world,
    roles,
    agent: practice,
    program: process.execPath,
    wake,
    ready: "idle",
  });
  return { ...seats, record: world.record };
}
