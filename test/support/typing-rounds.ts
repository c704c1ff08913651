/** Rounds in which a person at a real terminal types while a bell is typed into the same pane. */
import { setTimeout as pause } from "node:timers/promises";
import { withoutBlanks } from "../../src/system/clean-text.ts";
import type { Role } from "../../src/army/roles.ts";
import { letter } from "./store.ts";
import type { Seats } from "./seats.ts";
import { seededRandom } from "../torture/seeded-random.ts";
import { waitUntil } from "./wait-until.ts";

export interface TypingTable {
  seats: Seats;
  role: Role;
  /** Every prompt that the agent has taken so far. */
  prompts: () => string[];
}

interface Harm extends AgentDescription {
  round: number;
  seed: number;
  did: string;
  what: string;
}

/** What helps to understand a round that went wrong. */
interface AgentDescription {
  screen: string;
  report: unknown;
  prompts: string[];
  journal: object[];
}

interface Plan {
  keys: string[];
  text: string;
  /**
   * How the round ends: the person sends the text, leaves it, or presses a key after which it may or may not be
   * there.
   */
  end: "sends" | "leaves" | "drops";
}

const WORDS = ["x", "please build", "日本語で頼む", "très naïve", "\\ back", "one two three four five"];
const BRACKETS = ["\u001b[200~", "\u001b[201~"] as const;
const [LEFT, RIGHT, ENTER] = ["\u001b[D", "\u001b[C", "\r"] as const;
const [ESCAPE, CTRL_C] = ["\u001b", "\u0003"];

/** What a person does, and what the composer contains in the end if nothing disturbs them. */
function planRound(random: () => number): Plan {
  const text = WORDS[Math.floor(random() * WORDS.length)] ?? "x";
  const letters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  const plans: Plan[] = [
    { keys: letters, text, end: "leaves" },
    { keys: [`${BRACKETS[0]}${text}${BRACKETS[1]}`], text, end: "leaves" },
    { keys: [...letters, LEFT, RIGHT], text, end: "leaves" },
    { keys: [...letters, ENTER], text, end: "sends" },
    { keys: [...letters, ESCAPE], text, end: "leaves" },
    { keys: [...letters, CTRL_C], text, end: "drops" },
  ];
  return plans[Math.floor(random() * plans.length)] ?? { keys: [], text: "", end: "leaves" };
}

interface Outcome {
  /** Words that we sent, our text left in front of theirs, or words lost. */
  harms: Harm[];
  /** How often the person's own Enter came before our text was taken back, and sent it with their words. */
  together: number;
  /** How often that is acceptable: on a busy machine it takes longer to notice. */
  mostTogether: number;
}

const MOST_TOGETHER = 0.1;

/**
 * What happened to a person's words. `OVLD_TEST_ROUNDS` sets another number of rounds, `OVLD_TEST_SEED` repeats a
 * run.
 */
export async function typeThroughBells(table: TypingTable, usually: number): Promise<Outcome> {
  const { seats, role } = table;
  const pane = seats.pane(role);
  const rounds = Number(process.env["OVLD_TEST_ROUNDS"] ?? usually);
  const seed = Number(process.env["OVLD_TEST_SEED"] ?? Date.now() % 1_000_000);
  const below = seededRandom(seed);
  const random = (): number => below(1_000_000) / 1_000_000;
  const terminal = seats.world.zellijOnTerminal("attach", seats.session);
  await waitUntil("somebody is attached", () => terminal.output().length > 500);
  await pause(500);
  const harms: Harm[] = [];
  let together = 0;
  for (let round = 1; round <= rounds; round += 1) {
    await waitUntil("the agent is idle", () => seats.report(role)?.state === "idle");
    await waitUntil("its composer is empty", async () => (await pane.composer()) === "");
    // Another Ctrl-C now would quit; any other key means that the person stays.
    const stays = async (): Promise<boolean> => {
      const asks = (await pane.screen()).replaceAll("\n", "").includes("again to exit");
      if (asks) terminal.pty.write(RIGHT);
      return !asks;
    };
    await waitUntil("the person stays", stays, { interval: 200 });
    const before = table.prompts().length;
    const plan = planRound(random);
    const { id } = seats.mail.deliver({ ...letter, to: role });
    await pause(random() * 700);
    for (const keys of plan.keys) {
      terminal.pty.write(keys);
      await pause(plan.keys.length === 1 ? 0 : 20 + random() * 120);
    }
    const isRead = (): boolean => seats.journal("read").some((line) => line["id"] === id);
    const what = await judge(table, plan, before, isRead);
    if (what === TOGETHER) together += 1;
    else if (what !== undefined) {
      harms.push({
        round,
        seed,
        did: JSON.stringify(plan.keys.join("")),
        what,
        ...(await describeAgent(table, before)),
      });
    }
    // The person clears what they wrote, and the bell comes. An agent that is interrupted in its first moments puts
    // the prompt back into its composer, after what is already there, so they may have to clear it again.
    const isOver = async (): Promise<boolean> => {
      const isClear = (await pane.composer()) === "";
      if (!isClear) terminal.pty.write("\u0005" + "\u007f".repeat(60));
      return isClear && isRead();
    };
    const over = waitUntil("all is cleared and the mail is read", isOver, { timeout: 90_000, interval: 200 });
    await over.catch(async (cause: unknown) => {
      const told = {
        round,
        seed,
        did: JSON.stringify(plan.keys.join("")),
        what,
        ...(await describeAgent(table, before)),
      };
      throw new Error(JSON.stringify(told, null, 2), { cause });
    });
  }
  terminal.close();
  if (process.env["OVLD_TEST_ROUNDS"]) {
    console.info(
      `${rounds} rounds, seed ${seed}: ${harms.length} harms, ${together} sent together by their own Enter`,
    );
  }
  return { harms, together, mostTogether: 1 + rounds * MOST_TOGETHER };
}

async function describeAgent(
  { seats, role, prompts }: TypingTable,
  before: number,
): Promise<AgentDescription> {
  return {
    screen: await seats.pane(role).screen(),
    report: seats.report(role),
    prompts: prompts().slice(before),
    journal: seats.journal().slice(-8),
  };
}

const TOGETHER = "sent together by their own Enter";

/** Expects text without spaces. */
function isTrigger(prompt: string): boolean {
  return /^\[MESSAGEfrom\w+\][^\]]*check_inbox\.$/.test(prompt);
}

/**
 * Whether a prompt is exactly a trigger and the words: one after the other, the trigger in the middle of the words, or
 * the rest of the words in the middle of the trigger, where our Enter has broken it.
 */
function isTogether(prompt: string, words: string): boolean {
  for (let head = 0; head <= words.length; head += 1) {
    const [before, after] = [words.slice(0, head), words.slice(head)];
    if (!prompt.startsWith(before)) continue;
    const rest = prompt.slice(head);
    for (let at = rest.indexOf(after); at >= 0; at = rest.indexOf(after, at + 1)) {
      const withoutGuard = rest.slice(0, at).replace(/\\$/, "");
      if (isTrigger(withoutGuard + rest.slice(at + after.length))) return true;
      if (after === "") break;
    }
  }
  return false;
}

async function judge(
  { seats, role, prompts }: TypingTable,
  { keys, text, end }: Plan,
  before: number,
  isRead: () => boolean,
): Promise<string | undefined> {
  const wanted = withoutBlanks(text);
  const said = (): string[] => prompts().slice(before).map(withoutBlanks);

  const isDone = async (): Promise<boolean> => {
    if (end === "sends")
      return said().some((prompt) => prompt.includes(wanted) || isTogether(prompt, wanted));
    const shown = withoutBlanks((await seats.pane(role).composer()) ?? "none");
    // A key that ended the bell's own turn leaves the bell unanswered for a while.
    const isTold = isRead() || isHeld() || [ESCAPE, CTRL_C].includes(keys.at(-1) ?? "");
    return (shown === wanted || (end === "drops" && shown === "")) && isTold;
  };
  const isHeld = (): boolean => seats.report(role)?.bell.state === "held";
  const settled = await waitUntil("what they typed is there", isDone, { timeout: 15_000 }).then(
    () => true,
    () => false,
  );
  for (const prompt of said()) {
    if (isTrigger(prompt) || (end === "sends" && prompt === wanted)) continue;
    if (end === "sends" && isTogether(prompt, wanted)) return TOGETHER;
    if (prompt.includes("[MESSAGE")) return `sent together: ${prompt}`;
    return `sent: ${prompt}`;
  }
  return settled ? undefined : `the composer shows: ${await seats.pane(role).composer()}`;
}
