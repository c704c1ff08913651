/** What sending a message says to the person. */

export const SEND_TEXTS = {
  stored: (role: string, id: string) => `Stored for ${role} as ${id}.`,
  rung: (role: string) => `${role} has been rung.`,
  begun: (role: string) => `${role} has begun a turn.`,
  alreadyRung: (role: string) => `${role} was rung for earlier mail and has not read it yet.`,
  taken: (role: string) => `${role} has taken it out of its inbox.`,
  held: (role: string, sentence: string) => `${role} was not rung: ${sentence}.`,
  unanswered: (role: string, attempts: number) =>
    `${role} has been rung ${attempts === 1 ? "once" : `${attempts} times`} and has not answered; look at its pane.`,
  noAgent: (role: string) => `No agent is running for ${role}; the message waits in the inbox.`,
  relayEnded: (role: string) =>
    `${role}'s relay has ended, so mail does not wake it by itself. Restart it with ovld restart ${role}, or reconnect the relay with /mcp in its pane.`,
  unknown: (role: string) =>
    `It is not known yet whether ${role} has been rung; the message waits in the inbox.`,
  /** Mail to another machine. */
  away: (role: string, machine: string) => `${role} is on ${machine}, where its own relay rings it.`,
  silent: (role: string, machine: string, heard: string) =>
    `${role} is on ${machine}, which was last seen at ${heard}; the message waits at the hub.`,
  notHeard: (role: string) => `${role} has not been seen yet; the message waits at the hub.`,
  kept: (role: string, since: string, waiting: number) =>
    `Kept on this machine for ${role}: the hub has not confirmed it, and has been unreachable since ${since}. ${
      waiting === 1 ? "It" : `${waiting} messages are waiting, including this one. It`
    } will be delivered once the hub is back; do not send it again.`,
  /** The hub can be reached, but earlier mail to the same role waits. */
  keptBehind: (role: string, waiting: number) =>
    `Kept on this machine for ${role}: earlier mail to ${role} waits, perhaps because its inbox is full. ${waiting} messages are waiting, including this one. It will be delivered after them; do not send it again.`,
  writeHere: "Write your message. Ctrl-D on an empty line sends it, Ctrl-C cancels it.",
};
