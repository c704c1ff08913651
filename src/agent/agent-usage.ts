/** What an agent has used so far in a conversation, or in all of them, its subagents included. */
export interface AgentUsage {
  /** Tokens that the model read anew, read from its cache, and wrote. */
  input: number;
  cached: number;
  output: number;
  turns: number;
  /** Turns that a bell began and in which there was no mail. */
  emptyWakes: number;
  /** The latest turns, oldest first. `until` is null while a turn is not over. */
  latest: { from: string; until: string | null }[];
}

/** Reads on from where it stopped; each call reads only so much, and says whether there is more. */
export interface UsageReader {
  next: () => { usage: AgentUsage; isComplete: boolean };
}
