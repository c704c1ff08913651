import { join } from "node:path";
import { expect } from "vitest";
import { ROLES, type Role } from "../../src/army/roles.ts";
import { packagedRitual } from "./packaged-ritual.ts";
import { readLines } from "./read-lines.ts";
import type { ZellijWorld } from "./zellij.ts";

/** Every role was sent its ritual and nothing else, apart from the given exceptions. */
export function expectPrompts(world: ZellijWorld, exceptions: Partial<Record<Role, string[]>> = {}): void {
  for (const role of ROLES) {
    const sent = world.prompts(role).map((prompt) => prompt.trim());
    expect([role, sent]).toEqual([role, exceptions[role] ?? [packagedRitual(role).trim()]]);
  }
}

export function makePlan(oddities: Partial<Record<Role, object>>): { RECORDER_PLAN: string } {
  return { RECORDER_PLAN: JSON.stringify(oddities) };
}

export function ritualsIn(world: ZellijWorld): { role: Role; outcome: string }[] {
  return readLines(join(world.relayDir(), "journal.jsonl"))
    .filter(({ event }) => event === "ritual")
    .map(({ role, outcome, why }) => ({ role, outcome, ...(why !== undefined && { why }) }));
}
