/**
 * Watches the six agents from outside during a campaign: their real states, the states ovld reports, and their cost.
 */
import { readFileSync } from "node:fs";
import { claudeFolder, readRegistry } from "../../src/agent/claude/own-files.ts";
import { ROLES, type Role } from "../../src/army/roles.ts";
import type { AgentState } from "../../src/army/words.ts";
import type { Mail } from "../../src/mail/mail.ts";

export interface ArmyWatch {
  /** What Claude Code's own registry said about it at that time; also busy if it had just been rung. */
  stateAt(role: Role, at: number): AgentState | undefined;
  /** The longest time that a role was idle with unread mail, in milliseconds. */
  longestIdleWithUnread(): { role: Role | undefined; ms: number };
  /**
   * Samples taken once a second; those in which ovld disagreed with the registry; and those in which it still did
   * soon after.
   */
  states(): { samples: number; wrong: number; stayedWrong: number };
  /** The largest proportional set size of the relays that was seen, in MiB. */
  memory(): number;
  /** Seconds of processor time that the relays used since the watch began. */
  cpuSeconds(): number;
  areAllIdle(): boolean;
  [Symbol.dispose](): void;
}

const LOOK_EVERY_MS = 50;
const LOOKS_A_SECOND = 1_000 / LOOK_EVERY_MS;
/** A state reported later than this counts as late; a shorter lag is not visible. */
const SOON_MS = 250;
const CLOCK_TICKS_A_SECOND = 100;

interface Sighting {
  at: number;
  state: AgentState | undefined;
}

export function watchArmy(
  mail: Mail,
  env: Record<string, string>,
  isInTurn: (role: Role) => boolean,
): ArmyWatch {
  const claudeDir = claudeFolder(env);
  const sightings = new Map<Role, Sighting[]>(ROLES.map((role) => [role, []]));
  const idleSince = new Map<Role, number>();
  const longest: { role: Role | undefined; ms: number } = { role: undefined, ms: 0 };
  const states = { samples: 0, wrong: 0, stayedWrong: 0 };
  const began = cpuOf(relays(mail));
  let memory = 0;
  let looks = 0;

  function seen(role: Role): AgentState | undefined {
    const pid = Number.parseInt(mail.agentReport(role)?.agent ?? "", 10);
    return readRegistry(claudeDir, pid)?.state;
  }

  function look(): void {
    const now = Date.now();
    for (const role of ROLES) {
      const state = seen(role);
      const unread = mail.unread(role, { handedOut: false }).length > 0;
      const busy = state === "idle" && (unread || isInTurn(role)) ? "busy" : state;
      const list = sightings.get(role);
      if (list && list.at(-1)?.state !== busy) list.push({ at: now, state: busy });
      if (state !== "idle" || !unread) idleSince.delete(role);
      else idleSince.set(role, idleSince.get(role) ?? now);
      const ms = now - (idleSince.get(role) ?? now);
      if (ms > longest.ms) Object.assign(longest, { role, ms });
    }
    looks += 1;
    if (looks % LOOKS_A_SECOND === 0) sample();
  }

  function sample(): void {
    memory = Math.max(memory, memoryOf(relays(mail)));
    for (const role of ROLES) {
      states.samples += 1;
      if (!differs(role)) continue;
      states.wrong += 1;
      setTimeout(() => (states.stayedWrong += differs(role) ? 1 : 0), SOON_MS).unref();
    }
  }

  function differs(role: Role): boolean {
    const said = mail.agentReport(role)?.state;
    // A failed turn leaves the agent at its prompt.
    return (said === "failed" ? "idle" : said) !== seen(role);
  }

  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  return {
    stateAt: (role, at) => sightings.get(role)?.findLast((sighting) => sighting.at <= at)?.state,
    longestIdleWithUnread: () => longest,
    states: () => states,
    memory: () => memory,
    cpuSeconds: () => cpuOf(relays(mail)) - began,
    areAllIdle: () => ROLES.every((role) => seen(role) === "idle" && mail.countUnread(role) === 0),
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

function relays(mail: Mail): number[] {
  return mail.presences().map(({ relay }) => Number.parseInt(relay, 10));
}

function memoryOf(pids: number[]): number {
  const kibibytes = pids.map((pid) =>
    Number(/^Pss:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0),
  );
  return kibibytes.reduce((sum, each) => sum + each, 0) / 1024;
}

/** User and system time, fields 14 and 15; the second field is a name in parentheses that may contain spaces. */
function cpuOf(pids: number[]): number {
  const ticks = pids.flatMap(
    (pid) => read(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ").slice(11, 13) ?? [],
  );
  return ticks.reduce((sum, each) => sum + Number(each), 0) / CLOCK_TICKS_A_SECOND;
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
