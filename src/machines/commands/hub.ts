/** `ovld hub`: starts, shows, checks and ends the hub of this machine, and says who may use it. */
import { fchmodSync, fstatSync } from "node:fs";
import { EXIT, type ForeignProblem } from "../../army/errors.ts";
import { requireRole } from "../../army/command.ts";
import { ROLES } from "../../army/roles.ts";
import {
  lookOf,
  refuse,
  sayAnswer,
  sayJson,
  sayVerdict,
  type CommandContext,
} from "../../command/command-context.ts";
import { hubFolder } from "../../config/folders.ts";
import { readSettings, type Settings } from "../../config/settings.ts";
import type { HubFinding } from "../../i18n/en/machines.ts";
import { formatFinding } from "../../i18n/sentences.ts";
import type { Texts } from "../../i18n/texts.ts";
import { findRunner } from "../../person/find-runner.ts";
import { tryTo, explainFileError } from "../../system/file-error.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { serviceKind } from "../../system/platform.ts";
import { formatTable, type Cell } from "../../terminal/table.ts";
import { loginsOf } from "../carrier/test-access.ts";
import { formatMembership, readMembership } from "../membership.ts";
import { changeArmy } from "../server/change-hub.ts";
import {
  describeForeign,
  describeHub,
  examineForeign,
  examineHub,
  type ArmyOnHub,
} from "../server/describe-hub.ts";
import { foreignError, foreignHub, readLogins, type ForeignHub } from "../server/foreign-hub.ts";
import { hubFiles, readHub, requireHub, type HubFiles } from "../server/hub-files.ts";
import { armyIn, revokeMachine } from "../server/hub-state.ts";
import { keepServer, LEAST_FREE, stopHub } from "../server/keep-server.ts";
import { provideServer } from "../server/nats-server.ts";
import { formatService } from "../server/service-file.ts";
import { giveForeignRoles, requirements, startForeign } from "./foreign.ts";
import { join } from "./join.ts";
import { giveRoles, printStep, start } from "./own.ts";

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

export interface HubWork {
  context: CommandContext;
  flags: HubFlags;
  files: HubFiles;
  settings: Settings["hub"];
  /** The army that is meant. */
  session: string;
  words: string[];
}

interface HubAction {
  run: (work: HubWork) => Promise<number>;
  /** What it does if somebody else runs the server, or why it cannot be done then. */
  foreign?: ((work: HubWork, foreign: ForeignHub) => Promise<number>) | ForeignProblem;
  isForPerson?: true;
  /** The words that it needs; of FILE it takes one. */
  needs?: "ROLE" | "MACHINE" | "FILE";
}

const ACTIONS: Record<string, HubAction> = {
  start: { run: start, foreign: startForeign, isForPerson: true },
  status: { run: status, foreign: status },
  stop: { run: end, foreign: "stop", isForPerson: true },
  doctor: { run: examine, foreign: examine },
  service: { run: service, foreign: "service" },
  requirements: { run: requirements },
  invite: { run: invite, foreign: invite, isForPerson: true, needs: "ROLE" },
  join: { run: ({ context, words: [file = ""] }) => join(context, file), isForPerson: true, needs: "FILE" },
  revoke: { run: revoke, foreign: "revoke", isForPerson: true, needs: "MACHINE" },
  /** Runs in the background, or for the system's own supervisor. */
  keep: { run: keep, isForPerson: true },
};

export async function hub(context: CommandContext, flags: HubFlags, ...given: string[]): Promise<number> {
  const [name, ...words] = given;
  const { cli } = context.texts;
  if (name === undefined) return refuse(context, cli.missingArgument("ACTION"));
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (action === undefined) return refuse(context, cli.wrongChoice(name, "ACTION"));
  const { needs } = action;
  const surplus = words[needs === undefined ? 0 : needs === "FILE" ? 1 : Infinity];
  if (surplus !== undefined) return refuse(context, cli.surplusArgument(surplus));
  if (needs !== undefined && words.length === 0) return refuse(context, cli.missingArgument(needs));
  if (action.isForPerson && findRunner(context.env).isAgent) {
    throw new OvldError({ code: "hub-person-only", facts: { command: `ovld hub ${name}` } });
  }
  const { session: usual, hub: settings } = readSettings(context.env);
  const session = flags.army ?? usual;
  const folder = hubFolder(context.env);
  try {
    return await run(action, { context, flags, files: hubFiles(folder), settings, session, words });
  } catch (error) {
    throw explainFileError(error, folder);
  }
}

function run({ run: runOwn, foreign }: HubAction, work: HubWork): Promise<number> {
  const { files, settings, session, words } = work;
  const server = foreign && foreignHub(settings);
  if (foreign === undefined || server === undefined) return runOwn(work);
  // A machine may have a hub of its own besides.
  const own = readHub(files);
  if (own?.armies[session] !== undefined || (own && foreign === "stop")) return runOwn(work);
  if (typeof foreign === "string") throw foreignError(foreign, words.join(" "));
  return foreign(work, server);
}

async function end({ context, files }: HubWork): Promise<number> {
  const wasRunning = await stopHub(files, context.stop);
  // Its folder may have been removed while it ran.
  if (!wasRunning) requireHub(files);
  const { stopped, wasNotRunning } = context.texts.machines;
  return sayAnswer(context, { stopped: wasRunning }, [wasRunning ? stopped : wasNotRunning]);
}

async function examine(work: HubWork, foreign?: ForeignHub): Promise<number> {
  const { context, files, session } = work;
  const now = new Date(context.now());
  if (foreign) return printFindings(work, await examineForeign(foreign, readLogins(foreign, session), now));
  const joined = readHub(files) === undefined ? readMembership(context.env, session) : undefined;
  // This machine has joined an army on a server that somebody else runs.
  if (joined?.foreign) return printFindings(work, await examineForeign(joined, loginsOf(joined), now));
  return printFindings(work, await examineHub(files, context.env));
}

async function service({ context, flags }: HubWork): Promise<number> {
  const kind = serviceKind();
  const text = formatService(kind, context.ovld);
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
  const server = await provideServer(env, { onStep: printStep(context), stop });
  await keepServer({ files, env, server, stop });
  return EXIT.done;
}

/** Prints the file with which the other machine joins. */
async function invite(work: HubWork, foreign?: ForeignHub): Promise<number> {
  const { context, flags, words } = work;
  const roles = [...new Set(words)].map(requireRole);
  const joining = await (foreign ? giveForeignRoles(work, foreign, roles) : giveRoles(work, roles));
  keepToOwner();
  context.print("stdout", formatMembership(joining));
  if (flags.json) return EXIT.done;
  const { machine, expires = "" } = joining;
  const { foreignInvited, foreignSecret, invited, inviteSecret } = context.texts.machines;
  const lines = foreign
    ? [foreignInvited(machine, roles.join(", ")), foreignSecret]
    : [invited(machine, roles.join(", "), expires), inviteSecret];
  context.print("stderr", `${lines.join("\n")}\n`);
  return EXIT.done;
}

async function revoke({ context, files, session, words }: HubWork): Promise<number> {
  const { env, stop, texts } = context;
  const now = new Date(context.now());
  const [machine = ""] = words;
  const { seeds } = await changeArmy({ files, env, session, stop }, (_army, before) =>
    revokeMachine(armyIn(before, session), { session, machine, now }),
  );
  const roles = ROLES.filter((role) => seeds[role] !== undefined);
  const { revoked, cameHome } = texts.machines;
  const home = roles.length > 0 ? [cameHome(roles.join(", "))] : [];
  return sayAnswer(context, { revoked: machine, roles }, [revoked(machine), ...home]);
}

const STDOUT = 1;

/** A shell makes the file for its output readable by everybody. */
function keepToOwner(): void {
  // It may be somebody else's file, or none.
  tryTo(() => fstatSync(STDOUT).isFile() && fchmodSync(STDOUT, 0o600));
}

async function status({ context, files }: HubWork, foreign?: ForeignHub): Promise<number> {
  const { machines: texts } = context.texts;
  const view = foreign ? await describeForeign(foreign, files) : await describeHub(files);
  sayAnswer(context, view, [...formatServer(view, texts), ...formatArmies(context, view.armies)]);
  return view.answers ? EXIT.done : EXIT.failed;
}

type HubView = Awaited<ReturnType<typeof describeForeign>> | Awaited<ReturnType<typeof describeHub>>;

function formatServer(view: HubView, texts: Texts["machines"]): string[] {
  if ("foreign" in view) return [texts.foreignState(view.servers.join(", "), view.problem)];
  const { server, answers, listen, keeper, freeBytes } = view;
  const state = answers ? texts.running(listen) : texts.silent(listen);
  return [
    server === null ? texts.notRunning : state,
    ...(server !== null && keeper === null ? [texts.notSupervised] : []),
    ...(freeBytes < LEAST_FREE ? [texts.noRoom] : []),
  ];
}

function formatArmies(context: CommandContext, armies: ArmyOnHub[]): string[] {
  const { machines: texts } = context.texts;
  if (armies.length === 0) return [texts.noArmies];
  const rows = armies.flatMap((army) => rowsOf(army, texts.hubMark));
  return formatTable(texts.columns, rows, lookOf(context));
}

function rowsOf({ session, machines, unread }: ArmyOnHub, hubMark: string): Cell[][] {
  return machines.map(({ machine, isHub, roles }) => {
    const counts = roles.map((role) => unread[role] ?? null);
    const sum = counts.reduce<number>((total, count) => total + (count ?? 0), 0);
    return [
      { text: session, style: "strong" },
      { text: isHub ? `${machine} ${hubMark}` : machine },
      { text: roles.join(" ") || "–" },
      { text: counts.includes(null) ? "?" : String(sum) },
    ];
  });
}

function printFindings({ context, flags }: HubWork, findings: HubFinding[]): number {
  const wrong = findings.filter(({ verdict }) => verdict === "wrong").length;
  if (flags.json) sayJson(context, { wrong, findings });
  else {
    const { findings: sentences } = context.texts.machines;
    for (const each of findings) sayVerdict(context, each.verdict, formatFinding(each, sentences), each.fix);
  }
  return wrong === 0 ? EXIT.done : EXIT.failed;
}
