/**
 * Agents that stall, in the army of a campaign that is over: each goes wrong in its own way with an order of the
 * strategist's, or in a talk without end, and it is timed how long nobody knew.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Role } from "../../src/army/roles.ts";
import type { ModelRequest, Turn } from "../../test/support/model.ts";
import type { attendSeats } from "../../test/support/seats.ts";
import { bash, CHECK_INBOX, relayTool } from "./part.ts";

export interface Stall {
  way: string;
  /** Until whoever gave the order, or the person, knew; undefined if they never did. */
  seconds: number | undefined;
}

type Seats = Pick<ReturnType<typeof attendSeats>, "mail" | "journal" | "report">;

/** How long somebody may go unseen before it counts as unseen for ever. */
const PATIENCE_MS = 120_000;
const LOOK_EVERY_MS = 100;

const REMINDER = "[REMINDER from ovld]";
const REPORT = relayTool("send_message", { to: "strategist", subject: "report", body: "Done after all." });

interface Way {
  way: string;
  role: Role;
  /** What its model says once it has read the order. */
  says: (request: ModelRequest) => Turn;
  /** Its process is killed then. */
  dies?: true;
}

const WAYS: Way[] = [
  {
    way: "forgets",
    role: "inferno",
    says: ({ last }) => (last.includes(REMINDER) ? REPORT : "On to other things."),
  },
  { way: "refuses", role: "glacier", says: () => "I will not do that." },
  { way: "answers with text only", role: "shadow", says: () => "Done: everything. Open: nothing." },
  { way: "dies after reading", role: "storm", says: () => bash("sleep 30"), dies: true },
];
const LOOP: [Role, Role] = ["strategist", "inferno"];
const subjectOf = ({ way }: Way): string => `stall: ${way}`;
const thanksNumber = (count: number): string => `thanks, ${count} of many`;

export function stageStalls({ mail, journal, report }: Seats) {
  let isLooping = false;
  let [thanks, thankedBy] = [0, LOOP[1]];

  /** What the model of this role says; undefined if it plays no part. */
  function play(role: Role | undefined, request: ModelRequest): Turn | undefined {
    if (role === undefined) return undefined;
    const { last, messages } = request;
    if (last.includes("Call check_inbox")) return { tool: CHECK_INBOX, input: {} };
    if (isLooping && LOOP.includes(role)) return thank(role, request);
    const way = WAYS.find((each) => each.role === role);
    if (!way || !JSON.stringify(messages).includes(subjectOf(way))) return undefined;
    const isSpokenTo = last.startsWith("[{") || last.includes("[MESSAGE from") || last.includes(REMINDER);
    return isSpokenTo ? way.says(request) : "That is all.";
  }

  /** Thanks for the latest thanks, once. */
  function thank(role: Role, { messages }: ModelRequest): Turn {
    const to = LOOP.find((each) => each !== role) ?? role;
    if (thankedBy === role || !JSON.stringify(messages).includes(thanksNumber(thanks))) return "Good.";
    thankedBy = role;
    return relayTool("send_message", { to, subject: thanksNumber((thanks += 1)), body: "Thanks." });
  }

  async function time(way: Way): Promise<Stall> {
    const subject = subjectOf(way);
    const letter = { subject, body: "Take the hill.", priority: "normal" } as const;
    const { id } = mail.deliver({ ...letter, from: "strategist", to: way.role });
    // From here on it owes an answer.
    const read = await momentOf(() => journal("read").find((entry) => entry["id"] === id));
    if (way.dies) process.kill(Number.parseInt(report(way.role)?.agent ?? "", 10), "SIGKILL");
    const known = await momentOf(() =>
      journal("stored").find((entry) =>
        way.way === "forgets"
          ? entry["from"] === way.role && entry["subject"] === "report"
          : entry["from"] === "ovld" && entry["subject"].endsWith(subject),
      ),
    );
    return { way: way.way, seconds: secondsBetween(read, known) };
  }

  async function loop(): Promise<Stall> {
    const [to, from] = LOOP;
    isLooping = true;
    const letter = { subject: thanksNumber(thanks), body: "Thanks.", priority: "normal" } as const;
    const { id } = mail.deliver({ ...letter, from, to });
    const read = await momentOf(() => journal("read").find((entry) => entry["id"] === id));
    const known = await momentOf(() => journal("held").find(({ why }) => why === "brake"));
    return { way: "loops", seconds: secondsBetween(read, known) };
  }

  return {
    play,
    async run(): Promise<Stall[]> {
      const stalls = await Promise.all(WAYS.map(time));
      return [...stalls, await loop()];
    },
  };
}

/** When this entry of the journal was written; undefined if it never is. */
async function momentOf(find: () => { at?: string } | undefined): Promise<number | undefined> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await pause(LOOK_EVERY_MS)) {
    const entry = find();
    if (entry !== undefined) return Date.parse(entry.at ?? "");
  }
  return undefined;
}

function secondsBetween(begin: number | undefined, end: number | undefined): number | undefined {
  return begin === undefined || end === undefined ? undefined : (end - begin) / 1_000;
}
