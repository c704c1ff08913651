/**
 * Moves the focus to a role's pane so that the person sees it: to its tab by name, then from pane to pane.
 *
 * Within a tab the focus is where the person left it, so the steps are counted from there.
 */
import { FORMATION, type Tab } from "../army/formation.ts";
import type { Role } from "../army/roles.ts";
import { findPanes } from "./panes.ts";
import { runZellij, type Zellij } from "./zellij.ts";

type Direction = "left" | "right" | "up" | "down";

/** With several calls at the same time Zellij sometimes loses one, so the result is checked and the call repeated. */
const ATTEMPTS = 3;

/**
 * Does nothing if nobody is attached, or if the person is on a pane that is not the army's. `mayGoOn` is asked after
 * the first step and before every further one; if it says no, the focus stays where it is by then, and the result is
 * false.
 */
export async function focusPane(
  zellij: Zellij,
  session: string,
  role: Role,
  mayGoOn: () => Promise<boolean>,
): Promise<boolean> {
  const tab = FORMATION.find(({ panes }) => panes.some((pane) => pane.role === role));
  if (tab === undefined) return true;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const isThere = await goToTab(zellij, session, tab.name);
    if (!(await mayGoOn())) return false;
    if (!isThere) continue;
    const panes = await findPanes(zellij, session);
    if (typeof panes === "string") return true;
    // A floating pane keeps its focus even while it is hidden.
    const tiled = panes.filter((pane) => pane.tab === tab.name && !pane.isFloating);
    const focused = tiled.filter((pane) => pane.focused).map(({ name }) => name);
    const steps = stepsTo(tab, focused, role);
    if (steps.length === 0) return true;
    for (const direction of steps) {
      if (!(await mayGoOn())) return false;
      await runZellij(zellij, "--session", session, "action", "move-focus", direction);
    }
  }
  return true;
}

/** Empty if it is unknown from which pane to count. Pure. */
export function stepsTo({ panes, split }: Tab, focused: readonly string[], role: Role): Direction[] {
  const [backward, forward]: [Direction, Direction] =
    split === "vertical" ? ["left", "right"] : ["up", "down"];
  const from = panes.findIndex((pane) => pane.role === focused[0]);
  const to = panes.findIndex((pane) => pane.role === role);
  if (focused.length !== 1 || from < 0 || to < 0) return [];
  return Array.from({ length: Math.abs(to - from) }, () => (to > from ? forward : backward));
}

/** Zellij prints the tab's number if a client moved there, and otherwise nothing. */
async function goToTab(zellij: Zellij, session: string, name: Tab["name"]): Promise<boolean> {
  const run = await runZellij(zellij, "--session", session, "action", "go-to-tab-name", name);
  return run.code === 0 && /^\d+\s*$/.test(run.stdout);
}

/** The panes that attached clients are in, one per client. */
export async function clientPanes(zellij: Zellij, session: string): Promise<number[]> {
  for (let attempt = 1; ; attempt += 1) {
    const { stdout } = await runZellij(zellij, "--session", session, "action", "list-clients");
    // The heading is printed even if nobody is attached.
    if (stdout.trim() !== "" || attempt === ATTEMPTS) {
      return Array.from(stdout.matchAll(/^\d+\s+terminal_(\d+)/gm), ([, id]) => Number(id));
    }
  }
}

/**
 * Moves the focus to a pane, in the client in which the last key was pressed. False if nobody is there afterwards. Used
 * with a pane that had the focus a moment ago, it returns the focus.
 */
export async function focusPaneById(zellij: Zellij, session: string, pane: number): Promise<boolean> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    await runZellij(zellij, "--session", session, "action", "focus-pane-id", `terminal_${pane}`);
    if ((await clientPanes(zellij, session)).includes(pane)) return true;
  }
  return false;
}
