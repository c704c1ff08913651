/** How soon an agent and its mail are looked at again, where nothing that happens says so. Pure, but for the time. */
import type { AgentView } from "./agent-watch.ts";

/** While mail waits, or nobody knows how the agent is, the registry and the clock are looked at this often. */
const WHILE_MAIL_WAITS_MS = 200;
/** That a turn was interrupted or a question answered only the registry tells. */
const WHILE_AT_WORK_MS = 250;
const WHILE_REGISTRY_LAGS_MS = 25;
/** Longer than the registry ever was behind the hooks: from then on nobody knows how the agent is. */
const LONGEST_LAG_MS = 1_000;

/** Undefined where the next event, or the rescan of the inbox, is soon enough. */
export function nextLookAfter(view: AgentView, isExpectant: boolean, isLagging: boolean): number | undefined {
  if (isLagging) return WHILE_REGISTRY_LAGS_MS;
  if (isExpectant) return WHILE_MAIL_WAITS_MS;
  if (view.silent) return undefined;
  if (view.state === "unknown") return WHILE_MAIL_WAITS_MS;
  return view.state === "busy" || view.state === "asking" ? WHILE_AT_WORK_MS : undefined;
}

/** After each change the registry is a moment behind the hooks. Until it has caught up nothing is decided or told. */
export function watchLag(now: () => number): (view: AgentView) => boolean {
  let since: number | undefined;
  return ({ state, silent }) => {
    since = state === "unknown" && !silent ? (since ?? now()) : undefined;
    return since !== undefined && now() - since < LONGEST_LAG_MS;
  };
}
