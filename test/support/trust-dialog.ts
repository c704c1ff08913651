/**
 * Answers the trust dialog of a Claude Code like a patient person: moves down to "Yes", and presses Enter once it
 * stays there.
 */
import type { Pane } from "./reach-pane.ts";
import { waitUntil } from "./wait-until.ts";

const DOWN = "\u001b[B";
const ENTER = "\r";
/** At first the dialog is redrawn with "No" selected again; on a busy machine that takes a while. */
const SETTLED_MS = 1_500;

export async function acceptTrust(pane: Pane): Promise<void> {
  const look = async (): Promise<string> => (await pane.screen()).replaceAll(/\s/g, "");
  const chosen = async (): Promise<"yes" | "no" | undefined> => {
    // Zellij sometimes returns an empty screen, which does not mean that the dialog is gone.
    const text = (await look()) || (await look());
    if (!text.includes("trustthisfolder")) return undefined;
    return text.includes("❯No,exit") ? "no" : "yes";
  };
  await waitUntil("the trust dialog is there", async () => (await chosen()) !== undefined);
  let since = Date.now();
  for (let now = await chosen(); now !== undefined; now = await chosen()) {
    if (now === "no") {
      await pane.type(DOWN);
      since = Date.now();
    } else if (Date.now() - since > SETTLED_MS) {
      await pane.type(ENTER);
      since = Date.now();
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
