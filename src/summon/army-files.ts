/**
 * The files that an army needs besides its mail: MCP configuration, settings and ritual for each role, and the
 * layout.
 */
import { accessSync, constants, existsSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import * as z from "zod/mini";
import type { AgentProgram, AgentRights, RelayCommand } from "../agent/agent-program.ts";
import { MCP_FOLDER, mcpConfigFile } from "../agent/army-process.ts";
import { RELAY_SERVER } from "../agent/hook-call.ts";
import { formatCommand } from "../army/command.ts";
import { perRole, ROLES, type Role } from "../army/roles.ts";
import { USUAL_BRAKE, type Language } from "../army/words.ts";
import { formatLimits, LIMITS_VARIABLE, PART_VARIABLE, SUMMONED } from "../config/relay-settings.ts";
import type { Settings } from "../config/settings.ts";
import { openMail } from "../mail/mail.ts";
import type { MachinePart } from "../mail/other-machines.ts";
import { WORK_FOLDER } from "../mail/store/paths.ts";
import { removeFolders } from "../mail/store/whole-store.ts";
import { ARMY_RITUALS_FOLDER, armyRitualFile, forgetRitualGiven } from "../rituals/ritual-file.ts";
import { replaceFile } from "../system/durable-files.ts";
import { tryTo, explainFileError, succeeds } from "../system/file-error.ts";
import { listFolder } from "../system/paths.ts";
import { readPlainFile } from "../system/read-file.ts";
import { readRecord } from "../system/record.ts";
import { shellWord } from "../system/text.ts";
import { treeFolder, type WorkRecord } from "../work/work.ts";
import { formatLayout, type PaneCommand } from "../zellij/layout.ts";
import { SESSION_RECORD } from "../zellij/session-record.ts";
import { statusCommand } from "../zellij/status-key.ts";
import { folderOf } from "./army-trees.ts";

export interface ArmyPlan {
  session: string;
  relayDir: string;
  /** What agents must not read or change; undefined for no more than this army's own folder. */
  own?: OwnPaths;
  /** The folder in which the agents work. */
  cwd: string;
  /** Only for an army with trees; and the `PATH` of its agents, which run ovld. */
  work?: WorkRecord | undefined;
  path?: string | undefined;
  /** What the person's telemetry says of an agent already. */
  attributes?: string | undefined;
  agent: AgentProgram;
  agentProgram: string;
  ovld: Ovld;
  zellij: string;
  settings: Settings;
  /** The key of the session that opens the status; undefined for none. */
  statusKey?: string | undefined;
  language?: Language;
  /** Each is given to one relay only. */
  secrets: RoleSecrets;
  /** The folder of the notes on this project; undefined if each relay finds it by itself. */
  insightDir?: string;
  /** What the roles are told at the start. */
  rituals?: ReadonlyMap<Role, string>;
  /** Only for an army on several machines. */
  part?: MachinePart | undefined;
}

/** The running program: Node.js and the file it runs. */
interface Ovld {
  node: string;
  file: string;
}

/** ovld's own files, without links in the paths; a part `*` stands for any name. */
export interface OwnPaths {
  armies: readonly string[];
  /** Folders with keys, and with armies that have ended. */
  secret: readonly string[];
  /** What decides how an army is summoned. */
  settings: readonly string[];
}

interface ArmyFile {
  path: string;
  content: string;
  /** Its permissions; 0600 if not given. */
  mode?: number;
}

/** By OpenTelemetry's specification: what describes a program, as `name=value` with commas in between. */
export const ATTRIBUTES_VARIABLE = "OTEL_RESOURCE_ATTRIBUTES";

const SETTINGS_FOLDER = "settings";
const LAUNCH_FOLDER = "launch";
const PROGRAMS_FOLDER = join(LAUNCH_FOLDER, "bin");
const LAUNCHER_MODE = 0o700;
const LAYOUT_FILE = "layout.kdl";
/** A folder in the project in which the rituals keep the order and the plan. */
const CAMPAIGN_FOLDER = ".ovld";

export type ArmyFiles = ReturnType<typeof planArmyFiles>;

/** Plans what would be written. Pure. */
export function planArmyFiles(plan: ArmyPlan) {
  const { relayDir, agent, agentProgram, ovld, language, cwd, part, statusKey } = plan;
  const roles = part?.roles ?? ROLES;
  const settingsFile = (role: Role): string => join(relayDir, SETTINGS_FOLDER, `${role}.json`);
  const launcher = agent.launcher?.({ program: agentProgram, ovld, relayDir, language });
  const launcherFile = launcher && {
    path: join(relayDir, LAUNCH_FOLDER, launcher.file),
    content: launcher.content,
    mode: LAUNCHER_MODE,
  };
  const commandOf = (role: Role): PaneCommand =>
    agent.command({
      program: launcherFile?.path ?? agentProgram,
      ovld,
      mcpConfigFile: mcpConfigFile(relayDir, role),
      settingsFile: settingsFile(role),
      language,
      wishes: plan.settings.wishes.get(role),
    });
  const byShell = (role: Role): PaneCommand => {
    const { program, args } = commandOf(role);
    return { program: "/bin/sh", args: [program, ...args] };
  };
  const key = statusKey && { name: statusKey, command: statusCommand(ovld, language) };
  const layout = {
    cwd,
    roles,
    key: key || undefined,
    folderOf: (role: Role) => folderOf(plan.work, role, cwd),
  };
  const rituals = [...(plan.rituals ?? [])].filter(([role]) => roles.includes(role));
  return {
    /** The roles of this machine, its name if there are others, and the budget, if there is one. */
    roles,
    machine: part?.machine,
    budget: Object.values(plan.settings.budget).some((limit) => limit !== undefined)
      ? plan.settings.budget
      : undefined,
    layout: { path: join(relayDir, LAYOUT_FILE), content: formatLayout({ ...layout, commandOf }) },
    /** The content of the layout if the launcher can only be run by a shell. */
    shellLayout: formatLayout({ ...layout, commandOf: byShell }),
    mcpConfigs: roles.map((role): ArmyFile => {
      const content = agent.formatMcpConfig(planRelay(plan, role));
      return { path: mcpConfigFile(relayDir, role), content };
    }),
    settings: roles.map((role): ArmyFile => {
      const rights = rightsOf(plan, role);
      return {
        path: settingsFile(role),
        content: agent.formatSettings({ secret: plan.secrets[role], rights, env: environmentOf(plan, role) }),
      };
    }),
    rituals: planRitualFiles(relayDir, rituals),
    /** What the panes run in place of the agent program, if anything. */
    launcher: [...(launcherFile === undefined ? [] : [launcherFile]), ...programsOf(plan)],
  };
}

/** Agents run `ovld task`, also if ovld is not on the person's own path. */
function programsOf({ work, relayDir, ovld }: ArmyPlan): ArmyFile[] {
  if (work === undefined) return [];
  const content = `#!/bin/sh\nexec ${shellWord(ovld.node)} ${shellWord(ovld.file)} "$@"\n`;
  return [{ path: join(relayDir, PROGRAMS_FOLDER, "ovld"), content, mode: LAUNCHER_MODE }];
}

/** The person's telemetry tells armies and roles apart. Agents with trees find ovld, and Git syncs what they commit. */
function environmentOf(plan: ArmyPlan, role: Role): Record<string, string> {
  const { session, work, relayDir, path = "", attributes = "" } = plan;
  const others = attributes.split(",").filter((each) => each.trim() !== "" && !/^\s*ovld\./.test(each));
  const own = [`ovld.army=${encodeURIComponent(session)}`, `ovld.role=${role}`];
  const telemetry = { [ATTRIBUTES_VARIABLE]: [...others, ...own].join(",") };
  if (work === undefined) return telemetry;
  return {
    ...telemetry,
    PATH: [join(relayDir, PROGRAMS_FOLDER), path].filter(Boolean).join(delimiter),
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "core.fsync",
    GIT_CONFIG_VALUE_0: "committed",
  };
}

/** What an agent with a tree of its own runs all the time, and can do no harm with there. */
const TREE_COMMANDS = [
  "ovld task",
  ...["add", "commit", "merge", "status", "diff", "log", "show"].map((word) => `git ${word}`),
];

/**
 * A role may read and write what its ritual tells it to without asking. With its own file tools it may neither read
 * files that hold secrets, of any army, nor change what ovld itself reads. These rules do not apply to what it runs in a
 * shell. A rule that denies beats one that allows, so none of them covers the notes or the army's rituals.
 */
function rightsOf(
  { cwd, insightDir, relayDir, own, work, settings: wishes }: ArmyPlan,
  role: Role,
): AgentRights {
  const notes = insightDir === undefined ? [] : [insightDir];
  const campaign = join(cwd, CAMPAIGN_FOLDER);
  const edits = { overlord: [campaign], strategist: [campaign, ...notes] };
  const isReadOnly = wishes.command.readOnly.includes(role);
  const { armies, secret, settings } = own ?? { armies: [relayDir], secret: [], settings: [] };
  return {
    // The order and the plan are in the main checkout, and the output of a failed check is with the army's files.
    reads: work === undefined ? notes : [...notes, campaign, join(relayDir, WORK_FOLDER)],
    commands: work === undefined ? [] : TREE_COMMANDS,
    edits: role === "overlord" || role === "strategist" ? edits[role] : [],
    hidden: [...armies.flatMap((army) => [join(army, MCP_FOLDER), join(army, SETTINGS_FOLDER)]), ...secret],
    unchanged: [
      ...armies,
      ...secret,
      ...settings,
      ...(isReadOnly && work !== undefined && role !== "overlord" ? [treeFolder(work, role)] : []),
    ],
    sealed: isReadOnly ? [{ folder: cwd, but: CAMPAIGN_FOLDER }] : [],
  };
}

/** The command by which a role's agent starts its relay, with everything that the relay has to know. */
export function planRelay(plan: ArmyPlan, role: Role): RelayCommand {
  const { ovld, relayDir, session, insightDir, zellij, settings, secrets, part } = plan;
  const { wake, rituals, bell, brake, desk, notify, limits, command } = settings;
  const budget = Object.entries(settings.budget).filter(([, tokens]) => tokens !== undefined);
  return {
    command: ovld.node,
    args: [ovld.file, "relay"],
    env: {
      OVLD_ROLE: role,
      OVLD_RELAY_DIR: relayDir,
      OVLD_SESSION: session,
      ...(insightDir !== undefined && { OVLD_INSIGHT_DIR: insightDir }),
      [SUMMONED.secret]: secrets[role],
      [SUMMONED.zellij]: zellij,
      [SUMMONED.wake]: wake,
      ...(!rituals.focus && { [SUMMONED.focus]: "off" }),
      ...(!bell.carry && { [SUMMONED.carry]: "off" }),
      ...(brake.messages !== USUAL_BRAKE && { [SUMMONED.brake]: String(brake.messages) }),
      ...(budget.length > 0 && { [SUMMONED.budget]: budget.map((each) => each.join("=")).join(",") }),
      ...(!desk.answer && { [SUMMONED.answer]: "off" }),
      ...(!desk.notify && { [SUMMONED.notify]: "off" }),
      ...(command.order.size > 0 && { [SUMMONED.command]: formatCommand(command.order) }),
      ...(notify.command && { [SUMMONED.notifyCommand]: notify.command }),
      [LIMITS_VARIABLE]: formatLimits(limits),
      ...(part && { [PART_VARIABLE]: part.path }),
    },
  };
}

/** One for each role: it proves to a role's relay that a call comes from its agent's hooks. */
export type RoleSecrets = Readonly<Record<Role, string>>;

export function makeSecrets(): RoleSecrets {
  const { randomBytes } = process.getBuiltinModule("node:crypto");
  return perRole(() => randomBytes(32).toString("base64url"));
}

/** The relays read these files to remind their agents. */
function planRitualFiles(relayDir: string, rituals: Iterable<[Role, string]>): ArmyFile[] {
  return Array.from(rituals, ([role, content]) => ({ path: armyRitualFile(relayDir, role), content }));
}

/** In the order they are written. The layout comes last, because its stamp stands for all of them. */
export function listArmyFiles(files: ArmyFiles): ArmyFile[] {
  const { layout, mcpConfigs, settings, rituals, launcher } = files;
  return [...mcpConfigs, ...settings, ...rituals, ...launcher, layout];
}

export function writeArmyFiles(files: ArmyFiles): void {
  const { layout, shellLayout, launcher } = files;
  writeFiles(listArmyFiles(files).filter((file) => file !== layout));
  // On a disk from which no program may be started (noexec).
  const needsShell = launcher.some(({ path }) => !succeeds(() => accessSync(path, constants.X_OK)));
  writeFiles([needsShell ? { ...layout, content: shellLayout } : layout]);
}

/** For an army that is already running: its relays give these rituals, whatever they have given before. */
export function writeRitualFiles(relayDir: string, rituals: ReadonlyMap<Role, string>): void {
  writeFiles(planRitualFiles(relayDir, rituals));
  const mail = openMail(relayDir);
  for (const role of rituals.keys()) forgetRitualGiven(mail, role);
}

function writeFiles(files: readonly ArmyFile[]): void {
  for (const { path, content, mode } of files) {
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      replaceFile({ target: path, content, mode });
    } catch (error) {
      throw explainFileError(error, path);
    }
  }
}

/** Differs from one summoning of an army to the next; undefined if there is none. */
export function armyStamp(relayDir: string): string | undefined {
  const found = lstatSync(join(relayDir, LAYOUT_FILE), { throwIfNoEntry: false });
  return found && `${found.ino}-${found.mtimeMs}`;
}

/** Removes only what summoning created, and never through a link. */
export function removeArmyFiles(relayDir: string): void {
  if (!lstatSync(relayDir, { throwIfNoEntry: false })?.isDirectory()) return;
  removeFolders(relayDir, [MCP_FOLDER, SETTINGS_FOLDER, ARMY_RITUALS_FOLDER, LAUNCH_FOLDER]);
  for (const name of [SESSION_RECORD, LAYOUT_FILE]) rmSync(join(relayDir, name), { force: true });
}

/**
 * An army's files name the Node.js and the ovld that summoned it. If either is gone, because it was moved or updated
 * while the army ran, this makes the files name the ones that are running now, so that an agent that is started again
 * finds its conversation and its relay.
 */
export function followMovedOvld(relayDir: string, role: Role, now: Ovld): void {
  const before = readOvld(mcpConfigFile(relayDir, role));
  if (before === undefined || (existsSync(before.node) && existsSync(before.file))) return;
  const correct = (path: string, write: (text: string) => string, mode?: number): void => {
    const file = readPlainFile(path);
    if (!("text" in file)) return;
    const content = file.text
      .replaceAll(write(before.node), () => write(now.node))
      .replaceAll(write(before.file), () => write(now.file));
    // If that fails, the agent can still be started, and the next start tries again.
    if (content !== file.text) tryTo(() => replaceFile({ target: path, content, mode }));
  };
  for (const each of ROLES) correct(mcpConfigFile(relayDir, each), (text) => JSON.stringify(text));
  const launchers = join(relayDir, LAUNCH_FOLDER);
  for (const name of listFolder(launchers)) correct(join(launchers, name), shellWord, LAUNCHER_MODE);
}

function readOvld(path: string): Ovld | undefined {
  const server = z.object({ command: z.string(), args: z.tuple([z.string()], z.string()) });
  const config = z.object({ mcpServers: z.object({ [RELAY_SERVER]: server }) });
  const relay = readRecord(path, config)?.mcpServers[RELAY_SERVER];
  return relay && { node: relay.command, file: relay.args[0] };
}
