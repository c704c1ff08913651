/**
 * The panes of a session: finds them by the names that the layout gave them, types into one, reads what it shows, and
 * moves the focus.
 */
import * as z from "zod/mini";
import { FORMATION, type Tab } from "../army/formation.ts";
import type { Role } from "../army/roles.ts";
import type { PaneTrouble } from "../army/words.ts";
import { OvldError } from "../system/ovld-error.ts";
import { parseJson } from "../system/json.ts";
import { pause, waitUntil, watchMovement } from "../system/async.ts";
import { serverState } from "./session-record.ts";
import { askAgain, refused, runAction, saidBy, type Zellij } from "./zellij.ts";

const paneList = z.array(
  z.object({
    id: z.int(),
    is_plugin: z.boolean(),
    is_focused: z.boolean(),
    is_floating: z.optional(z.boolean()),
    terminal_command: z.nullish(z.string()),
    title: z.string(),
    tab_name: z.string(),
    tab_position: z.int(),
    exited: z.boolean(),
    is_held: z.boolean(),
    pane_y: z.int(),
    pane_content_y: z.int(),
    cursor_coordinates_in_pane: z.nullable(z.tuple([z.int(), z.int()])),
  }),
);

export type Pane = ReturnType<typeof describePane>;

function describePane(pane: z.infer<typeof paneList>[number]) {
  const [, row] = pane.cursor_coordinates_in_pane ?? [];
  return {
    id: pane.id,
    name: pane.title,
    tab: pane.tab_name,
    /** The tab's position in the session, from 1. */
    tabNumber: pane.tab_position + 1,
    /** Its program has ended; typing there would start it again. */
    ended: pane.exited || pane.is_held,
    isFloating: pane.is_floating ?? false,
    /** What it was told to run; empty for a shell. */
    command: pane.terminal_command ?? "",
    /** Whether the pane has the focus in its tab, so that a person's keys go there. */
    focused: pane.is_focused,
    /**
     * The cursor's row on its screen, from 0; undefined if it shows no cursor. Zellij counts from the frame around the
     * pane, if there is one.
     */
    cursorRow: row === undefined ? undefined : row - (pane.pane_content_y - pane.pane_y),
  };
}

/**
 * The living pane of a role. If the agent's own relay has reported the number of its pane, that number counts,
 * whatever a person has called the pane since. Otherwise it is the only pane with the role's name; nothing is typed
 * into any other pane of that name.
 */
export async function findPane(
  zellij: Zellij,
  session: string,
  role: Role,
  id: number | undefined,
): Promise<Pane | PaneTrouble> {
  const panes = await findPanes(zellij, session);
  if (typeof panes === "string") return panes;
  const [pane, another] = panes.filter((each) => (id === undefined ? each.name === role : each.id === id));
  if (pane === undefined) return "no-pane";
  if (another !== undefined) return "two-panes";
  return pane.ended ? "pane-ended" : pane;
}

export async function findPanes(
  zellij: Zellij,
  session: string,
): Promise<Pane[] | "session-gone" | "zellij-failed"> {
  const often = { attempts: 5, everyMs: 100, stop: zellij.stop };
  return (await askAgain(() => listPanes(zellij, session), Array.isArray, often)) ?? "zellij-failed";
}

const NO_SESSION = /not found|no active session/i;

/** Undefined if the session does not answer yet, because it may still be starting. */
export async function listPanes(
  zellij: Zellij,
  session: string,
): Promise<Pane[] | "session-gone" | undefined> {
  const run = await runAction(zellij, session, "list-panes", "--json");
  if (NO_SESSION.test(run.stderr)) return "session-gone";
  const parsed = paneList.safeParse(run.code === 0 ? parseJson(run.stdout) : undefined);
  return parsed.data?.filter(({ is_plugin: isPlugin }) => !isPlugin).map(describePane);
}

const LOOK_EVERY_MS = 200;

/** Waits until each of these roles has its pane, as long as more panes keep appearing. */
export async function waitForPanes(
  zellij: Zellij,
  session: string,
  roles: readonly Role[],
  stop: AbortSignal,
): Promise<Pane[]> {
  let panes: Pane[] | undefined;
  const missing = (): Role[] => roles.filter((role) => !panes?.some(({ name }) => name === role));
  const { stoodStill, close } = watchMovement(() => panes?.length ?? -1, 20_000);
  try {
    for (;;) {
      stop.throwIfAborted();
      const found = await listPanes(zellij, session).catch(toUndefined);
      if (Array.isArray(found)) panes = found;
      if (panes && missing().length === 0) return panes;
      const isOver = found === "session-gone" && serverState(zellij) === "dead";
      if (stoodStill.aborted || isOver) throw refused("list-panes", `no pane for ${missing().join(", ")}`);
      await pause(LOOK_EVERY_MS, stop);
    }
  } finally {
    close();
  }
}

/** If Zellij does not answer in time, the next call may succeed. */
function toUndefined(error: unknown): undefined {
  if (!(error instanceof OvldError)) throw error;
}

/** Waits until there is any pane, or until `stop` is aborted. */
export async function waitForAnyPane(zellij: Zellij, session: string, stop: AbortSignal): Promise<void> {
  const hasPane = async (): Promise<boolean> => {
    const panes = await listPanes(zellij, session).catch(() => undefined);
    return Array.isArray(panes) && panes.length > 0;
  };
  await waitUntil(hasPane, { everyMs: LOOK_EVERY_MS, stop });
}

/** Zellij sometimes says this about a session that is alive. Then nothing has reached the pane, and it may be tried again. */
const NOT_REACHED = /no active session|session '.*' not found/i;

/**
 * Types into one pane by its id, so that the text arrives there wherever the focus is, and reads what the pane shows.
 *
 * Zellij reports no error if a pane is gone, so callers look the pane up before typing and look at its screen
 * afterwards.
 */
export function typistAt(zellij: Zellij, session: string, { id }: Pick<Pane, "id">) {
  const act = async (action: string, ...words: string[]): Promise<string> => {
    const ask = () => runAction(zellij, session, action, "--pane-id", `terminal_${id}`, ...words);
    const run = await askAgain(ask, (each) => each.code === 0 || !NOT_REACHED.test(saidBy(each)));
    if (run.code !== 0) throw refused(action, saidBy(run));
    return run.stdout;
  };
  return {
    /** Writes the keys in one piece, so that nothing a person types comes in between. */
    write: async (keys: string): Promise<void> => void (await act("write-chars", "--", keys)),
    /** The lines of the screen, from top to bottom; with the pane's colours, as a terminal gets them, if wanted. */
    screen: async (look: "plain" | "coloured" = "plain"): Promise<string[]> => {
      const colours = look === "coloured" ? ["--ansi"] : [];
      // Zellij sometimes returns an empty screen although the pane shows something.
      const shown = await askAgain(
        () => act("dump-screen", ...colours),
        (text) => text.trim() !== "",
      );
      return shown.split("\n").map((line) => line.trimEnd());
    },
  };
}

type Direction = "left" | "right" | "up" | "down";

/**
 * Moves the focus to a role's pane so that the person sees it: to its tab by name, then from pane to pane. Within a tab
 * the focus is where the person left it, so the steps are counted from there.
 *
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
  const step = async (): Promise<"there" | "stopped" | "not yet"> => {
    if (tab === undefined) return "there";
    const { code, stdout } = await runAction(zellij, session, "go-to-tab-name", tab.name);
    if (!(await mayGoOn())) return "stopped";
    // Zellij prints the tab's number if a client moved there, and otherwise nothing.
    if (code !== 0 || !/^\d+\s*$/.test(stdout)) return "not yet";
    const panes = await findPanes(zellij, session);
    if (typeof panes === "string") return "there";
    // A floating pane keeps its focus even while it is hidden.
    const tiled = panes.filter((pane) => pane.tab === tab.name && !pane.isFloating);
    const focused = tiled.filter((pane) => pane.focused).map(({ name }) => name);
    const steps = stepsTo(tab, focused, role);
    for (const direction of steps) {
      if (!(await mayGoOn())) return "stopped";
      await runAction(zellij, session, "move-focus", direction);
    }
    return steps.length === 0 ? "there" : "not yet";
  };
  return (await askAgain(step, (result) => result !== "not yet", { everyMs: 0 })) !== "stopped";
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

/** The panes that attached clients are in, one per client, as Zellij names them. */
export async function listClients(zellij: Zellij, session: string): Promise<string[]> {
  const ask = () => runAction(zellij, session, "list-clients");
  // The heading is printed even if nobody is attached.
  const { stdout } = await askAgain(ask, (run) => run.stdout.trim() !== "", { everyMs: 0 });
  return Array.from(stdout.matchAll(/^\d+\s+(\w+)/gm), ([, pane = ""]) => pane);
}

/** The numbers of the panes that attached clients are in. */
export async function clientPanes(zellij: Zellij, session: string): Promise<number[]> {
  const panes = await listClients(zellij, session);
  return panes
    .filter((pane) => pane.startsWith("terminal_"))
    .map((pane) => Number(pane.slice("terminal_".length)));
}

/**
 * Moves the focus to a pane, in the client in which the last key was pressed. False if nobody is there afterwards. Used
 * with a pane that had the focus a moment ago, it returns the focus.
 */
export async function focusPaneById(zellij: Zellij, session: string, pane: number): Promise<boolean> {
  const move = async (): Promise<boolean> => {
    await runAction(zellij, session, "focus-pane-id", `terminal_${pane}`);
    return (await clientPanes(zellij, session)).includes(pane);
  };
  return askAgain(move, (isThere) => isThere, { everyMs: 0 });
}
