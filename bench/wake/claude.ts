/** Bells for a real Claude Code in a real Zellij, with a stand-in for its model. */
import { inboxSocketOf, postToInbox } from "../../src/agent/claude/claude-link.ts";
import type { Wake } from "../../src/config/relay-settings.ts";
import { seatClaudes } from "../../test/support/claude-seats.ts";
import { waitUntil } from "../../test/support/wait-until.ts";
import { tallyBells, type BellRow } from "./bells.ts";
import { ringOnce, STATE_NAMES, type StateName, type Subject } from "./states.ts";

const ROLE = "strategist";

export async function ringClaude(bells: number, wake: Wake, only: string): Promise<BellRow[]> {
  const tallies = STATE_NAMES.map((state) => ({
    state,
    tally: tallyBells("claude", wayOf(wake, state), state),
  }));
  const wanted = tallies.filter(({ tally }) => tally.isCalled(only));
  if (wanted.length === 0) return [];
  const working: (() => void)[] = [];
  let isOver = false;
  // A Claude Code on a busy machine may ask its model only when the work is over already.
  const work = (): Promise<string> | string =>
    isOver ? "worked" : new Promise((resolve) => working.push(() => resolve("worked")));
  await using seats = await seatClaudes([ROLE], {
    wake,
    script: ({ last }) =>
      last.includes("please work") && !last.includes("[MESSAGE from") ? work() : undefined,
  });
  const subject: Subject = {
    seats,
    role: ROLE,
    begunAt: () => seats.bells().map(({ at }) => at),
    letWork() {
      isOver = false;
      return () => {
        isOver = true;
        for (const end of working.splice(0)) end();
      };
    },
  };
  const rows: BellRow[] = [];
  for (const { state, tally } of wanted) {
    for (let bell = 0; bell < bells; bell += 1) await tally.watch(() => ringOnce(subject, state, tally));
    rows.push(tally.row());
    console.error(`rang: claude, wake = ${wake}, ${state}, ${bells} times`);
  }
  return rows;
}

function wayOf(wake: Wake, state: StateName): string {
  if (wake === "pane") return "typing";
  return state === "busy" ? "turn's end" : "socket";
}

export interface Floors {
  socket: number[];
  typing: number[];
}

/** A bare line on the socket, and a bare Zellij write with Enter, each until the model is asked. */
export async function measureFloors(samples: number): Promise<Floors> {
  await using seats = await seatClaudes([ROLE], { script: () => "fine" });
  const socket = inboxSocketOf(seats.relayEnv(ROLE));
  const floors: Floors = { socket: [], typing: [] };
  const timed = async (act: () => Promise<unknown>): Promise<number> => {
    await waitUntil("it is idle", () => seats.registry(ROLE)?.status === "idle");
    const before = seats.model.requests.length;
    const began = Date.now();
    await act();
    await waitUntil("the model is asked", () => seats.model.requests.length > before, { interval: 1 });
    return (seats.model.requests[before]?.at ?? began) - began;
  };
  for (let sample = 0; sample < samples; sample += 1) {
    if (socket) floors.socket.push(await timed(() => postToInbox(socket, "bench", `bare post ${sample}.`)));
    floors.typing.push(
      await timed(async () => {
        await seats.pane(ROLE).type(`bare write ${sample}.`);
        await seats.pane(ROLE).press("enter");
      }),
    );
  }
  return floors;
}
