/** Follows what each role of an army has used in its conversations, by their transcripts, a piece at a time. */
import { type KeptConversation, type AgentUsage, type UsageReader, AGENTS } from "../agent/agent-program.ts";
import type { AgentName } from "../army/words.ts";
import { ROLES, type Role } from "../army/roles.ts";
import type { Environment } from "../system/run-program.ts";
import type { ArmyMail } from "../summon/army.ts";

export type UsageByRole = Partial<Record<Role, AgentUsage>>;

/** What each role has used, read in one go. */
export function readAllUsage(env: Environment, army: ArmyMail): UsageByRole {
  const read = readUsageOf(env, army);
  let round = read();
  while (!round.isComplete) round = read();
  return round.used;
}

/** While there is more to read, the rest of the process gets this much time in between. */
const REST_MS = 5;

/** Calls back after each complete round. Returns how to stop. */
export function followUsage(
  env: Environment,
  army: ArmyMail,
  onRound: (usage: UsageByRole) => void,
  everyMs: number,
): () => void {
  const read = readUsageOf(env, army);
  let timer: NodeJS.Timeout | undefined;
  const round = (): void => {
    const { used, isComplete } = read();
    if (isComplete) onRound(used);
    timer = setTimeout(round, isComplete ? everyMs : REST_MS);
    timer.unref();
  };
  timer = setTimeout(round, REST_MS);
  return () => clearTimeout(timer);
}

/** Each call reads a piece of every transcript that is not known completely. */
function readUsageOf(env: Environment, army: ArmyMail): () => { used: UsageByRole; isComplete: boolean } {
  /** By conversation. */
  const readers = new Map<string, UsageReader>();
  const readerOf = (kept: Kept): UsageReader | undefined => {
    const path = readers.has(kept.id) ? undefined : findTranscript(env, army, kept);
    if (path !== undefined) readers.set(kept.id, AGENTS[kept.program].conversations.readUsage(path));
    return readers.get(kept.id);
  };
  return () => {
    const used: UsageByRole = {};
    let isComplete = true;
    for (const role of ROLES) {
      const conversations = conversationsOf(army, role).flatMap(({ left, ...kept }) => {
        const read = readerOf(kept)?.next();
        isComplete &&= read?.isComplete ?? true;
        return read === undefined ? [] : [{ usage: read.usage, left }];
      });
      if (conversations.length > 0) used[role] = addUpUsage(conversations);
    }
    return { used, isComplete };
  };
}

type Kept = KeptConversation & { program: AgentName };

/** Those that are known, oldest first; `left` is when the role went on in another one. */
function conversationsOf({ mail }: ArmyMail, role: Role): (Kept & { left: string | undefined })[] {
  const conversation = mail.conversation(role);
  if (typeof conversation !== "object") return [];
  const { program, id, transcript, programFolder, earlier = [] } = conversation;
  return id === undefined
    ? earlier
    : [...earlier, { program, id, transcript, programFolder, left: undefined }];
}

function findTranscript(env: Environment, { relayDir }: ArmyMail, kept: Kept): string | undefined {
  try {
    return AGENTS[kept.program].conversations.findTranscript(kept, { env, relayDir })?.path;
  } catch {
    return undefined;
  }
}

const MOST_TURNS = 2_000;

/** What a role has used in all its conversations. */
function addUpUsage(conversations: readonly { usage: AgentUsage; left: string | undefined }[]): AgentUsage {
  const sum = (figure: "input" | "cached" | "output" | "turns" | "emptyWakes"): number =>
    conversations.reduce((total, { usage }) => total + usage[figure], 0);
  // A turn that was not over when the role left the conversation ended then.
  const turns = conversations.flatMap(({ usage, left }) =>
    usage.latest.map(({ from, until }) => ({ from, until: until ?? left ?? null })),
  );
  return {
    input: sum("input"),
    cached: sum("cached"),
    output: sum("output"),
    turns: sum("turns"),
    emptyWakes: sum("emptyWakes"),
    latest: turns.slice(-MOST_TURNS),
  };
}
