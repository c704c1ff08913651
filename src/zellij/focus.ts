/**
 * Moving the focus to a role's pane, for a person to see: to its tab by name, then from pane to pane.
 *
 * Within a tab the focus is where the viewer left it, so the steps are counted from there.
 */
import { FORMATION, type Tab } from "../army/formation.ts";
import type { Role } from "../army/roles.ts";
import { findPanes } from "./panes.ts";
import { runZellij, type Zellij } from "./zellij.ts";

type Direction = "left" | "right" | "up" | "down";

/** With several calls at a time Zellij loses one now and then, so it is looked at afterwards, and tried again. */
const ATTEMPTS = 3;

/**
 * Nothing happens where nobody is attached, or where the viewer is on a pane that is none of the army's. `mayGoOn` is
 * asked after the first step and before every further one; where it says no, the focus stays where it is by then, and
 * the answer is false.
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
    const focused = panes.filter((pane) => pane.tab === tab.name && pane.focused).map(({ name }) => name);
    const steps = stepsTo(tab, focused, role);
    if (steps.length === 0) return true;
    for (const direction of steps) {
      if (!(await mayGoOn())) return false;
      await runZellij(zellij, "--session", session, "action", "move-focus", direction);
    }
  }
  return true;
}

/** Pure. None where it cannot be told from which pane to count. */
export function stepsTo({ panes, split }: Tab, focused: readonly string[], role: Role): Direction[] {
  const [backward, forward]: [Direction, Direction] =
    split === "vertical" ? ["left", "right"] : ["up", "down"];
  const from = panes.findIndex((pane) => pane.role === focused[0]);
  const to = panes.findIndex((pane) => pane.role === role);
  if (focused.length !== 1 || from < 0 || to < 0) return [];
  return Array.from({ length: Math.abs(to - from) }, () => (to > from ? forward : backward));
}

/** Zellij prints the tab's number if there was somebody to bring there, and otherwise nothing. */
async function goToTab(zellij: Zellij, session: string, name: Tab["name"]): Promise<boolean> {
  const run = await runZellij(zellij, "--session", session, "action", "go-to-tab-name", name);
  return run.code === 0 && /^\d+\s*$/.test(run.stdout);
}

/** The panes that attached clients are in, one each. */
export async function clientPanes(zellij: Zellij, session: string): Promise<number[]> {
  const { stdout } = await runZellij(zellij, "--session", session, "action", "list-clients");
  return Array.from(stdout.matchAll(/^\d+\s+terminal_(\d+)/gm), ([, id]) => Number(id));
}

/** To a pane that had the focus a moment ago. */
export async function returnFocus(zellij: Zellij, session: string, pane: number): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    await runZellij(zellij, "--session", session, "action", "focus-pane-id", `terminal_${pane}`);
    if ((await clientPanes(zellij, session)).includes(pane)) return;
  }
}
