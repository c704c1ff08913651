/** Finds the panes of a session by the names that the layout gave them. */
import type { PaneTrouble } from "../army/words.ts";
import * as z from "zod/mini";
import type { Role } from "../army/roles.ts";
import { OvldError } from "../system/ovld-error.ts";
import { parseJson } from "../system/json.ts";
import { pause, waitUntil, watchMovement } from "../system/async.ts";
import { serverState } from "./session-record.ts";
import { runZellij, type Zellij } from "./zellij.ts";

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

export interface Pane {
  id: number;
  name: string;
  tab: string;
  /** The tab's position in the session, from 1. */
  tabNumber: number;
  /** Its program has ended; typing there would start it again. */
  ended: boolean;
  isFloating: boolean;
  /** What it was told to run; empty for a shell. */
  command: string;
  /** Whether the pane has the focus in its tab, so that a person's keys go there. */
  focused: boolean;
  /** The cursor's row on its screen, from 0; undefined if it shows no cursor. */
  cursorRow: number | undefined;
}

const ATTEMPTS = 5;

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

/**
 * Every pane of a session. With several calls at the same time Zellij sometimes answers with nothing, or that there
 * is no such session; such an answer counts only after it has come several times in a row.
 */
export async function findPanes(
  zellij: Zellij,
  session: string,
): Promise<Pane[] | "session-gone" | "zellij-failed"> {
  let panes: Awaited<ReturnType<typeof listPanes>>;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    panes = await listPanes(zellij, session);
    if (Array.isArray(panes)) return panes;
    await pause(100, zellij.stop);
  }
  return panes ?? "zellij-failed";
}

const NO_SESSION = /not found|no active session/i;

/** Undefined if the session does not answer yet, because it may still be starting. */
export async function listPanes(
  zellij: Zellij,
  session: string,
): Promise<Pane[] | "session-gone" | undefined> {
  const run = await runZellij(zellij, "--session", session, "action", "list-panes", "--json");
  if (NO_SESSION.test(run.stderr)) return "session-gone";
  if (run.code !== 0 || run.stdout.trim() === "") return undefined;
  const parsed = paneList.safeParse(parseJson(run.stdout));
  if (!parsed.success) return undefined;
  return parsed.data
    .filter(({ is_plugin: isPlugin }) => !isPlugin)
    .map((pane) => ({
      id: pane.id,
      name: pane.title,
      tab: pane.tab_name,
      tabNumber: pane.tab_position + 1,
      ended: pane.exited || pane.is_held,
      isFloating: pane.is_floating ?? false,
      command: pane.terminal_command ?? "",
      focused: pane.is_focused,
      cursorRow: cursorRowOf(pane),
    }));
}

/** Zellij counts from the frame around the pane, if there is one. */
function cursorRowOf(pane: z.infer<typeof paneList>[number]): number | undefined {
  const [, row] = pane.cursor_coordinates_in_pane ?? [];
  return row === undefined ? undefined : row - (pane.pane_content_y - pane.pane_y);
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
  const { stoodStill, close } = watchMovement(() => panes?.length ?? -1, 20_000);
  try {
    for (;;) {
      stop.throwIfAborted();
      const found = await listPanes(zellij, session).catch(toUndefined);
      if (Array.isArray(found)) panes = found;
      if (panes && missingRoles(panes, roles).length === 0) return panes;
      const isOver = found === "session-gone" && serverState(zellij) === "dead";
      if (stoodStill.aborted || isOver) {
        const said = `no pane for ${missingRoles(panes ?? [], roles).join(", ")}`;
        throw new OvldError({ code: "zellij-refused", facts: { command: "list-panes", said } });
      }
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

function missingRoles(panes: Pane[], roles: readonly Role[]): Role[] {
  return roles.filter((role) => !panes.some(({ name }) => name === role));
}
