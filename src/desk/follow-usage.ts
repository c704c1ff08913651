/** Follows what each role of an army has used, by its transcript, a piece at a time. */
import { AGENTS } from "../agent/agents.ts";
import type { AgentUsage, UsageReader } from "../agent/agent-usage.ts";
import { ROLES, type Role } from "../army/roles.ts";
import type { Environment } from "../config/environment.ts";
import type { ArmyMail } from "../summon/mail-of-army.ts";

export type UsageByRole = Partial<Record<Role, AgentUsage>>;

/** What each role has used, read in one go. */
export function readAllUsage(env: Environment, army: ArmyMail): UsageByRole {
  const used: UsageByRole = {};
  for (const role of ROLES) {
    const path = transcriptOf(env, army, role);
    if (path === undefined) continue;
    const reader = AGENTS[path[0]].conversations.readUsage(path[1]);
    let read = reader.next();
    while (!read.isComplete) read = reader.next();
    used[role] = read.usage;
  }
  return used;
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
  const readers = new Map<string, UsageReader>();
  let timer: NodeJS.Timeout | undefined;
  const round = (): void => {
    const used: UsageByRole = {};
    let isComplete = true;
    for (const role of ROLES) {
      const path = transcriptOf(env, army, role);
      if (path === undefined) continue;
      const [program, file] = path;
      const reader = readers.get(file) ?? AGENTS[program].conversations.readUsage(file);
      readers.set(file, reader);
      const read = reader.next();
      used[role] = read.usage;
      isComplete &&= read.isComplete;
    }
    if (isComplete) tell(used);
    timer = setTimeout(round, isComplete ? everyMs : REST_MS);
    timer.unref();
  };
  timer = setTimeout(round, REST_MS);
  return () => clearTimeout(timer);
}

function transcriptOf(
  env: Environment,
  { mail, relayDir }: ArmyMail,
  role: Role,
): ["claude" | "practice", string] | undefined {
  const conversation = mail.conversation(role);
  if (typeof conversation !== "object" || conversation.id === undefined) return undefined;
  const { program, id } = conversation;
  try {
    const place = { env, relayDir };
    const path = AGENTS[program].conversations.findTranscript({ ...conversation, id }, place)?.path;
    return path === undefined ? undefined : [program, path];
  } catch {
    return undefined;
  }
}
