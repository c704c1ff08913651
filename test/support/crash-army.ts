/** Ends an army like a power cut: all its processes by SIGKILL, without any cleanup. */
import { openMail } from "../../src/mail/mail.ts";
import { isProcessAlive } from "../../src/system/process.ts";
import { ROLES } from "../../src/army/roles.ts";
import { waitUntil } from "./wait-until.ts";
import type { ZellijWorld } from "./zellij.ts";

export async function crashArmy(world: ZellijWorld, session?: string): Promise<void> {
  const living = (): string[] =>
    openMail(world.relayDir(session))
      .presences()
      .filter(({ relay }) => isProcessAlive(relay))
      .flatMap(({ relay, agent = relay }) => [agent, relay]);
  await waitUntil("all six are there", () => living().length === 2 * ROLES.length);
  const identities = living();
  for (const pid of [...identities.map((each) => Number.parseInt(each, 10)), world.server(session)]) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // A relay ends with its agent.
    }
  }
  await waitUntil("nobody lives", () => !identities.some((each) => isProcessAlive(each)));
}
