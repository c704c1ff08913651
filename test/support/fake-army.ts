/**
 * An in-memory army behind a program in place of Zellij: six panes with composers, and people who look at them.
 *
 * For decisions that a real Zellij would produce too slowly or too rarely. What Zellij itself does is tested with the
 * real one.
 */
import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { FORMATION } from "../../src/army/formation.ts";
import type { Role } from "../../src/army/roles.ts";
import type { Zellij } from "../../src/zellij/zellij.ts";
import { openComposer, type ComposerPane } from "./composer-pane.ts";
import { listPane } from "./list-pane.ts";
import { copyProgram } from "./program-path.ts";
import type { Sandbox } from "./sandbox.ts";

export interface FakeArmy {
  zellij: Zellij;
  /** The requested actions in order, without the session's name. */
  calls: string[];
  /** The actions that move someone's focus. */
  moves: () => string[];
  pane: (role: Role) => ComposerPane;
  /** What a pane shows instead of its composer, or in front of it. */
  shows: Map<Role, string[]>;
  /** Which pane each viewer looks at; the first viewer is the one who pressed a key last. */
  viewers: Role[];
  /** Called before an action is carried out. */
  before: (call: string) => void;
  /** Panes that do not exist. */
  closed: Set<Role>;
}

const PANES = FORMATION.flatMap((tab, position) =>
  tab.panes.map(({ role }) => ({ role, tab: tab.name, position })),
);
const MOVING = ["go-to-tab-name", "move-focus", "focus-pane-id"];

export async function makeFakeArmy(sandbox: Sandbox): Promise<FakeArmy> {
  const composers = new Map(PANES.map(({ role }) => [role, openComposer()]));
  const program = join(sandbox.root, "fake-zellij");
  const army: FakeArmy = {
    zellij: { program, env: sandbox.env },
    calls: [],
    moves: () => army.calls.filter((call) => MOVING.includes(call.split(" ")[0] ?? "")),
    pane: (role) => composers.get(role) ?? openComposer(),
    shows: new Map(),
    viewers: [],
    before: () => {},
    closed: new Set(),
  };
  const requests = join(sandbox.root, "requests");
  execFileSync("mkfifo", [requests]);
  copyProgram("fake-zellij.sh", program);
  const line = new Socket({ fd: openSync(requests, constants.O_RDWR | constants.O_NONBLOCK) });
  let input = "";
  line.setEncoding("utf8").on("data", (text: string) => {
    const calls = (input + text).split("\0\0");
    input = calls.pop() ?? "";
    for (const call of calls) void answerCall(army, call.split("\0"));
  });
  sandbox.defer(() => void line.destroy());
  return army;
}

async function answerCall(army: FakeArmy, [file = "", ...words]: string[]): Promise<void> {
  army.calls.push(words.join(" "));
  army.before(words.join(" "));
  const answer = await act(army, words);
  // The caller comes for the answer in a moment, or has been stopped and never does.
  const isTaken = (): boolean => {
    try {
      const line = openSync(file, constants.O_WRONLY | constants.O_NONBLOCK);
      writeSync(line, answer);
      closeSync(line);
      return true;
    } catch {
      return false;
    }
  };
  for (let attempt = 1; attempt <= 500 && !isTaken(); attempt += 1) await pause(4);
}

async function act(army: FakeArmy, [action, ...words]: string[]): Promise<string> {
  const { viewers } = army;
  const here = PANES.find(({ role }) => role === viewers[0]);
  const target = PANES[Number(words.join(" ").match(/terminal_(\d)/)?.[1])];
  if (action === "list-panes") return JSON.stringify(listPanes(army));
  if (action === "list-clients") return viewers.map((role, index) => `${index} ${idOf(role)} x\n`).join("");
  if (action === "dump-screen" && target !== undefined) {
    const lines = await army.pane(target.role).screen();
    return [...(army.shows.get(target.role) ?? lines)].join("\n");
  }
  if (action === "write-chars" && target !== undefined)
    await army.pane(target.role).write(words.at(-1) ?? "");
  if (here === undefined) return "";
  if (action === "focus-pane-id" && target !== undefined) viewers[0] = target.role;
  if (action === "go-to-tab-name") {
    const [first] = PANES.filter(({ tab }) => tab === words[0]);
    if (first && first.tab !== here.tab) viewers[0] = first.role;
    return String(first?.position ?? "");
  }
  if (action === "move-focus") {
    const next = PANES[PANES.indexOf(here) + (words[0] === "down" || words[0] === "right" ? 1 : -1)];
    if (next?.tab === here.tab) viewers[0] = next.role;
  }
  return "";
}

function idOf(role: Role): string {
  return `terminal_${PANES.findIndex((pane) => pane.role === role)}`;
}

function listPanes({ viewers, closed }: FakeArmy): object[] {
  const focused = (tab: string): Role | undefined => viewers.find((role) => tabOf(role) === tab);
  return PANES.flatMap(({ role, tab, position }, id) => {
    const isFocused = (focused(tab) ?? PANES.find((pane) => pane.tab === tab)?.role) === role;
    const place = { tab_name: tab, tab_position: position, is_focused: isFocused };
    return closed.has(role) ? [] : [listPane({ id, title: role, ...place })];
  });
}

function tabOf(role: Role): string | undefined {
  return PANES.find((pane) => pane.role === role)?.tab;
}
