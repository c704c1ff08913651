/** Follows what each role of an army has used in its conversations, by their transcripts, a piece at a time. */
import { ROLES, type Role } from "../army/roles.ts";
import type { Mail } from "../mail/mail.ts";
import type { Environment } from "../system/run-program.ts";
import { linkOfArmy } from "./agent-link.ts";
import { AGENTS, type AgentUsage, type UsageReader } from "./agent-program.ts";
import { tryTo } from "../system/file-error.ts";

export type UsageByRole = Partial<Record<Role, AgentUsage>>;

interface Followed {
  mail: Pick<Mail, "conversation" | "army">;
  relayDir: string;
}

export function readAllUsage(env: Environment, army: Followed): UsageByRole {
  const read = readUsageOf(env, army);
  let round = read();
  while (!round.isComplete) round = read();
  return addUp(round.conversations);
}

/** While there is more to read, the rest of the process gets this much time in between. */
const REST_MS = 5;

/** Calls back after each complete round. Returns how to stop. */
export function followUsage(
  env: Environment,
  army: Followed,
  onRound: (usage: UsageByRole) => void,
  everyMs: number,
): () => void {
  const onEach = (found: readonly CountedConversation[]): void => onRound(addUp(found));
  return followConversations(env, army, ROLES, onEach, everyMs);
}

/** The same for each conversation of some roles. */
export function followConversations(
  env: Environment,
  army: Followed,
  roles: readonly Role[],
  onRound: (conversations: readonly CountedConversation[]) => void,
  everyMs: number,
): () => void {
  const read = readUsageOf(env, army, roles);
  let timer: NodeJS.Timeout | undefined;
  const round = (): void => {
    const { conversations, isComplete } = read();
    if (isComplete) onRound(conversations);
    timer = setTimeout(round, isComplete ? everyMs : REST_MS).unref();
  };
  timer = setTimeout(round, REST_MS);
  return () => clearTimeout(timer);
}

/**
 * Whether a role's agent has worked since it was started, by its program's record of its state or by its transcript. One
 * at its trust dialog has not.
 */
export function hasWorked(env: Environment, { mail, relayDir }: Followed, role: Role): boolean {
  const { agent, id, program, started, ...kept } = mail.conversation(role) ?? {};
  if (agent === undefined || program === undefined) return false;
  if (linkOfArmy(mail).readState?.(env, Number.parseInt(agent, 10))?.state === "busy") return true;
  const { findTranscript } = AGENTS[program].conversations;
  const transcript = id === undefined ? undefined : findTranscript({ ...kept, id }, { env, relayDir });
  // A time to come was written before the clock was set back.
  const since = started === undefined || Date.parse(started) > Date.now() ? "" : started;
  return (transcript?.lastAnswerAt() ?? "") > since;
}

/** `read` is undefined if the program keeps no file of it that can be read. */
export interface CountedConversation {
  role: Role;
  id: string;
  /** When the role went on in another conversation. */
  left: string | undefined;
  read: ReturnType<UsageReader["next"]> | undefined;
}

/** Each call reads a piece of every transcript that is not known completely. */
function readUsageOf(env: Environment, { mail, relayDir }: Followed, roles: readonly Role[] = ROLES) {
  /** By conversation. */
  const readers = new Map<string, UsageReader>();
  const readerOf = ({ program, ...kept }: KeptOfRole): UsageReader | undefined => {
    const { findTranscript, readUsage } = AGENTS[program].conversations;
    // A transcript that cannot be looked for now may be found in the next round.
    tryTo(() => {
      const path = readers.has(kept.id) ? undefined : findTranscript(kept, { env, relayDir })?.path;
      if (path !== undefined) readers.set(kept.id, readUsage(path));
    });
    return readers.get(kept.id);
  };
  return () => {
    const conversations = roles.flatMap((role) =>
      conversationsOf(mail, role).map((kept): CountedConversation => {
        return { role, id: kept.id, left: kept.left, read: readerOf(kept)?.next() };
      }),
    );
    return { conversations, isComplete: conversations.every(({ read }) => read?.isComplete !== false) };
  };
}

type KeptOfRole = ReturnType<typeof conversationsOf>[number];

/** Those that are known, oldest first; `left` is when the role went on in another one. */
function conversationsOf(mail: Followed["mail"], role: Role) {
  const conversation = mail.conversation(role);
  if (conversation === undefined) return [];
  const { id, earlier = [], program, transcript, programFolder } = conversation;
  const current = { program, id: id ?? "", transcript, programFolder, left: undefined };
  return id === undefined ? earlier : [...earlier, current];
}

const MOST_TURNS = 2_000;
const NOTHING_USED: AgentUsage = { input: 0, cached: 0, output: 0, turns: 0, emptyWakes: 0, latest: [] };

function addUp(conversations: readonly CountedConversation[]): UsageByRole {
  const used: UsageByRole = {};
  for (const { role, read, left } of conversations)
    if (read !== undefined) used[role] = addUsage(used[role], read.usage, left);
  return used;
}

/** With what a role has used in one more conversation. */
function addUsage(total = NOTHING_USED, usage: AgentUsage, left: string | undefined): AgentUsage {
  // A turn that was not over when the role left the conversation ended then.
  const turns = usage.latest.map(({ from, until }) => ({ from, until: until ?? left ?? null }));
  return {
    input: total.input + usage.input,
    cached: total.cached + usage.cached,
    output: total.output + usage.output,
    turns: total.turns + usage.turns,
    emptyWakes: total.emptyWakes + usage.emptyWakes,
    latest: [...total.latest, ...turns].slice(-MOST_TURNS),
  };
}
