import { expect, it } from "vitest";
import { ROLES, type Recipient, type Role, type Sender } from "../../../../src/army/roles.ts";
import { NEW_PLAY, react, type Cue, type PlayStep } from "../../../../src/agent/practice/play.ts";
import type { Texts } from "../../../../src/i18n/texts.ts";
import { TEXTS } from "../../../support/texts.ts";
import { packagedRitual } from "../../../support/packaged-ritual.ts";

type Play = (cue: Cue) => PlayStep[];

/** A role that remembers. */
function beginPlay(role: Role, texts: Texts["play"]): Play {
  let play = NEW_PLAY;
  return (cue) => {
    const reaction = react(role, play, cue, texts);
    play = reaction.play;
    return reaction.steps;
  };
}

interface Letter {
  from: Sender;
  to: Recipient;
  subject: string;
  body: string;
}

interface Campaign {
  letters: Letter[];
  toPerson: PlayStep[];
  statuses: Map<Role, string>;
  said: string[];
}

/** Plays until no letter is unread. */
function playAll(army: Map<Role, Play>, first: Letter[]): Campaign {
  const campaign: Campaign = { letters: [...first], toPerson: [], statuses: new Map(), said: [] };
  for (let next = 0; next < campaign.letters.length; next += 1) {
    const letter = campaign.letters[next];
    if (!letter || letter.to === "human") break;
    const { from, to, subject, body } = letter;
    follow(campaign, to, army.get(to)?.({ cue: "mail", from, subject, body }) ?? []);
  }
  return campaign;
}

function follow(campaign: Campaign, role: Role, steps: PlayStep[]): void {
  for (const step of steps) {
    if (step.do === "send" && step.to === "human") campaign.toPerson.push(step);
    else if (step.do === "send") campaign.letters.push({ from: role, ...step });
    else if (step.do === "status") campaign.statuses.set(role, `${step.status}: ${step.task}`);
    else if (step.do !== "run") campaign.said.push(`${role}: ${step.text}`);
  }
}

const army = (language: "en" | "ja" = "en"): Map<Role, Play> =>
  new Map(ROLES.map((role) => [role, beginPlay(role, TEXTS[language].play)]));
const wish = (body: string): Letter => ({ from: "human", to: "overlord", subject: "Wish", body });

it.each(["en", "ja"] as const)(
  "a wish becomes an order, four tasks, four reports and one final report (%s)",
  (language) => {
    const { letters, statuses, said } = playAll(army(language), [wish("a castle")]);
    expect(letters.map(({ from, to }) => `${from} → ${to}`)).toEqual([
      "human → overlord",
      "overlord → strategist",
      ...["inferno", "glacier", "shadow", "storm"].map((general) => `strategist → ${general}`),
      ...["inferno", "glacier", "shadow", "storm"].map((general) => `${general} → strategist`),
      "strategist → overlord",
    ]);
    expect(letters[1]?.body).toContain("a castle");
    expect([...statuses.values()].every((status) => status.startsWith("done"))).toBe(true);
    expect(statuses.size).toBe(ROLES.length);
    expect(statuses.get("overlord")).toContain("inferno");
    expect(said.at(-1)).toContain("overlord");
  },
);

it("the overlord asks the person, goes on without an answer, reports, and says what it assumed", () => {
  const { toPerson } = playAll(army(), [wish("a castle")]);
  const report = "I had no answer from you";
  expect(toPerson).toMatchObject([
    { subject: "A flag on the tower?", status: "blocked" },
    { subject: "Your wish is fulfilled", body: expect.stringContaining(report) },
  ]);
  const answer: Letter = { ...wish("no flag"), subject: "Re: A flag on the tower?" };
  const answered = playAll(army(), [wish("a castle"), answer]);
  expect(answered.said).toContain("overlord: You answer: no flag. So be it.");
  expect(answered.letters.filter(({ to }) => to === "strategist")).toHaveLength(5);
  expect(answered.toPerson[1]).toMatchObject({ body: expect.not.stringContaining(report) });
});

it("a second wish waits until the first is fulfilled, and the overlord is done only then", () => {
  const { letters, statuses } = playAll(army(), [wish("a castle"), wish("a moat")]);
  expect(letters.filter(({ to }) => to === "inferno").map(({ body }) => /a \w+$/m.exec(body)?.[0])).toEqual([
    "a castle",
    "a moat",
  ]);
  expect(letters.filter(({ from, to }) => from === "strategist" && to === "overlord")).toHaveLength(2);
  expect(statuses.get("overlord")).toMatch(/^done/);
});

it("a report that comes twice does not count as another general's", () => {
  const strategist = beginPlay("strategist", TEXTS.en.play);
  strategist({ cue: "mail", from: "overlord", subject: "Order", body: "a castle" });
  const report = { cue: "mail", from: "storm", subject: "Report", body: "done" } as const;
  const steps = [1, 2, 3, 4].flatMap(() => strategist(report));
  expect(steps.filter((step) => step.do === "send")).toEqual([]);
});

it("text typed to the overlord is a wish, text typed to the others is not, and all answer a ritual", () => {
  const typed = beginPlay("overlord", TEXTS.en.play)({ cue: "prompt", text: "a castle" });
  expect(typed).toContainEqual(expect.objectContaining({ do: "send", to: "strategist" }));
  for (const role of ROLES) {
    const ritual = packagedRitual(role);
    const steps = beginPlay(role, TEXTS.en.play)({ cue: "prompt", text: ritual });
    expect(steps).toEqual([{ do: "say", text: expect.stringMatching(/^Ready\./) }]);
    if (role === "overlord") continue;
    expect(beginPlay(role, TEXTS.en.play)({ cue: "prompt", text: "hi" }).map((step) => step.do)).toEqual([
      "say",
    ]);
  }
});

it("a wish of any length fits the limits of subject and task", () => {
  const { letters, statuses } = playAll(army(), [wish("城".repeat(5_000))]);
  expect(Math.max(...letters.map(({ subject }) => Array.from(subject).length))).toBeLessThanOrEqual(200);
  for (const status of statuses.values()) expect(Array.from(status).length).toBeLessThanOrEqual(506);
});

it("mail that is not part of the play is acknowledged and starts nothing", () => {
  for (const role of ROLES) {
    const from = role === "storm" ? "shadow" : "storm";
    const steps = beginPlay(role, TEXTS.en.play)({ cue: "mail", from, subject: "Hello", body: "all" });
    expect(steps.map((step) => step.do)).toEqual(["say"]);
  }
});
