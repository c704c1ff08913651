/** Practice agents in panes of a real Zellij, which follow prompts and record what they did. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { practice } from "../../src/agent/practice/practice.ts";
import type { Role } from "../../src/army/roles.ts";
import type { Wake } from "../../src/config/relay-settings.ts";
import { endIfThrown } from "./sandbox.ts";
import { takeSeats, type Seats } from "./seats.ts";
import { makeZellijWorld, type PracticeLine } from "./zellij.ts";

export interface PracticeSeats extends Seats {
  /** Everything the agents have recorded so far. */
  record(): PracticeLine[];
  /** "please work" lasts until the returned function is called. */
  letWork(role: Role): () => void;
}

export async function seatPractice(roles: Role[], wake: Wake = "auto"): Promise<PracticeSeats> {
  const world = makeZellijWorld();
  const script = join(world.sandbox.root, "script.json");
  const ran = join(world.sandbox.root, "ran");
  const done = (role: Role): string => join(world.sandbox.root, `${role}-has-worked`);
  const actsOf = (role: Role): object[] => [
    { when: { prompt: "please work" }, turn: [{ do: "busy", for: { file: done(role) } }] },
    { when: { prompt: "please run" }, turn: [{ do: "ask", command: "touch it", ran }] },
  ];
  const parts = Object.fromEntries(roles.map((role) => [role, { acts: actsOf(role) }]));
  writeFileSync(script, JSON.stringify({ workMs: 0, roles: parts }));
  Object.assign(world.env, { OVLD_PRACTICE_SCRIPT: script });
  return endIfThrown(world, async () => {
    const seats = await takeSeats({
      world,
      roles,
      agent: practice,
      program: process.execPath,
      wake,
      ready: "idle",
    });
    return {
      ...seats,
      record: world.record,
      letWork(role) {
        rmSync(done(role), { force: true });
        return () => writeFileSync(done(role), "");
      },
    };
  });
}
