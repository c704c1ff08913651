/**
 * Takes back a trigger that appears in the composer late: the agent hung when it was typed and has since received its
 * mail by another way. Nothing else looks at that composer any more, and the trigger would end up in front of the
 * person's next words.
 */
import { takeBackUnconfirmed } from "../agent/submit-prompt.ts";
import { findPane } from "../zellij/panes.ts";
import { typistAt } from "../zellij/typing.ts";
import type { Keyboard } from "./ring-by-typing.ts";
import { SWEEP_COMPOSER_EVERY_MS } from "./timings.ts";

export function sweepComposer(keyboard: Omit<Keyboard, "hasBegun">): { close: () => void } {
  let atWork = false;
  const timer = setInterval(() => {
    if (atWork || keyboard.memory.unconfirmed === undefined) return;
    atWork = true;
    sweepOnce(keyboard)
      // The session is gone, or another ovld process is typing there: the next look will find out.
      .catch(() => {})
      .finally(() => (atWork = false));
  }, SWEEP_COMPOSER_EVERY_MS);
  timer.unref();
  return { close: () => clearInterval(timer) };
}

function sweepOnce({
  zellij,
  session,
  role,
  pane,
  agentScreen,
  memory,
  whyNot,
  alone,
}: Omit<Keyboard, "hasBegun">): Promise<void> {
  return alone(async () => {
    const found = await findPane(zellij, session, role, pane);
    if (typeof found === "string") return;
    const { write, screen } = typistAt(zellij, session, found);
    await takeBackUnconfirmed({ write, screen, agentScreen, whyNot, memory });
  });
}
