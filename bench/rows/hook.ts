/** A hook's call of the relay: what every prompt, tool use and end of a turn waits for. */
import { HOOK_TOOL } from "../../src/agent/hook-call.ts";
import { SUMMONED } from "../../src/config/relay-settings.ts";
import { openMail } from "../../src/mail/mail.ts";
import { talkWith, type LineTalk } from "../line-talk.ts";
import { samplePairs } from "../pairs.ts";
import { printToolCall, readAnswer, startRelay } from "../relay-process.ts";
import { makeRow, type Row } from "../row.ts";
import { percentile } from "../statistics.ts";
import type { Workplace } from "../workplace.ts";

const SAMPLES = 500;
const WARM_UP = 50;
const SECRET = "bench";
const ECHO = "process.stdin.pipe(process.stdout)";

const call = printToolCall(HOOK_TOOL, { secret: SECRET, event: "PostToolUse", tool: "Bash" });

export async function measureHook(place: Workplace): Promise<Row[]> {
  const relayDir = place.makeFolder();
  openMail(relayDir).init();
  const env = { [SUMMONED.secret]: SECRET, [SUMMONED.zellij]: "/nowhere", [SUMMONED.wake]: "auto" };
  const relay = await startRelay(place, relayDir, "overlord", env);
  await relay.ask("tools/list");
  const echo = talkWith(place.startNode(["-e", ECHO]));
  const { ours, floor } = await samplePairs(
    WARM_UP + place.samples(SAMPLES),
    () => timeRoundTrip(relay.talk, readAnswer),
    () => timeRoundTrip(echo, () => {}),
  );
  await Promise.all([relay.talk.end(), echo.end()]);
  return [
    makeRow({
      name: "a hook's call of the relay, p50",
      unit: "ms",
      ours: percentile(ours.slice(WARM_UP), 0.5),
      floor: percentile(floor.slice(WARM_UP), 0.5),
    }),
  ];
}

async function timeRoundTrip(talk: LineTalk, check: (answer: string) => void): Promise<number> {
  const began = performance.now();
  talk.say(call);
  const answer = await talk.hear();
  const took = performance.now() - began;
  check(answer);
  return took;
}
