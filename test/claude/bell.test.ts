import { expect, it } from "vitest";
import { seatClaudes } from "../support/claude-seats.ts";
import { letter } from "../support/store.ts";

const soon = { timeout: 15_000, interval: 50 };

it("DG2 an idle agent is woken by its inbox socket and reads its mail, once", async () => {
  await using seats = await seatClaudes(["strategist"]);
  const { id } = seats.mail.deliver(letter);
  await expect.poll(() => seats.journal("read"), soon).toEqual([expect.objectContaining({ id })]);
  console.log(JSON.stringify(seats.journal(), null, 1), JSON.stringify(seats.bells()));
  console.log((await seats.screen("strategist")).join("\n"));
  expect(seats.journal("rung")).toEqual([expect.objectContaining({ way: "socket", attempt: 1, ids: [id] })]);
  expect(seats.journal("begun")).toHaveLength(1);
});
