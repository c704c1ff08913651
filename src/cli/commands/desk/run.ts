/** `ovld desk`: a page in the person's browser that shows an army and answers it. Runs until it is asked to end. */
import { once } from "node:events";
import { dirname, join, resolve } from "node:path";
import { findArmy } from "../../../summon/army.ts";
import { armyAround, mailToRead, requirePerson } from "../../../person/find-runner.ts";
import { readSettings } from "../../../config/settings.ts";
import { isArchiveName } from "../../../summon/archive/archive.ts";
import { cleanLine } from "../../../system/clean-text.ts";
import { exportCampaign } from "../../../desk/export-campaign.ts";
import { deskRoutes } from "../../../desk/desk-routes.ts";
import { LINK_LIVES_MINUTES } from "../../../desk/check-request.ts";
import { offerLink } from "../../../desk/offer-link.ts";
import { serveDesk } from "../../../desk/serve-desk.ts";
import {
  refuse,
  sayAnswer,
  sayLine,
  signalCode,
  type CommandContext,
} from "../../../command/command-context.ts";
import { EXIT } from "../../../army/errors.ts";
import { onEnter } from "../../../terminal/listen-for-keys.ts";

export interface DeskFlags {
  army?: string;
  port?: string;
  noOpen: boolean;
  export?: string;
  noBodies: boolean;
  json: boolean;
}

export async function desk(context: CommandContext, flags: DeskFlags): Promise<number> {
  requirePerson(context.env, "ovld desk");
  const port = flags.port === undefined ? undefined : Number(flags.port);
  if (port !== undefined && !(Number.isInteger(port) && port >= 1 && port <= 65_535))
    return refuse(context, context.texts.cli.wrongChoice(flags.port ?? "", "--port"));
  const session = nameOf(context, flags.army);
  const pageFolder = join(dirname(dirname(context.ovld.file)), "dist", "desk-page");
  return flags.export === undefined
    ? serve(context, flags, { session, port, pageFolder })
    : writeExport(context, flags, { session, file: flags.export, pageFolder });
}

/** Unlike with other commands, the army need not exist: the page waits for it. */
function nameOf({ env }: CommandContext, asked: string | undefined): string {
  const name = asked ?? armyAround(env) ?? readSettings(env).session;
  return isArchiveName(name) ? name : findArmy(env, name).session;
}

function writeExport(
  context: CommandContext,
  { noBodies }: DeskFlags,
  { session, file, pageFolder }: { session: string; file: string; pageFolder: string },
): number {
  const { env, cwd, texts } = context;
  const { messages, entries, isCut } = exportCampaign(env, mailToRead(context, session), {
    file: resolve(cwd, file),
    language: texts.language,
    withBodies: !noBodies,
    pageFolder,
    now: context.now(),
  });
  const { exported, exportedPart } = texts.desk;
  const lines = [exported(cleanLine(file), messages), ...(isCut ? [exportedPart(entries)] : [])];
  return sayAnswer(context, { session, file: resolve(cwd, file), messages, isCut }, lines);
}

async function serve(
  context: CommandContext,
  flags: DeskFlags,
  { session, port, pageFolder }: { session: string; port: number | undefined; pageFolder: string },
): Promise<number> {
  const texts = context.texts.desk;
  const { routes, close } = deskRoutes(context, session, pageFolder);
  const giveLink = (): string => {
    const link = server.newLink();
    sayAnswer(context, { session, link }, [texts.openingLink(link, LINK_LIVES_MINUTES)]);
    return link;
  };
  const server = await serveDesk({
    port,
    routes,
    sentences: texts.refusals,
    onLinkUsed() {
      withdraw?.();
      if (!flags.json) sayLine(context, texts.opened);
    },
    now: context.now,
  });
  const link = giveLink();
  if (!flags.json) sayLine(context, texts.keys);
  const withdraw = flags.noOpen || flags.json ? undefined : offerLink(context, link);
  const enter = onEnter(giveLink);
  if (!context.stop.aborted) await once(context.stop, "abort");
  enter.close();
  withdraw?.();
  close();
  await server.close();
  return context.stop.reason === "SIGINT" ? EXIT.done : signalCode(context.stop);
}
