import { expect, it } from "vitest";
import { ringPractice } from "../../bench/wake/practice.ts";
import { writeTrigger } from "../../src/bell/trigger.ts";
import { seatPractice } from "../support/practice-seats.ts";
import { letter } from "../support/store.ts";
import { waitUntil } from "../support/wait-until.ts";

it.each(["auto", "pane"] as const)(
  "DG2 DG3 DR3 bells in random states all wake their reader, wake = %s: nothing approved, nothing sent, nothing lost",
  async (wake) => {
    const { rows, misread } = await ringPractice(24, wake, { seed: 20_261_115 });
    expect(misread).toBe(0);
    for (const { bells, begun, failed, harm, empty } of rows) {
      expect({ begun, failed, harm, empty }).toEqual({ begun: bells, failed: 0, harm: 0, empty: 0 });
    }
    expect(rows.reduce((sum, { bells }) => sum + bells, 0)).toBe(24);
  },
);

it("a trigger that an earlier ring left in the composer is taken back, and the mail is rung for once", async () => {
  await using seats = await seatPractice(["inferno"], "pane");
  await seats.pane("inferno").type(writeTrigger([{ from: "storm", subject: "the north wall" }]).text);
  await waitUntil("it stands there", async () => Boolean(await seats.pane("inferno").composer()));
  seats.mail.deliver({ ...letter, to: "inferno", from: "human" });
  await waitUntil("the mail is read", () => seats.mail.countUnread("inferno") === 0);
  const submitted = seats.record().filter(({ event }) => event === "submitted");
  expect(submitted.map(({ prompt }) => prompt)).toEqual([
    expect.stringMatching(/^\[MESSAGE from human\] [^[]*$/),
  ]);
});
