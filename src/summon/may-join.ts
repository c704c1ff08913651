/**
 * Whether a summon may join an army that is already running: it is the intended one, and every flag can still take
 * effect.
 */
import type { AgentName } from "../army/words.ts";
import type { ArmyRecord } from "../mail/records/army-record.ts";
import { cleanLine } from "../system/clean-text.ts";
import { OvldError, type ErrorReport } from "../system/ovld-error.ts";
import { confirm } from "../command/confirm.ts";
import { sayLine, type CommandContext } from "../command/command-context.ts";
import type { RitualFlags } from "./army-rituals.ts";

export interface JoinFlags extends RitualFlags {
  army?: string;
  agent?: AgentName;
  fresh: boolean;
  detached: boolean;
}

/** False if the person does not want to. Throws if they cannot be asked, or if a flag comes too late. */
export async function mayJoin(
  context: CommandContext,
  session: string,
  record: ArmyRecord | undefined,
  flags: JoinFlags,
): Promise<boolean> {
  // A person who names an army means that one, wherever it works.
  const elsewhere = flags.army === undefined && record !== undefined && record.folder !== context.cwd;
  if (flags.detached || !context.hasTerminal) {
    throw new OvldError(
      elsewhere
        ? { code: "army-elsewhere", facts: { session, folder: record.folder } }
        : { code: "session-live", facts: { session } },
    );
  }
  const late = findLateFlag(session, record, flags);
  if (late !== undefined) throw new OvldError(late);
  if (!elsewhere) return true;
  const texts = context.texts.session;
  sayLine(context, texts.elsewhere(session, cleanLine(record.folder)));
  if (await confirm(context, texts.askToJoin)) return true;
  sayLine(context, texts.openAnother);
  return false;
}

/** Only a summon that starts the agents can choose their program and their rituals. */
function findLateFlag(
  session: string,
  record: ArmyRecord | undefined,
  { agent, fresh, rituals, noRituals }: JoinFlags,
): ErrorReport | undefined {
  const tooLate = (flag: string): ErrorReport => ({ code: "flag-too-late", facts: { session, flag } });
  if (agent !== undefined && record !== undefined && agent !== record.agent)
    return tooLate(`--agent ${agent}`);
  if (fresh) return tooLate("--fresh");
  if (rituals !== undefined) return tooLate("--rituals");
  return noRituals ? tooLate("--no-rituals") : undefined;
}
