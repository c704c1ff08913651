/** A whole campaign from its seed: the same seed gives the same campaign. Pure. */
import { otherRoles } from "../../src/army/roles.ts";
import { seededRandom } from "../../test/torture/seeded-random.ts";
import { INCIDENTS } from "./incidents.ts";
import { relayTool, type Errand, type Part, type Pen } from "./part.ts";
import { EVENTS, planRound } from "./round.ts";

export interface Plan {
  parts: Part[];
  /** The text of each dispatch, by its mark; a broadcast goes to several roles. */
  bodies: Map<string, string>;
  messages: number;
  /** What happens in it, in order. */
  incidents: string[];
  /** How it begins. */
  wish: Errand;
}

/** In bytes, each equally likely: most mail is short, some is too long for a bell to carry. */
const LENGTHS = [250, 250, 300, 400, 400, 500, 600, 800, 1_500, 4_000];
const PROSE =
  "Hold the result against the order, name the files you touch, run what can be run, and say what is still open. ";

const INCIDENTS_IN_ROUND = 4;
const EVENTS_IN_ROUND = 2;

/** Rounds are complete, so there may be a few more messages than asked for. */
export function makePlan(messages: number, seed: number): Plan {
  const random = seededRandom(seed);
  const [incidents, events] = [dealFrom(Object.entries(INCIDENTS), seed), dealFrom(EVENTS, seed)];
  const plan: Plan = { parts: [], bodies: new Map(), messages: 0, incidents: [], wish: wishOf(1) };
  for (let round = 1; plan.messages < messages; round += 1) {
    const pen = makePen(`r${round}`, plan, random);
    const [own, common] = [incidents(INCIDENTS_IN_ROUND), events(EVENTS_IN_ROUND)];
    plan.incidents.push(...own.map(([name]) => name), ...common);
    plan.parts.push(
      ...planRound({
        pen,
        incidents: own.map(([, incident]) => incident),
        events: common,
        next: wishOf(round + 1),
      }),
    );
  }
  return withoutLastWish(plan);
}

function wishOf(round: number): Errand {
  return { act: "type", role: "overlord", text: `Dispatch r${round}-wish. Make it better.` };
}

/** Whether a round is the last one is known only once its messages are counted. */
function withoutLastWish(plan: Plan): Plan {
  const last = plan.parts.at(-1)?.steps.at(-1);
  if (last) delete last.errand;
  return plan;
}

function makePen(round: string, plan: Plan, random: Pen["random"]): Pen {
  const mark = (name: string): string => `${round}-${name}`;
  const write = (name: string, copies: number): string => {
    const body = writeBody(mark(name), LENGTHS[random(LENGTHS.length)] ?? 0);
    plan.bodies.set(mark(name), body);
    plan.messages += copies;
    return body;
  };
  return {
    random,
    mark,
    say: (name) => `Dispatch ${mark(name)}. Use tabs.`,
    send: (name, to, more) =>
      relayTool("send_message", { to, subject: `about round ${round}`, body: write(name, 1), ...more }),
    broadcast: (name) =>
      relayTool("broadcast", {
        subject: `about round ${round}`,
        body: write(name, otherRoles("strategist").length),
      }),
  };
}

function writeBody(mark: string, length: number): string {
  return `Dispatch ${mark}. ${PROSE.repeat(1 + length / PROSE.length)}`.slice(0, length);
}

/** Deals each card once, in an order that only the seed decides, before dealing one again. */
function dealFrom<Card>(cards: readonly Card[], seed: number): (count: number) => Card[] {
  const random = seededRandom(seed);
  let deck: Card[] = [];
  const draw = (): Card[] => {
    if (deck.length === 0) deck = [...cards];
    return deck.splice(random(deck.length), 1);
  };
  return (count) => Array.from({ length: count }, draw).flat();
}
