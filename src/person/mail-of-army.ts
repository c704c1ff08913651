/** The mail of an existing army; looking for it creates nothing. */
import type { CommandContext } from "../command/command-context.ts";
import { archiveFolder } from "../config/folders.ts";
import { readSettings } from "../config/settings.ts";
import { openMail } from "../mail/mail.ts";
import { findArchive, isArchiveName } from "../summon/archive/archive.ts";
import { findArmy, type ArmyMail } from "../summon/army.ts";
import { OvldError } from "../system/ovld-error.ts";
import { armyAround } from "./find-runner.ts";

/** The mail of an army that somebody wants to read about; `asked` may also name one in the archive. */
export function mailToRead(context: CommandContext, asked: string | undefined): ArmyMail {
  if (asked === undefined || !isArchiveName(asked)) return mailOfArmy(context, asked);
  const { session, path } = findArchive(archiveFolder(context.env), asked);
  return { session, relayDir: path, mail: openMail(path) };
}

export function mailOfArmy({ env }: CommandContext, asked: string | undefined): ArmyMail {
  const { session, relayDir } = findArmy(env, asked ?? armyAround(env) ?? readSettings(env).session);
  const mail = openMail(relayDir);
  if (!mail.exists()) throw new OvldError({ code: "no-army", facts: { session } });
  return { session, relayDir, mail };
}
