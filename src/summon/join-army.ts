/** Takes the person to the session of an army that is already running; creates and writes nothing. */
import { EXIT } from "../army/errors.ts";
import { confirm, sayLine, type CommandContext } from "../command/command-context.ts";
import { openMail } from "../mail/mail.ts";
import type { ArmyRecord } from "../mail/records/army-record.ts";
import { cleanLine } from "../system/clean-text.ts";
import { OvldError, type ErrorReport } from "../system/ovld-error.ts";
import { presentName } from "../zellij/session-record.ts";
import { attach, switchSession } from "../zellij/sessions.ts";
import { afterZellij } from "./after-zellij.ts";
import { armyStamp } from "./army-files.ts";
import type { Army } from "./army.ts";
import type { SummonFlags } from "./check-summon.ts";

/** Returns the exit code. */
export async function joinArmy(context: CommandContext, army: Army, flags: SummonFlags): Promise<number> {
  const { zellij, session, relayDir } = army;
  const name = presentName(zellij, session) ?? session;
  if (!(await mayJoin(context, name, openMail(relayDir).army(), flags))) return EXIT.done;
  if (context.env["ZELLIJ"] !== undefined && context.env["ZELLIJ_SESSION_NAME"] !== undefined) {
    if (!(await switchTo(context, army))) sayLine(context, context.texts.session.switchYourself(name));
    return EXIT.done;
  }
  context.stop.throwIfAborted();
  const stamp = armyStamp(relayDir);
  await attach(zellij, session, context.stop);
  return afterZellij(context, army, stamp);
}

/** Moves the client of the Zellij around us to the army; false if there is none, or it does not move. */
export async function switchTo({ env }: CommandContext, { zellij, session }: Army): Promise<boolean> {
  const around = env["ZELLIJ_SESSION_NAME"];
  return around !== undefined && (await switchSession(zellij, around, session));
}

/**
 * Whether it is the intended army, and every flag can still take effect. False if the person does not want to. Throws
 * if they cannot be asked, or if a flag comes too late.
 */
async function mayJoin(
  context: CommandContext,
  session: string,
  record: ArmyRecord | undefined,
  flags: SummonFlags,
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
  { agent, fresh, rituals, noRituals }: SummonFlags,
): ErrorReport | undefined {
  const tooLate = (flag: string): ErrorReport => ({ code: "flag-too-late", facts: { session, flag } });
  if (agent !== undefined && record !== undefined && agent !== record.agent)
    return tooLate(`--agent ${agent}`);
  if (fresh) return tooLate("--fresh");
  if (rituals !== undefined) return tooLate("--rituals");
  return noRituals ? tooLate("--no-rituals") : undefined;
}
