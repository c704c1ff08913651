/**
 * The files that an army needs besides its mail: MCP configuration, settings and ritual for each role, and the
 * layout.
 */
import { accessSync, constants, lstatSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AgentProgram, FolderRights, RelayCommand } from "../agent/agent-program.ts";
import { MCP_FOLDER, mcpConfigFile } from "../agent/army-process.ts";
import { ROLES, type Role } from "../army/roles.ts";
import type { Language } from "../army/words.ts";
import { formatLimits, PART_VARIABLE, LIMITS_VARIABLE, SUMMONED } from "../config/relay-settings.ts";
import { wishesFor, type Settings } from "../config/settings.ts";
import { openMail } from "../mail/mail.ts";
import { removeFolders } from "../mail/store/whole-store.ts";
import { ARMY_RITUALS_FOLDER, armyRitualFile, forgetRitualGiven } from "../rituals/ritual-file.ts";
import { asideBeside, replaceFile } from "../system/durable-files.ts";
import { explainFileError } from "../system/file-error.ts";
import { formatLayout, type PaneCommand } from "../zellij/layout.ts";
import { SESSION_RECORD } from "../zellij/session-record.ts";
import { statusCommand } from "../zellij/status-key.ts";
import type { MachinePart } from "../mail/other-machines.ts";

export interface ArmyPlan {
  session: string;
  relayDir: string;
  /** What agents must not read or change; undefined for no more than this army's own folder. */
  own?: OwnPaths;
  /** The folder in which the agents work. */
  cwd: string;
  agent: AgentProgram;
  /** The path of the agent program. */
  agentProgram: string;
  /** This very program: Node.js and the file it runs. */
  ovld: { node: string; file: string };
  /** The Zellij that runs the session. */
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

/** ovld's own files, without links in the paths; a part `*` stands for any name. */
export interface OwnPaths {
  /** The folders of all armies. */
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

export interface ArmyFiles {
  /** The roles of this machine, and its name if there are others. */
  roles: readonly Role[];
  machine: string | undefined;
  layout: ArmyFile;
  /** The content of the layout if the launcher can only be run by a shell. */
  shellLayout: string;
  mcpConfigs: ArmyFile[];
  settings: ArmyFile[];
  rituals: ArmyFile[];
  /** What the panes run in place of the agent program, if anything. */
  launcher: ArmyFile[];
}

const SETTINGS_FOLDER = "settings";
export const LAUNCH_FOLDER = "launch";
export const LAUNCHER_MODE = 0o700;
const LAYOUT_FILE = "layout.kdl";
/** A folder in the project in which the rituals keep the order and the plan. */
const CAMPAIGN_FOLDER = ".ovld";

/** Plans what would be written. Pure. */
export function planArmyFiles(plan: ArmyPlan): ArmyFiles {
  const configOf = (role: Role): string => mcpConfigFile(plan.relayDir, role);
  const settingsOf = (role: Role): string => join(plan.relayDir, SETTINGS_FOLDER, `${role}.json`);
  const launcher = planLauncher(plan);
  const commandOf = (role: Role): PaneCommand =>
    plan.agent.command({
      program: launcher[0]?.path ?? plan.agentProgram,
      ovld: plan.ovld,
      mcpConfigFile: configOf(role),
      settingsFile: settingsOf(role),
      language: plan.language,
      wishes: wishesFor(plan.settings, role),
    });
  const { cwd, part, statusKey } = plan;
  const roles = part?.roles ?? ROLES;
  const rituals = [...(plan.rituals ?? [])].filter(([role]) => roles.includes(role));
  const key =
    statusKey === undefined
      ? undefined
      : { name: statusKey, command: statusCommand(plan.ovld, plan.language) };
  return {
    roles,
    machine: part?.machine,
    layout: { path: join(plan.relayDir, LAYOUT_FILE), content: formatLayout({ cwd, commandOf, roles, key }) },
    shellLayout: formatLayout({ cwd, roles, key, commandOf: (role) => runByShell(commandOf(role)) }),
    mcpConfigs: roles.map((role) => ({
      path: configOf(role),
      content: plan.agent.formatMcpConfig(planRelay(plan, role)),
    })),
    settings: roles.map((role) => ({
      path: settingsOf(role),
      content: plan.agent.formatSettings({ secret: plan.secrets[role], rights: rightsOf(plan, role) }),
    })),
    rituals: planRitualFiles(plan.relayDir, new Map(rituals)),
    launcher,
  };
}

function planLauncher({ agent, agentProgram, ovld, relayDir, language }: ArmyPlan): ArmyFile[] {
  const launcher = agent.launcher?.({ program: agentProgram, ovld, relayDir, language });
  if (launcher === undefined) return [];
  return [
    { path: join(relayDir, LAUNCH_FOLDER, launcher.file), content: launcher.content, mode: LAUNCHER_MODE },
  ];
}

/**
 * A role may read and write what its ritual tells it to without asking. With its own file tools it may neither read
 * files that hold secrets, of any army, nor change what ovld itself reads. These rules do not apply to what it runs in a
 * shell. A rule that denies beats one that allows, so none of them covers the notes or the army's rituals.
 */
function rightsOf({ cwd, insightDir, relayDir, own }: ArmyPlan, role: Role): FolderRights {
  const notes = insightDir === undefined ? [] : [insightDir];
  const campaign = join(cwd, CAMPAIGN_FOLDER);
  const edits = { overlord: [campaign], strategist: [campaign, ...notes] };
  const { armies, secret, settings } = own ?? { armies: [relayDir], secret: [], settings: [] };
  return {
    reads: notes,
    edits: role === "overlord" || role === "strategist" ? edits[role] : [],
    hidden: [...armies.flatMap((army) => [join(army, MCP_FOLDER), join(army, SETTINGS_FOLDER)]), ...secret],
    unchanged: [...armies, ...secret, ...settings],
  };
}

/** The command by which a role's agent starts its relay, with everything that the relay has to know. */
export function planRelay(plan: ArmyPlan, role: Role): RelayCommand {
  const { ovld, relayDir, session, insightDir, zellij, settings, secrets, part } = plan;
  const { wake, rituals, bell, desk, limits } = settings;
  const identity = { OVLD_ROLE: role, OVLD_RELAY_DIR: relayDir, OVLD_SESSION: session };
  const notes = insightDir !== undefined && { OVLD_INSIGHT_DIR: insightDir };
  const summoned = {
    [SUMMONED.secret]: secrets[role],
    [SUMMONED.zellij]: zellij,
    [SUMMONED.wake]: wake,
    ...(!rituals.focus && { [SUMMONED.focus]: "off" }),
    ...(!bell.carry && { [SUMMONED.carry]: "off" }),
    ...(!desk.answer && { [SUMMONED.answer]: "off" }),
    ...(!desk.notify && { [SUMMONED.notify]: "off" }),
  };
  return {
    command: ovld.node,
    args: [ovld.file, "relay"],
    env: {
      ...identity,
      ...notes,
      ...summoned,
      [LIMITS_VARIABLE]: formatLimits(limits),
      ...(part && { [PART_VARIABLE]: part.path }),
    },
  };
}

/** One for each role: it proves to a role's relay that a call comes from its agent's hooks. */
export type RoleSecrets = Readonly<Record<Role, string>>;

const SECRET_BYTES = 32;

export function makeSecrets(make: () => string = makeSecret): RoleSecrets {
  return {
    overlord: make(),
    strategist: make(),
    inferno: make(),
    glacier: make(),
    shadow: make(),
    storm: make(),
  };
}

function makeSecret(): string {
  return process.getBuiltinModule("node:crypto").randomBytes(SECRET_BYTES).toString("base64url");
}

/** The relays read these files to remind their agents. */
function planRitualFiles(relayDir: string, rituals: ReadonlyMap<Role, string>): ArmyFile[] {
  return [...rituals].map(([role, content]) => ({ path: armyRitualFile(relayDir, role), content }));
}

/** In the order they are written. The layout comes last, because its stamp stands for all of them. */
export function listArmyFiles(files: ArmyFiles): ArmyFile[] {
  const { layout, mcpConfigs, settings, rituals, launcher } = files;
  return [...mcpConfigs, ...settings, ...rituals, ...launcher, layout];
}

export function writeArmyFiles(files: ArmyFiles): void {
  const { layout, shellLayout, launcher } = files;
  writeFiles(listArmyFiles(files).filter((file) => file !== layout));
  const needsShell = launcher.some(({ path }) => !mayRun(path));
  writeFiles([needsShell ? { ...layout, content: shellLayout } : layout]);
}

/** False on a disk from which no program may be started (noexec). */
function mayRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function runByShell({ program, args }: PaneCommand): PaneCommand {
  return { program: "/bin/sh", args: [program, ...args] };
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
      replaceFile({ aside: asideBeside(path), target: path, content, mode });
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
