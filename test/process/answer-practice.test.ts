import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import type { Verdict } from "../../src/mail/records/request.ts";
import {
  answerRequest,
  openRequestBox,
  type RequestBox,
  type StoredRequest,
  openRequests,
} from "../../src/requests/request-box.ts";
import { startPracticeAgent, type PracticeAgent } from "../support/practice.ts";
import { awaitRequest } from "../support/requests.ts";
import { endIfThrown, makeSandbox, type Sandbox } from "../support/sandbox.ts";
import { soon, waitUntil } from "../support/wait-until.ts";
import { seededRandom } from "../torture/seeded-random.ts";

const ONCE: Verdict = { verdict: "allow", suggestions: [] };
const FOR_GOOD: Verdict = { verdict: "allow", suggestions: [0] };
const DENY: Verdict = { verdict: "deny", reason: "not today" };
const [ENTER, ESC, CLEAR] = ["\r", "\u001b", "\u0015"];

interface Scene {
  sandbox: Sandbox;
  agent: PracticeAgent;
  box: RequestBox;
  ran: () => number;
  /** Gives the agent a turn in which it asks; resolves when the request is open. */
  makeItAsk(): Promise<StoredRequest>;
  [Symbol.asyncDispose](): Promise<void>;
}

async function setScene(): Promise<Scene> {
  const sandbox = makeSandbox();
  const ran = join(sandbox.root, "ran");
  const turn = [{ do: "ask", command: "touch it", ran }];
  const agent = startPracticeAgent(sandbox, { script: { acts: [{ when: { prompt: "run" }, turn }] } });
  await endIfThrown(sandbox, () => agent.ready());
  const box = openRequestBox(sandbox.relayDir);
  return {
    sandbox,
    agent,
    box,
    ran: () => (existsSync(ran) ? readFileSync(ran, "utf8").split("\n").length - 1 : 0),
    async makeItAsk() {
      await waitUntil("its composer is empty", () => agent.composer() === "");
      agent.pty.write("run");
      await waitUntil("the prompt is typed", () => agent.composer() === "run");
      agent.pty.write(ENTER);
      return awaitRequest(box);
    },
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}

it("a practice agent runs what was allowed outside its pane, and its question goes away", async () => {
  await using scene = await setScene();
  const request = await scene.makeItAsk();
  await expect.poll(() => scene.agent.screen().join("\n"), soon).toContain("❯ 1. Yes");
  expect(await answerRequest(scene.box, request, { from: "desk", verdict: ONCE })).toEqual({
    outcome: "taken",
  });
  await expect.poll(scene.ran, soon).toBe(1);
  await expect.poll(scene.agent.composer, soon).toBe("");
  expect(scene.agent.record("approved")).toMatchObject([{ by: "outside" }]);
});

it("a practice agent does not ask again for what was allowed for the session", async () => {
  await using scene = await setScene();
  const request = await scene.makeItAsk();
  await answerRequest(scene.box, request, { from: "desk", verdict: FOR_GOOD });
  // Its composer may be empty because the question is not drawn yet.
  await expect.poll(() => scene.agent.record("turn ended"), soon).toHaveLength(1);
  scene.agent.pty.write(`run${ENTER}`);
  await expect.poll(scene.ran, soon).toBe(2);
  expect(scene.agent.record("asked")).toHaveLength(1);
});

it("a practice agent reads why it was denied, and its turn goes on", async () => {
  await using scene = await setScene();
  const request = await scene.makeItAsk();
  expect(await answerRequest(scene.box, request, { from: "desk", verdict: DENY })).toEqual({
    outcome: "taken",
  });
  await expect.poll(() => scene.agent.screen().join("\n"), soon).toContain("not today");
  await expect.poll(() => scene.agent.record("turn ended"), soon).toMatchObject([{ how: "done" }]);
  expect(scene.ran()).toBe(0);
});

it.each([
  ["a yes", "1", "approved"],
  ["a no", "2", "refused"],
  ["Esc", ESC, "refused"],
])(
  "after %s in the pane the request is gone, and an answer from outside changes nothing",
  async (_key, key, how) => {
    await using scene = await setScene();
    const request = await scene.makeItAsk();
    scene.agent.pty.write(key);
    await expect.poll(() => openRequests(scene.box), soon).toEqual([]);
    expect(await answerRequest(scene.box, request, { from: "desk", verdict: ONCE })).toEqual({
      outcome: "already",
      by: "pane",
    });
    expect(scene.agent.record(how)).toMatchObject([{ by: "pane" }]);
    expect(scene.agent.record("asked")).toHaveLength(1);
  },
);

const ROUNDS = Number(process.env["OVLD_TEST_ROUNDS"] ?? 20);
const SEED = Number(process.env["OVLD_TEST_SEED"] ?? Date.now() % 1_000_000);

it(
  `in ${ROUNDS} random races between pane, desk, terminal and an answer to something else each question is answered once, and nothing stays hidden`,
  async () => {
    await using scene = await setScene();
    const random = seededRandom(SEED);
    const faults: string[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      for (const fault of await race(scene, round, random))
        faults.push(`seed ${SEED}, round ${round}: ${fault}`);
    }
    expect(faults).toEqual([]);
    expect(scene.ran()).toBe(scene.agent.record("approved").length);
  },
  600_000 + ROUNDS * 2_000,
);

/** Returns what went wrong. */
async function race(scene: Scene, round: number, random: (limit: number) => number): Promise<string[]> {
  const { agent, box } = scene;
  const request = await scene.makeItAsk();
  const key = ["1", "2", ESC, undefined][random(4)];
  const verdicts = [ONCE, DENY].toSorted(() => random(2) - 0.5).slice(0, key === undefined ? 1 : random(3));
  const [keyAfterMs, mistakenAfterMs, ...answerAfterMs] = Array.from({ length: 4 }, () => random(50));
  const pressing = pause(keyAfterMs).then(() => key !== undefined && agent.pty.write(key));
  const mistaken = pause(mistakenAfterMs).then(
    () => random(3) === 0 && box.answer({ ...request, digest: "of something else" }, "desk", ONCE),
  );
  const answering = verdicts.map(async (verdict, index) => {
    await pause(answerAfterMs[index]);
    const { outcome, ...more } = await answerRequest(box, request, {
      from: index === 0 ? "desk" : "terminal",
      verdict,
    });
    return { outcome, verdict: verdict.verdict, ...more };
  });
  await Promise.all([pressing, mistaken]);
  const outcomes = await Promise.all(answering);
  const decided = () => [...agent.record("approved"), ...agent.record("refused")];
  await waitUntil(
    "the question is answered",
    () => decided().length >= round && agent.composer() !== undefined,
  );
  await waitUntil("its turn is over", () => agent.record("turn ended").length === round);
  // A key that came after an answer from outside is a draft now.
  agent.pty.write(CLEAR);
  return judge(scene, round, outcomes);
}

interface Told {
  outcome: string;
  verdict: string;
}

function judge({ agent, box }: Scene, round: number, told: Told[]): string[] {
  const asked = agent.record().filter(({ event }) => ["asked", "approved", "refused"].includes(event));
  const last = asked.at(-1);
  const taken = told.filter(({ outcome }) => outcome === "taken");
  const effect = last.event === "approved" ? "allow" : "deny";
  return [
    asked.length === 2 * round ? "" : `${asked.length} records of ${round} questions`,
    openRequests(box).length === 0 ? "" : "a request is still open",
    taken.length <= 1 ? "" : "two answers were taken",
    taken.every(({ verdict }) => verdict === effect) ? "" : "the answer that was told as taken had no effect",
    last.by === "pane" || taken.length === 1 ? "" : "an answer took effect and was not told as taken",
    told.every(({ outcome }) => outcome === "taken" || outcome === "already") ? "" : JSON.stringify(told),
  ].filter((fault) => fault !== "");
}
