/** From the press of a button at the desk until a real Claude Code runs the tool that was allowed. */
import { rmSync, statSync } from "node:fs";
import { launchBrowser, provideChromium } from "../../test/support/browser.ts";
import { seatClaudes } from "../../test/support/claude-seats.ts";
import { startDesk } from "../../test/support/desk.ts";
import { waitUntil } from "../../test/support/wait-until.ts";
import { makeRow, makeUnmeasuredRow, type Row } from "../row.ts";
import { median } from "../statistics.ts";
import { makeZellijAvailable } from "../wake/zellij.ts";
import type { Workplace } from "../workplace.ts";

const SAMPLES = 15;
const COST = {
  name: "an answer at the desk → Claude Code's tool runs, p50",
  unit: "ms",
  bar: { atMost: 300 },
};

export async function measureDeskAnswer(place: Workplace): Promise<Row[]> {
  const chromium = provideChromium();
  if ("lack" in chromium) return [makeUnmeasuredRow(COST, chromium.lack)];
  makeZellijAvailable();
  await using seats = await seatClaudes(["strategist"]);
  const browser = await launchBrowser(seats.world.sandbox, chromium.program);
  const desk = await startDesk(seats.world, "--session", seats.session);
  const page = await browser.open(desk.link());
  const samples: number[] = [];
  for (let sample = 0; sample < place.samples(SAMPLES); sample += 1) {
    rmSync(seats.ran, { force: true });
    await seats.pane("strategist").say("please run");
    const allow = page.getByRole("button", { name: "Allow once" });
    await allow.waitFor();
    const pressed = await allow.evaluate<number, { click: () => void }>((button) => {
      button.click();
      return performance.timeOrigin + performance.now();
    });
    await waitUntil("the tool runs", () => changedAt(seats.ran) !== undefined);
    samples.push((changedAt(seats.ran) ?? NaN) - pressed);
    await waitUntil("the turn is over", () => seats.report("strategist")?.state === "idle");
  }
  return [makeRow({ ...COST, ours: median(samples) })];
}

function changedAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}
