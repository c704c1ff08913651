/** Measures the least that waking can take: from a bare line on an idle agent's socket until its model is asked. */
import { inboxSocketOf, postToInbox } from "../../src/agent/claude/claude-link.ts";
import type { attendSeats } from "../../test/support/seats.ts";
import { waitUntil } from "../../test/support/wait-until.ts";
import type { CampaignRecord } from "./record.ts";

const ROLE = "strategist";

export async function measureFloor(
  seats: ReturnType<typeof attendSeats>,
  { requests }: Pick<CampaignRecord, "requests">,
  samples: number,
): Promise<number[]> {
  const socket = inboxSocketOf(seats.relayEnv(ROLE));
  if (!socket) throw new Error("Claude Code has no inbox socket.");
  const times: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    await waitUntil(`${ROLE} is idle`, () => seats.report(ROLE)?.state === "idle");
    const before = requests.length;
    const began = Date.now();
    await postToInbox(socket, "bench", `A bare line, number ${sample}.`);
    await waitUntil("the model is asked", () => requests.length > before, { interval: 5 });
    times.push((requests[before]?.at ?? began) - began);
  }
  return times;
}
