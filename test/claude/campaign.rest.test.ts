import { expect, it, onTestFailed } from "vitest";
import { makePlan } from "../../bench/campaign/plan.ts";
import { runCampaign } from "../../bench/campaign/run-campaign.ts";

const SEED = 17;
const WAYS_TO_STALL = ["forgets", "refuses", "answers with text only", "dies after reading", "loops"];

it("DG1 in a campaign of 30 messages none is lost, none is shown twice unmarked, no bell rings for nothing, the brake holds nothing, and at the end every role is idle with nothing unread; nobody is reminded for nothing, of agents that stall somebody knows soon, and mail against the order of command is refused", async () => {
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
    braked: 0,
    reminders: [],
    finished: true,
  });
  expect(campaign.crossings).toEqual({ tried: 25, refused: 25 });
  // Whoever was read is known at once; a relay that died, only after the time that a restart may take.
  expect(campaign.stalls.map(({ way }) => way)).toEqual(WAYS_TO_STALL);
  const late = campaign.stalls.filter(
    ({ way, seconds = Number.POSITIVE_INFINITY }) => seconds > (way === "dies after reading" ? 90 : 30),
  );
  expect(late).toEqual([]);
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
