/** Checks whether the key that opens the status in an army's session is free. */
import type { Finding } from "../agent/agent-program.ts";
import { NO_KEY } from "../config/config-file.ts";
import type { Settings } from "../config/settings.ts";
import { chooseKey } from "../zellij/status-key.ts";
import type { Zellij } from "../zellij/zellij.ts";

export async function checkDeskKey(zellij: Zellij, { desk: { key } }: Settings): Promise<Finding[]> {
  if (key === NO_KEY) return [];
  const choice = await chooseKey(zellij, key);
  switch (choice.is) {
    case "free":
      return [{ verdict: "good", code: "desk-key", facts: { key } }];
    case "taken":
      return [{ verdict: "note", code: "desk-key-taken", facts: { key, by: choice.by ?? "Zellij" } }];
    case "unknown":
      return [{ verdict: "note", code: "desk-key-unknown", facts: { key, why: choice.why } }];
  }
}
