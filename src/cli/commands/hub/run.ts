/** `ovld hub`: starts, shows, checks and ends the hub of this machine, and says who may use it. */
import { hubFolder } from "../../../config/folders.ts";
import { readSettings } from "../../../config/settings.ts";
import { EXIT } from "../../../command/exit-code.ts";
import {
  printError,
  runCommand,
  sayJson,
  sayLine,
  type CommandContext,
} from "../../../command/command-context.ts";
import { hubFiles, requireHub, type HubFiles } from "../../../hub/hub-files.ts";
import { examineHub } from "../../../hub/examine-hub.ts";
import { findServer } from "../../../hub/find-server.ts";
import { keepServer } from "../../../hub/keep-server.ts";
import { printService } from "../../../hub/print-service.ts";
import { provideServer } from "../../../hub/provide-server.ts";
import { stopHub } from "../../../hub/stop-hub.ts";
import { explainFileError } from "../../../system/file-error.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import { findRunner } from "../../../summon/surroundings.ts";
import { createPaint, wantsColour } from "../../../terminal/paint.ts";
import { cleanLine } from "../../../system/clean-text.ts";
import { padToWidth, textWidth } from "../../../terminal/text-width.ts";
import { invite, revoke } from "./members.ts";
import { showHub } from "./show.ts";
import { start, tellStep } from "./start.ts";

export interface HubFlags {
  session?: string;
  listen?: string;
  server?: string;
  tls: boolean;
  tlsCert?: string;
  tlsKey?: string;
  tlsCa?: string;
  machine?: string;
  valid?: string;
  address?: string;
  json: boolean;
}

/** What an action works with. */
export interface HubWork {
  context: CommandContext;
  flags: HubFlags;
  files: HubFiles;
  /** The army that is meant. */
  session: string;
  words: string[];
}

type Action = (work: HubWork) => Promise<number>;

const ACTIONS: Record<string, { run: Action; isForPerson?: true; takesWords?: true }> = {
  start: { run: start, isForPerson: true },
  status: { run: showHub },
  stop: { run: end, isForPerson: true },
  doctor: { run: examine },
  service: { run: service },
  invite: { run: invite, isForPerson: true, takesWords: true },
  revoke: { run: revoke, isForPerson: true, takesWords: true },
  /** Runs in the background, or for the system's own supervisor. */
  keep: { run: keep, isForPerson: true },
};

export function hub(context: CommandContext, flags: HubFlags, given: string[]): Promise<void> {
  return runCommand(context, async () => {
    const [name, ...words] = given;
    const { cli } = context.texts;
    if (name === undefined) return refuse(context, cli.missingArgument("ACTION"));
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
    if (action === undefined) return refuse(context, cli.wrongChoice(name, "ACTION"));
    const [surplus] = words;
    if (surplus !== undefined && !action.takesWords) return refuse(context, cli.surplusArgument(surplus));
    if (surplus === undefined && action.takesWords) {
      return refuse(context, cli.missingArgument(name === "invite" ? "ROLE" : "MACHINE"));
    }
    if (action.isForPerson && findRunner(context.env).isAgent) {
      throw new OvldError({ code: "hub-person-only", facts: { command: `ovld hub ${name}` } });
    }
    const session = flags.session ?? readSettings(context.env).session;
    const folder = hubFolder(context.env);
    try {
      return await action.run({ context, flags, files: hubFiles(folder), session, words });
    } catch (error) {
      throw explainFileError(error, folder);
    }
  });
}

async function end({ context, flags, files }: HubWork): Promise<number> {
  requireHub(files);
  const wasRunning = await stopHub(files);
  const { stopped, wasNotRunning } = context.texts.hub;
  if (flags.json) sayJson(context, { stopped: wasRunning });
  else sayLine(context, wasRunning ? stopped : wasNotRunning);
  return EXIT.done;
}

async function examine({ context, flags, files }: HubWork): Promise<number> {
  const { env, hasScreen, texts } = context;
  requireHub(files);
  const findings = await examineHub(files, env);
  const wrong = findings.filter(({ verdict }) => verdict === "wrong").length;
  if (flags.json) sayJson(context, { wrong, findings });
  else {
    const { verdicts } = texts.doctor;
    const paint = createPaint(wantsColour(env, hasScreen));
    const width = Math.max(...Object.values(verdicts).map(textWidth));
    const styles = { good: "good", note: "warning", wrong: "bad" } as const;
    for (const finding of findings) {
      const word = paint(styles[finding.verdict], padToWidth(verdicts[finding.verdict], width));
      const fix = finding.fix === undefined ? "" : `  →  ${finding.fix}`;
      sayLine(context, `${word}  ${cleanLine(texts.hub.finding(finding))}${fix}`);
    }
  }
  return wrong === 0 ? EXIT.done : EXIT.failed;
}

async function service({ context, flags }: HubWork): Promise<number> {
  const kind = process.platform === "darwin" ? "launchd" : "systemd";
  const text = printService(kind, context.ovld);
  const hint = context.texts.hub.serviceHint[kind];
  if (flags.json) sayJson(context, { kind, text, hint });
  else {
    context.print("stdout", text);
    context.print("stderr", `${hint}\n`);
  }
  return EXIT.done;
}

async function keep({ context, files }: HubWork): Promise<number> {
  const { env, stop } = context;
  requireHub(files);
  const server = (await findServer(env)) ?? (await provideServer(env, { onStep: tellStep(context), stop }));
  await keepServer({ files, env, server, stop });
  return EXIT.done;
}

export function refuse(context: CommandContext, sentence: string): number {
  const message = `${sentence} ${context.texts.cli.seeHelp}`;
  const told = context.json ? printError({ code: "usage", message, facts: {} }) : `${message}\n`;
  context.print("stderr", told);
  return EXIT.usage;
}
