import { expect, it } from "vitest";
import { joinRitual, takesShared } from "../../../src/rituals/load-rituals.ts";

const PLACES = { target: "ovld/camp", campaign: "/app/.ovld/campaign.md" };

it("a line that is only for one kind of army is left out of the other", () => {
  const text = "1. Work.\n   {{one tree}} Report.\n   {{trees}} Hand in.\n2. End.\n";
  expect(joinRitual(text, "", undefined)).toBe("1. Work.\n   Report.\n2. End.\n");
  expect(joinRitual(text, "", PLACES)).toBe("1. Work.\n   Hand in.\n2. End.\n");
});

it("what is shared replaces its line, and follows the same rules", () => {
  const shared = "- {{trees}} It lands on {{target}}.\n- The plan is in {{campaign}}: $& $1\n";
  const text = "I am storm.\n\n{{shared}}\n- More.\n";
  expect(joinRitual(text, shared, undefined)).toBe(
    "I am storm.\n\n- The plan is in .ovld/campaign.md: $& $1\n- More.\n",
  );
  expect(joinRitual(text, shared, PLACES)).toBe(
    "I am storm.\n\n- It lands on ovld/camp.\n- The plan is in /app/.ovld/campaign.md: $& $1\n- More.\n",
  );
});

it.each(["You are storm.\n", "", "A {{shared}} word, {{ trees }} and {{other}}\n\n\tas they are"])(
  "a text without marks, %j, is not changed",
  (text) => {
    expect(takesShared(text)).toBe(false);
    for (const places of [undefined, PLACES]) expect(joinRitual(text, "never", places)).toBe(text);
  },
);
