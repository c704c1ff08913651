/** Checks that many tests of the bell share. */
import { expect } from "vitest";
import type { Role } from "../../src/army/roles.ts";
import type { Seats } from "./seats.ts";
import { soon } from "./wait-until.ts";

/** Each message was read once, and the agent is done with it. */
export async function expectRead(
  seats: Seats,
  ids: string[],
  { role = "strategist", timeout = soon.timeout }: { role?: Role; timeout?: number } = {},
): Promise<void> {
  const read = (): string[] =>
    seats
      .journal("read")
      .map(({ id }) => String(id))
      .toSorted();
  await expect.poll(read, { ...soon, timeout }).toEqual(ids.toSorted());
  await expectState(seats, "idle", role);
  expect(read()).toEqual(ids.toSorted());
}

export async function expectState(seats: Seats, state: string, role: Role = "strategist"): Promise<void> {
  await expect.poll(() => seats.report(role)?.state, soon).toBe(state);
}

export async function expectHeld(seats: Seats, why: string, role: Role = "strategist"): Promise<void> {
  await expect.poll(() => seats.report(role)?.bell, soon).toMatchObject({ state: "held", why });
}
