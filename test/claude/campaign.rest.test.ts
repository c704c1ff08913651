import { expect, it, onTestFailed } from "vitest";
import { makePlan } from "../../bench/campaign/plan.ts";
import { runCampaign } from "../../bench/campaign/run-campaign.ts";

const SEED = 17;

it("DG1 in a campaign of 30 messages none is lost, none is shown twice unmarked, no bell rings for nothing, and at the end every role is idle with nothing unread", async () => {
  const plan = makePlan(30, SEED);
  const worst = [
    "turn that dies",
    "Esc",
    "permission refused",
    "subagent",
    "background shell",
    "/clear",
    "/compact",
  ];
  expect(plan.incidents).toEqual(expect.arrayContaining(worst));
  const told: string[] = [];
  onTestFailed(() => console.error(told.join("\n")));
  const campaign = await runCampaign({ messages: 30, seed: SEED, tell: (words) => told.push(words) });
  expect(campaign).toMatchObject({
    messages: plan.messages,
    lost: [],
    doubled: [],
    empty: [],
    finished: true,
  });
});

it("everything that a role of a planned campaign waits for is sent", () => {
  for (let seed = 1; seed <= 50; seed += 1) {
    const { parts, wish } = makePlan(200, seed);
    const known = marksIn(wish);
    const waiting = new Set(parts);
    for (let before = -1; before !== waiting.size;) {
      before = waiting.size;
      for (const part of [...waiting].filter(({ when }) => when.every((mark) => known.includes(mark)))) {
        known.push(...marksIn(part.steps));
        waiting.delete(part);
      }
    }
    expect([...waiting]).toEqual([]);
  }
});

function marksIn(plan: unknown): string[] {
  return [...JSON.stringify(plan).matchAll(/Dispatch ([a-z0-9-]+)\./g)].map(([, mark = ""]) => mark);
}
