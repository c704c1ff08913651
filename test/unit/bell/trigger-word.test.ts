import { expect, it } from "vitest";
import { ROLES } from "../../../src/army/roles.ts";
import { mailWord } from "../../../src/bell/trigger.ts";
import type { Summoned } from "../../../src/config/relay-settings.ts";

const summoned: Summoned = {
  secret: "a secret",
  zellij: "/z",
  wake: "auto",
  focus: true,
  carry: true,
  answer: true,
  notify: true,
  brake: 8,
  command: "",
};

it("each role of each army has its own word of six letters, and keeps it", () => {
  const words = ["a secret", "a secreu", "another"].flatMap((secret) =>
    ROLES.map((role) => mailWord(role, { ...summoned, secret })),
  );
  expect(new Set(words).size).toBe(18);
  for (const word of words) expect(word).toMatch(/^[bcdfghjkmnpqrstvwxz]{6}$/);
  expect(mailWord("storm", summoned)).toBe(mailWord("storm", { ...summoned }));
});

it("there is no word if no mail is carried: by hand, by typing only, or turned off", () => {
  expect(mailWord("storm", undefined)).toBeUndefined();
  expect(mailWord("storm", { ...summoned, wake: "pane" })).toBeUndefined();
  expect(mailWord("storm", { ...summoned, carry: false })).toBeUndefined();
});
