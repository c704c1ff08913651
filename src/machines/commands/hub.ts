/** `ovld hub`: starts, shows, checks and ends the hub of this machine, and says who may use it. */
import { hubFolder } from "../../config/folders.ts";
import { readSettings } from "../../config/settings.ts";
import { refuse, runCommand, sayJson, sayLine, type CommandContext } from "../../command/command-context.ts";
import { EXIT } from "../../army/errors.ts";
import { foreignError, type ForeignHub } from "../server/foreign/foreign-hub.ts";
import { describeTest } from "../server/foreign/foreign-record.ts";
import { hubFiles, readHub, requireHub, type HubFiles } from "../server/hub-files.ts";
import { examineHub } from "../server/describe-hub.ts";
import { findServer } from "../server/find-server.ts";
import { keepServer } from "../server/keep-server.ts";
import { printService } from "../server/print-service.ts";
import { provideServer } from "../server/provide-server.ts";
import { stopHub } from "../server/server-process.ts";
import { explainFileError } from "../../system/file-error.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { loginsOf, testAccess } from "../carrier/test-access.ts";
import { readMembership } from "../membership.ts";
import { findRunner } from "../../person/find-runner.ts";
import type { ForeignProblem } from "../../army/hub-errors.ts";
import {
  doctorForeign,
  foreignOf,
  inviteForeign,
  requirements,
  startForeign,
  statusForeign,
} from "./foreign.ts";
import { invite, revoke } from "./members.ts";
import { showHub, printFindings } from "./show-hub.ts";
import { start, printStep } from "./start-hub.ts";

export interface HubFlags {
  army?: string;
  listen?: string;
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

interface HubAction {
  run: Action;
  /** What it does if somebody else runs the server, or why it cannot be done then. */
  foreign?: ((work: HubWork, foreign: ForeignHub) => Promise<number>) | ForeignProblem;
  isForPerson?: true;
  takesWords?: true;
}

const ACTIONS: Record<string, HubAction> = {
  start: { run: start, foreign: startForeign, isForPerson: true },
  status: { run: showHub, foreign: statusForeign },
  stop: { run: end, foreign: "stop", isForPerson: true },
  doctor: { run: examine, foreign: doctorForeign },
  service: { run: service, foreign: "service" },
  requirements: { run: requirements },
  invite: { run: invite, foreign: inviteForeign, isForPerson: true, takesWords: true },
  revoke: { run: revoke, foreign: "revoke", isForPerson: true, takesWords: true },
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
    const session = flags.army ?? readSettings(context.env).session;
    const folder = hubFolder(context.env);
    try {
      return await run(action, { context, flags, files: hubFiles(folder), session, words });
    } catch (error) {
      throw explainFileError(error, folder);
    }
  });
}

function run({ run: runOwn, foreign }: HubAction, work: HubWork): Promise<number> {
  const server = foreign === undefined ? undefined : foreignOf(work);
  if (server === undefined || foreign === undefined) return runOwn(work);
  if (typeof foreign !== "string") return foreign(work, server);
  // A machine may have a hub of its own besides.
  if (foreign === "stop" && readHub(work.files) !== undefined) return runOwn(work);
  throw foreignError(foreign, work.words.join(" "));
}

async function end({ context, flags, files }: HubWork): Promise<number> {
  const wasRunning = await stopHub(files, context.stop);
  // Its folder may have been removed while it ran.
  if (!wasRunning) requireHub(files);
  const { stopped, wasNotRunning } = context.texts.machines;
  if (flags.json) sayJson(context, { stopped: wasRunning });
  else sayLine(context, wasRunning ? stopped : wasNotRunning);
  return EXIT.done;
}

async function examine(work: HubWork): Promise<number> {
  const { context, files, session } = work;
  const membership = readHub(files) === undefined ? readMembership(context.env, session) : undefined;
  if (!membership?.foreign) {
    requireHub(files);
    return printFindings(work, await examineHub(files, context.env));
  }
  // This machine has joined an army on a server that somebody else runs.
  const { servers, ca } = membership;
  const logins = loginsOf(membership);
  const tested = await testAccess({ servers, ca, logins, now: new Date(context.now()) });
  return printFindings(work, describeTest(servers, tested, []));
}

async function service({ context, flags }: HubWork): Promise<number> {
  const kind = process.platform === "darwin" ? "launchd" : "systemd";
  const text = printService(kind, context.ovld);
  const hint = context.texts.machines.serviceHint[kind];
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
  const server = (await findServer(env)) ?? (await provideServer(env, { onStep: printStep(context), stop }));
  await keepServer({ files, env, server, stop });
  return EXIT.done;
}
