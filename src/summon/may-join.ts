/** Whether a summon may go to an army that is up already: it is the one that was meant, and no flag comes too late. */
import type { AgentName } from "../army/agent-names.ts";
import type { ArmyRecord } from "../mail/army-record.ts";
import { cleanLine } from "../system/clean-text.ts";
import { OvldError, type ErrorReport } from "../system/ovld-error.ts";
import { confirm } from "../command/confirm.ts";
import { sayLine, type CommandContext } from "../command/command-context.ts";
import type { RitualFlags } from "./rituals.ts";

export interface JoinFlags extends RitualFlags {
  session?: string;
  agent?: AgentName;
  detached: boolean;
}

/** False if the person does not want to. Throws where they cannot be asked, or asked for what cannot be had. */
export async function mayJoin(
  context: CommandContext,
  session: string,
  record: ArmyRecord | undefined,
  flags: JoinFlags,
): Promise<boolean> {
  // Who names an army means that one, wherever it works.
  const elsewhere = flags.session === undefined && record !== undefined && record.folder !== context.cwd;
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

/** Only a summon that starts the agents can choose what they are and what they are told. */
function findLateFlag(
  session: string,
  record: ArmyRecord | undefined,
  { agent, rituals, noRituals }: JoinFlags,
): ErrorReport | undefined {
  const tooLate = (flag: string): ErrorReport => ({ code: "flag-too-late", facts: { session, flag } });
  if (agent !== undefined && record !== undefined && agent !== record.agent)
    return tooLate(`--agent ${agent}`);
  if (rituals !== undefined) return tooLate("--rituals");
  return noRituals ? tooLate("--no-rituals") : undefined;
}
