/**
 * `npm run bench:rituals -- [--rounds N]`: summons six real Claude Codes again and again, and counts how often all
 * six took their ritual, byte for byte and once.
 */
import { parseArgs } from "node:util";
import { ROLES } from "../../src/army/roles.ts";
import { makeClaudeArmy, type ClaudeArmy } from "../../test/support/claude-army.ts";
import { packagedRitual } from "../../test/support/packaged-ritual.ts";
import { median } from "../statistics.ts";
import { makeZellijAvailable } from "../wake/zellij.ts";

const EXIT_USAGE = 2;
const THOUGHT_ABOUT_WITHIN_MS = 30_000;

process.exitCode = await main();

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { rounds: { type: "string", default: "20" } } });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) {
    console.error(`bench:rituals: --rounds takes a whole number, not "${values.rounds}"`);
    return EXIT_USAGE;
  }
  makeZellijAvailable();
  const times: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const took = await summonOnce();
    console.error(`${round} of ${rounds}: ${took === undefined ? "failed" : `${Math.round(took)} ms`}`);
    if (took !== undefined) times.push(took);
  }
  console.log(`${times.length} of ${rounds} summons gave all six rituals, each byte for byte and once`);
  if (times.length > 0) console.log(`p50 ${(median(times) / 1000).toFixed(1)} s from summon to its end`);
  return times.length === rounds ? 0 : 1;
}

/** How long it took; undefined if a role missed its ritual or got it twice. */
async function summonOnce(): Promise<number | undefined> {
  await using army = await makeClaudeArmy({ trusted: true });
  const began = performance.now();
  const { code, stdout, stderr } = await army.world.ovld("summon", "--detached");
  const took = performance.now() - began;
  const until = Date.now() + THOUGHT_ABOUT_WITHIN_MS;
  while (army.served().length < ROLES.length && Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  if (code === 0 && army.served().length === ROLES.length && toldOnce(army)) return took;
  console.error(`exit ${code}; served: ${army.served().join(", ")}\n${stdout}${stderr}`);
  return undefined;
}

function toldOnce(army: ClaudeArmy): boolean {
  const all = army.conversations().flat().join("\n");
  return ROLES.every((role) => all.split(packagedRitual(role).trim()).length === 2);
}
