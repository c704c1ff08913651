/** The panes of a session, found by the names the layout gave them. */
import * as z from "zod/mini";
import { ROLES, type Role } from "../army/roles.ts";
import { OvldError } from "../system/ovld-error.ts";
import { runZellij, type Zellij } from "./zellij.ts";

const paneList = z.array(
  z.object({
    id: z.int(),
    is_plugin: z.boolean(),
    title: z.string(),
    tab_name: z.string(),
    exited: z.boolean(),
    is_held: z.boolean(),
  }),
);

export interface Pane {
  id: number;
  name: string;
  tab: string;
  /** Its program has ended; what is typed there now would start it again. */
  ended: boolean;
}

/** Undefined while the session does not answer yet: it may still be starting. */
async function listPanes(zellij: Zellij, session: string): Promise<Pane[] | undefined> {
  const run = await runZellij(zellij, "--session", session, "action", "list-panes", "--json");
  if (run.code !== 0 || run.stdout.trim() === "") return undefined;
  const parsed = paneList.safeParse(parseJson(run.stdout));
  if (!parsed.success) return undefined;
  return parsed.data
    .filter(({ is_plugin: isPlugin }) => !isPlugin)
    .map((pane) => ({
      id: pane.id,
      name: pane.title,
      tab: pane.tab_name,
      ended: pane.exited || pane.is_held,
    }));
}

const READY_WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 200;

/** Waits until every role has its pane. */
export async function waitForPanes(zellij: Zellij, session: string, stop: AbortSignal): Promise<Pane[]> {
  const until = Date.now() + READY_WITHIN_MS;
  for (;;) {
    stop.throwIfAborted();
    const panes = await listPanes(zellij, session);
    if (panes && missingRoles(panes).length === 0) return panes;
    if (Date.now() > until) {
      const said = `no pane for ${missingRoles(panes ?? []).join(", ")}`;
      throw new OvldError({ code: "zellij-refused", facts: { command: "list-panes", said } });
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

function missingRoles(panes: Pane[]): Role[] {
  return ROLES.filter((role) => !panes.some(({ name }) => name === role));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
