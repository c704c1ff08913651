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

/** Calls back after each round. Returns how to stop. */
export function followUsage(
  env: Environment,
  army: ArmyMail,
  tell: (usage: UsageByRole) => void,
  everyMs: number,
): () => void {
  const read = readUsageOf(env, army);
  let timer: NodeJS.Timeout | undefined;
  const round = (): void => {
    const { used, isComplete } = read();
    if (isComplete) tell(used);
    timer = setTimeout(round, isComplete ? everyMs : REST_MS);
    timer.unref();
  };
  timer = setTimeout(round, REST_MS);
  return () => clearTimeout(timer);
}

/** Each call reads a piece of every transcript that is not known completely. */
function readUsageOf(env: Environment, army: ArmyMail): () => { used: UsageByRole; isComplete: boolean } {
  const readers = new Map<string, UsageReader>();
  /** By conversation; one that the role has left does not grow. */
  const known = new Map<string, UsedConversation>();
  return () => {
    const used: UsageByRole = {};
    let isComplete = true;
    for (const role of ROLES) {
      const conversations = conversationsOf(army, role).flatMap(({ left, ...kept }): UsedConversation[] => {
        const before = left === undefined ? undefined : known.get(kept.id);
        if (before !== undefined) return [before];
        const path = findTranscript(env, army, kept);
        if (path === undefined) return [];
        const reader = readers.get(path) ?? AGENTS[kept.program].conversations.readUsage(path);
        readers.set(path, reader);
        const read = reader.next();
        isComplete &&= read.isComplete;
        const now = { usage: read.usage, left };
        if (read.isComplete && left !== undefined) known.set(kept.id, now);
        return [now];
      });
      if (conversations.length > 0) used[role] = addUpUsage(conversations);
    }
    return { used, isComplete };
  };
}

type Kept = KeptConversation & { program: AgentName };

/** Those that are known, oldest first. */
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

/** What a role has used in all its conversations, from what it has used in each of them, oldest first. Pure. */

interface UsedConversation {
  usage: AgentUsage;
  /** When the role went on in another conversation; undefined for the one it is in. */
  left?: string | undefined;
}

const MOST_TURNS = 2_000;

function addUpUsage(conversations: readonly UsedConversation[]): AgentUsage {
  const sum = (figure: "input" | "cached" | "output" | "turns" | "emptyWakes"): number =>
    conversations.reduce((total, { usage }) => total + usage[figure], 0);
  return {
    input: sum("input"),
    cached: sum("cached"),
    output: sum("output"),
    turns: sum("turns"),
    emptyWakes: sum("emptyWakes"),
    latest: conversations.flatMap(turnsOf).slice(-MOST_TURNS),
  };
}

/** A turn that was not over when the role left the conversation ended then. */
function turnsOf({ usage: { latest }, left }: UsedConversation): AgentUsage["latest"] {
  return latest.map(({ from, until }) => ({ from, until: until ?? left ?? null }));
}
