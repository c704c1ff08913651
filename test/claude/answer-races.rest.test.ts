import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import type { Verdict } from "../../src/mail/records/request.ts";
import { answerRequest, openRequests, openRequestBox } from "../../src/requests/request-box.ts";
import { seatClaudes, type ClaudeSeats } from "../support/claude-seats.ts";
import { awaitRequest } from "../support/requests.ts";
import { waitUntil } from "../support/wait-until.ts";
import { seededRandom } from "../torture/seeded-random.ts";

const ROUNDS = Number(process.env["OVLD_TEST_ROUNDS"] ?? 6);
const SEED = Number(process.env["OVLD_TEST_SEED"] ?? Date.now() % 1_000_000);

const ALLOW: Verdict = { verdict: "allow", suggestions: [] };
const REASON = "not today, says the person";
const DENY: Verdict = { verdict: "deny", reason: REASON };
/** The dialog ignores keys at first. */
const DIALOG_TAKES_KEYS_AFTER_MS = 700;

it(
  `in ${ROUNDS} races between the pane and an answer from outside one verdict applies, and both sides are told which`,
  async () => {
    await using seats = await seatClaudes(["strategist"], {
      script({ last }) {
        const [, round] = /please touch (\d+)/.exec(last) ?? [];
        return round ? { tool: "Bash", input: { command: `touch ${round}`, description: "it" } } : undefined;
      },
    });
    const random = seededRandom(SEED);
    const faults: string[] = [];
    const wins = { pane: 0, outside: 0 };
    for (let round = 1; round <= ROUNDS; round += 1) {
      const { who, fault } = await race(seats, round, random);
      wins[who] += 1;
      if (fault !== undefined) faults.push(`seed ${SEED}, round ${round}: ${fault}`);
    }

    expect(faults).toEqual([]);
    expect(seats.journal("answered")).toHaveLength(ROUNDS);
  },
  600_000 + ROUNDS * 30_000,
);

async function race(
  seats: ClaudeSeats,
  round: number,
  random: (limit: number) => number,
): Promise<{ who: "pane" | "outside"; fault?: string }> {
  const relayDir = seats.world.relayDir(seats.session);
  const box = openRequestBox(relayDir);
  const pane = seats.pane("strategist");
  await pane.say(`please touch ${round}`);
  const request = await awaitRequest(box);
  await waitUntil("the dialog is drawn", async () => (await pane.composer()) === undefined);
  await pause(DIALOG_TAKES_KEYS_AFTER_MS);
  const [key, verdict] = [random(2) === 0 ? "1" : "4", random(2) === 0 ? ALLOW : DENY];
  const [keyAfterMs, answerAfterMs] = [random(120), random(280)];
  const pressing = pause(keyAfterMs).then(() => pane.type(key));
  await pause(answerAfterMs);
  const told = await answerRequest(box, request, { from: "terminal", verdict });
  await pressing;
  const isIdle = () => ["idle", "shell"].includes(seats.registry("strategist")?.status ?? "");
  await waitUntil("its turn is over", async () => isIdle() && (await pane.composer()) !== undefined);
  const hasRun = existsSync(join(seats.world.project, String(round)));
  const wasTold = seats.model.requests.at(-1)?.last.includes(REASON) ?? false;
  const by = seats.journal("answered").at(-1)?.["by"];
  // A key that came after an answer from outside is a draft now.
  while ((await pane.composer()) !== "") await pane.press("backspace");
  const who = told.outcome === "taken" ? "outside" : "pane";
  const shouldRun = who === "outside" ? verdict === ALLOW : key === "1";
  const what = `key ${key} after ${keyAfterMs} ms, ${verdict.verdict} after ${answerAfterMs} ms, told ${JSON.stringify(told)}, journal ${by}, ran ${hasRun}, reason read ${wasTold}`;
  const isRight =
    hasRun === shouldRun &&
    by === (who === "outside" ? "terminal" : "pane") &&
    wasTold === (who === "outside" && verdict === DENY) &&
    openRequests(box).length === 0;
  return isRight ? { who } : { who, fault: what };
}
