/** Rounds in which a person at a real terminal types while a bell is typed into the pane they are in. */
import { setTimeout as pause } from "node:timers/promises";
import { withoutBlanks } from "../../src/agent/composer.ts";
import type { Role } from "../../src/army/roles.ts";
import { letter } from "./store.ts";
import type { Seats } from "./seats.ts";
import { seededRandom } from "../torture/seeded-random.ts";
import { waitUntil } from "./wait-until.ts";

export interface TypingTable {
  seats: Seats;
  role: Role;
  /** Every prompt the agent has taken so far. */
  prompts: () => string[];
}

export interface Harm {
  round: number;
  seed: number;
  did: string;
  what: string;
}

interface Plan {
  keys: string[];
  text: string;
  /** How they end: by sending it, by leaving it there, or by a key after which it may or may not stand there. */
  end: "sends" | "leaves" | "drops";
}

const WORDS = ["x", "please build", "日本語で頼む", "très naïve", "\\ back", "one two three four five"];
const BRACKETS = ["\u001b[200~", "\u001b[201~"] as const;
const [LEFT, RIGHT, ENTER, ESCAPE, CTRL_C] = ["\u001b[D", "\u001b[C", "\r", "\u001b", "\u0003"] as const;

/** What a person does, and what stands there in the end if nobody disturbs them. */
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

/**
 * The harm that was seen: words sent by us, ours left in front of theirs, words lost. `OVLD_TEST_ROUNDS` asks for
 * another number of rounds, `OVLD_TEST_SEED` for the same ones again.
 */
export async function typeThroughBells(table: TypingTable, usually: number): Promise<Harm[]> {
  const { seats, role } = table;
  const rounds = Number(process.env["OVLD_TEST_ROUNDS"] ?? usually);
  const seed = Number(process.env["OVLD_TEST_SEED"] ?? Date.now() % 1_000_000);
  const below = seededRandom(seed);
  const random = (): number => below(1_000_000) / 1_000_000;
  const terminal = seats.world.zellijOnTerminal("attach", seats.session);
  await waitUntil("somebody is attached", () => terminal.output().length > 500);
  await pause(500);
  const harms: Harm[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    await waitUntil("the agent is idle", () => seats.report(role)?.state === "idle", { timeout: 20_000 });
    await waitUntil("its composer is empty", async () => (await seats.composer(role)) === "");
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
    if (what !== undefined) harms.push({ round, seed, did: plan.keys.join(""), what });
    // The person clears what they wrote, and the bell comes.
    for (let tries = 0; tries < 20 && (await seats.composer(role)) !== ""; tries += 1) {
      terminal.pty.write("\u0005" + "\u007f".repeat(60));
      await pause(200);
    }
    await waitUntil("the mail is read", isRead, { timeout: 90_000 });
  }
  terminal.close();
  return harms;
}

/** Without blanks. */
function isTrigger(prompt: string): boolean {
  return /^\[MESSAGEfrom\w+\][^\]]*check_inbox\.$/.test(prompt);
}

async function judge(
  { seats, role, prompts }: TypingTable,
  { text, end }: Plan,
  before: number,
  isRead: () => boolean,
): Promise<string | undefined> {
  const wanted = withoutBlanks(text);
  const said = (): string[] => prompts().slice(before).map(withoutBlanks);

  const isDone = async (): Promise<boolean> => {
    if (end === "sends") return said().some((prompt) => prompt.includes(wanted));
    const shown = withoutBlanks((await seats.composer(role)) ?? "none");
    // A key that ended the bell's own turn leaves the bell unanswered for a while.
    const isTold = isRead() || isHeld() || end === "drops";
    return (shown === wanted || (end === "drops" && shown === "")) && isTold;
  };
  const isHeld = (): boolean => seats.report(role)?.bell.bell === "held";
  const settled = await waitUntil("what they typed is there", isDone, { timeout: 15_000 }).then(
    () => true,
    () => false,
  );
  for (const prompt of said()) {
    if (isTrigger(prompt) || (end === "sends" && prompt === wanted)) continue;
    if (prompt.includes("[MESSAGE")) return `sent together: ${prompt}`;
    return `sent: ${prompt}`;
  }
  return settled ? undefined : `the composer shows: ${await seats.composer(role)}`;
}
