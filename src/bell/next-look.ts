/** How soon to look at an agent and its mail again if no event asks for it. Pure, except that the lag is timed. */
import type { AgentView } from "./agent-watch.ts";
import { LONGEST_LAG_MS } from "./timings.ts";

/** While mail waits or the agent's state is unknown, the registry and the clock are checked this often. */
const WHILE_MAIL_WAITS_MS = 200;
/** Only the registry shows that a turn was interrupted or a question answered. */
const WHILE_AT_WORK_MS = 250;
const WHILE_REGISTRY_LAGS_MS = 25;

/** Undefined if the next event, or the regular rescan of the inbox, is soon enough. */
export function nextLookAfter(view: AgentView, isExpectant: boolean, isLagging: boolean): number | undefined {
  if (isLagging) return WHILE_REGISTRY_LAGS_MS;
  if (isExpectant) return WHILE_MAIL_WAITS_MS;
  if (view.silent) return undefined;
  if (view.state === "unknown") return WHILE_MAIL_WAITS_MS;
  return view.state === "busy" || view.state === "asking" ? WHILE_AT_WORK_MS : undefined;
}

/**
 * After each change, the registry lags briefly behind the hooks. Nothing is decided or reported until it catches up.
 */
export function watchLag(now: () => number): (view: AgentView) => boolean {
  let since: number | undefined;
  return ({ state, silent }) => {
    since = state === "unknown" && !silent ? (since ?? now()) : undefined;
    return since !== undefined && now() - since < LONGEST_LAG_MS;
  };
}
