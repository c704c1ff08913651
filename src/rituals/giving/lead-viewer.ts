/**
 * Moves the view of attached people to the pane of the next role, but never while somebody types: the letters would
 * land in the wrong pane.
 *
 * Nobody is typing if all composers of the army are empty and the panes in view have not changed for a while. The
 * panes in view are checked last, right before the first step, then after every step and for a moment after the last.
 * If something has appeared there in the meantime, the focus returns at once, before the person presses the next key.
 */
import type { AgentScreen } from "../../agent/agent-link.ts";
import { isRole, type Role } from "../../army/roles.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { pause } from "../../system/async.ts";
import { clientPanes, focusPane, focusPaneById } from "../../zellij/focus.ts";
import { findPanes } from "../../zellij/panes.ts";
import { typistAt } from "../../zellij/typing.ts";
import type { Zellij } from "../../zellij/zellij.ts";

export interface Viewer {
  /** Call it a while after the first look; does nothing if somebody types or nobody is attached. */
  leadTo(role: Role): Promise<void>;
}

/** The session that people may be attached to. */
interface Watched {
  zellij: Zellij;
  session: string;
  agentScreen: AgentScreen;
}

export async function watchViewer(watched: Watched): Promise<Viewer> {
  const before = await unlessRefused(() => lookAtViewers(watched));
  return {
    leadTo: async (role) => {
      await unlessRefused(async () => {
        if (before === undefined || before.length === 0) return;
        if (await isAnybodyAtWork(watched, before)) return;
        const now = await lookAtViewers(watched);
        if (isSame(before, now)) await moveFocus(watched, role, now);
      });
    },
  };
}

/** A letter is drawn some time after its key was pressed. */
const LOOKS_AFTERWARDS = 5;
const LOOK_AT_VIEWER_EVERY_MS = 40;

async function moveFocus(watched: Watched, role: Role, left: readonly Sight[]): Promise<void> {
  const { zellij, session } = watched;
  let changed: Sight | undefined;
  const isCalm = async (): Promise<boolean> => {
    const now = await lookAt(watched, left);
    changed = now.find(({ written }, index) => left[index]?.written !== written);
    return changed === undefined;
  };
  let goesOn = await focusPane(zellij, session, role, isCalm);
  for (let look = 1; look <= LOOKS_AFTERWARDS && goesOn; look += 1) {
    goesOn = await isCalm();
    await pause(goesOn ? LOOK_AT_VIEWER_EVERY_MS : 0);
  }
  if (changed) await focusPaneById(zellij, session, changed.pane);
}

interface Sight {
  pane: number;
  /** The text of the composer; the whole screen if there is no composer, because then a key may appear anywhere. */
  written: string;
}

async function lookAtViewers(watched: Watched): Promise<Sight[]> {
  const panes = await clientPanes(watched.zellij, watched.session);
  return lookAt(
    watched,
    panes.map((pane) => ({ pane })),
  );
}

async function lookAt(
  { zellij, session, agentScreen }: Watched,
  panes: readonly Pick<Sight, "pane">[],
): Promise<Sight[]> {
  const sights: Sight[] = [];
  for (const { pane } of panes) {
    const lines = await typistAt(zellij, session, { id: pane }).screen();
    sights.push({ pane, written: agentScreen.readComposer(lines) ?? lines.join("\n") });
  }
  return sights;
}

function isSame(before: readonly Sight[], now: readonly Sight[]): boolean {
  return (
    before.length === now.length &&
    before.every(({ pane, written }, index) => now[index]?.pane === pane && now[index]?.written === written)
  );
}

/** Somebody has written something, or has opened a floating pane, where they may be about to press a key. */
async function isAnybodyAtWork(
  { zellij, session, agentScreen }: Watched,
  viewed: readonly Pick<Sight, "pane">[],
): Promise<boolean> {
  const panes = await findPanes(zellij, session);
  if (typeof panes === "string") return true;
  if (panes.some(({ id, isFloating }) => isFloating && viewed.some(({ pane }) => pane === id))) return true;
  for (const pane of panes.filter(({ name }) => isRole(name))) {
    if (agentScreen.readComposer(await typistAt(zellij, session, pane).screen())) return true;
  }
  return false;
}

/** The focus matters less than the ritual: if Zellij does not answer, the focus stays where it is. */
async function unlessRefused<Result>(action: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof OvldError) return undefined;
    throw error;
  }
}
