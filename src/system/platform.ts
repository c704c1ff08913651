/**
 * What differs between Linux and macOS. Only this file asks which of them it is; a test answers for it by setting
 * `process.platform`. Any other system is neither.
 */
import { readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { lazily } from "./async.ts";
import { tryTo } from "./file-error.ts";
import { findProgram, readProgram, type Environment } from "./run-program.ts";

function isMac(): boolean {
  return process.platform === "darwin";
}

function isLinux(): boolean {
  return process.platform === "linux";
}

/** The system and its processor, as releases of programs are named: `linux-x64`. */
export function machineKind(): string {
  return `${process.platform}-${process.arch}`;
}

/** What keeps a program running after a restart of the machine. */
export function serviceKind(): "launchd" | "systemd" {
  return isMac() ? "launchd" : "systemd";
}

/** The most bytes that the path of a socket may have. */
export function longestSocketPath(): number {
  return isLinux() ? 107 : 103;
}

/** Whether programs may keep secrets where no file shows them. */
export function hasKeychain(): boolean {
  return isMac();
}

/** Whether the variables of the locale decide which characters a terminal shows. */
export function needsLocale(): boolean {
  return isLinux();
}

/**
 * The one spelling of the folder that this process works in: on a disk that ignores case a person reaches it by several.
 * Throws if it has been removed.
 */
export function currentFolder(): string {
  return realpathSync.native(process.cwd());
}

/**
 * The program that opens a file or a link for the person. Over SSH there is no browser here, and on a bare console there
 * is none that could be seen.
 */
export function openerFor(env: Environment): string | undefined {
  if (env["SSH_CONNECTION"]) return undefined;
  if (isMac()) return "open";
  return env["DISPLAY"] || env["WAYLAND_DISPLAY"] ? "xdg-open" : undefined;
}

/** The texts are arguments, never part of a script. */
const SCRIPT = [
  "on run argv",
  "display notification (item 2 of argv) with title (item 1 of argv)",
  "end run",
].flatMap((line) => ["-e", line]);

/** How the desktop shows a notification; undefined if it has no program for that. */
export function notifierFor(env: Environment) {
  const hasDesktop = ["DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS"].some((each) => env[each]);
  // Without a desktop the program would wait for one.
  if (!isMac() && !hasDesktop) return undefined;
  const program = findProgram(isMac() ? "osascript" : "notify-send", env["PATH"]);
  const args = (title: string, body: string): string[] =>
    isMac() ? [...SCRIPT, title, body] : ["--app-name=ovld", "--", title, escapeMarkup(body)];
  return program === undefined ? undefined : { program, args };
}

/** Many desktops read the body as markup. */
export function escapeMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

export interface ProcessLine {
  pid: number;
  /** Its command line; arguments that contain spaces are split where it comes from `ps`. */
  words: string[];
}

/**
 * What the system shows of processes. On Linux that is in /proc; arguments and variables are there for the user who
 * runs the process and for root. Elsewhere `ps` prints them, separated by spaces, and hides the variables of other
 * users and of the system's own programs.
 */
interface ProcessTable {
  /** A program takes time for each answer, and separates arguments by spaces only. */
  source: "files" | "program";
  /** Undefined if there is no such process, or if it has ended and its parent has not noticed yet. */
  look(pid: number): { state: string; parent: number; start: string } | undefined;
  /** Undefined if it is not running, or is just ending and has already given up what it was started with. */
  words(pid: number): string[] | undefined;
  /** As `NAME=value`; none if the system does not show them. */
  variables(pid: number): string[];
  /** The folder that it works in; undefined where the system does not say. */
  folder(pid: number): string | undefined;
  /** The settings of the terminal that it reads from, as `stty -a` prints them; undefined if it has none. */
  terminal(pid: number): string | undefined;
  /** The person's own processes: any user of the machine can start a process with any command line. */
  own(): ProcessLine[];
}

export function processTable(): ProcessTable {
  return isLinux() ? procFiles : psOutput;
}

const procFiles: ProcessTable = {
  source: "files",
  look(pid) {
    const stat = readProc(pid, "stat");
    // The program's name is in parentheses and may contain spaces, so the fields are counted after it.
    const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? [];
    const [state = "X", parent, ticksSinceBoot] = [fields[0], fields[1], fields[19]];
    if (state === "Z" || state === "X") return undefined;
    return { state, parent: Number(parent), start: `${ticksSinceBoot}.${bootId()}` };
  },
  words(pid) {
    const words = readProc(pid, "cmdline");
    return words === undefined || words === "" ? undefined : words.split("\0");
  },
  variables: (pid) => readProc(pid, "environ")?.split("\0") ?? [],
  folder: (pid) => tryTo(() => readlinkSync(`/proc/${pid}/cwd`)),
  terminal(pid) {
    const path = tryTo(() => readlinkSync(`/proc/${pid}/fd/0`));
    return path?.startsWith("/dev/") ? readProgram("stty", "-F", path, "-a") : undefined;
  },
  own() {
    const us = process.getuid?.();
    const isOurs = (pid: number): boolean => statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid === us;
    const pids = readdirSync("/proc").map(Number);
    return pids
      .filter((pid) => pid > 0 && isOurs(pid))
      .map((pid) => ({ pid, words: procFiles.words(pid) ?? [] }));
  },
};

/** It does not change while any process is alive. */
const bootId = lazily(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").slice(0, 8));

function readProc(pid: number, file: string): string | undefined {
  return tryTo(() => readFileSync(`/proc/${pid}/${file}`, "utf8"));
}

/** Each column has a `-o` of its own, and `-ww` keeps lines whole: BSD would take a list for one, and cut at 80. */
const psOutput: ProcessTable = {
  source: "program",
  look(pid) {
    const line = readProgram("ps", "-o", "stat=", "-o", "ppid=", "-o", "lstart=", "-p", String(pid))?.trim();
    const [, state, parent, start] = /^([^\sZ])\S*\s+(\d+)\s+(.+)$/.exec(line ?? "") ?? [];
    if (state === undefined || start === undefined) return undefined;
    return { state, parent: Number(parent), start: start.replaceAll(/[^A-Za-z0-9]+/g, ".") };
  },
  words: (pid) => readProgram("ps", "-ww", "-o", "args=", "-p", String(pid))?.trim().split(" "),
  variables(pid) {
    const args = psOutput.words(pid)?.join(" ");
    const everything = readProgram("ps", "-E", "-ww", "-o", "args=", "-p", String(pid))?.trim() ?? "";
    if (args === undefined || !everything.startsWith(args)) return [];
    return everything
      .slice(args.length)
      .trim()
      .split(/ (?=[A-Za-z_]\w*=)/);
  },
  folder: () => undefined,
  terminal(pid) {
    const name = readProgram("ps", "-o", "tty=", "-p", String(pid))?.trim();
    return name && /^\w/.test(name) ? readProgram("stty", "-f", `/dev/${name}`, "-a") : undefined;
  },
  own() {
    const us = String(process.getuid?.());
    const lines = readProgram("ps", "-xww", "-o", "pid=", "-o", "args=", "-U", us)?.split("\n") ?? [];
    return lines.map((line) => {
      const [pid, ...words] = line.trim().split(/\s+/);
      return { pid: Number(pid), words };
    });
  },
};
