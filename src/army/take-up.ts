/** What ovld and the launchers that it writes for an army's agents agree on. */

/** The hidden command that a launcher calls before it starts an agent. */
export const TAKE_UP = "take-up";

/** Its exit code if the agent must not be started now, because a process has its conversation. */
export const CONVERSATION_IN_USE = 75;
