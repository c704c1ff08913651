/** What sending a message says to the person. */

export interface SendTexts {
  stored(role: string, id: string): string;
  rung(role: string): string;
  begun(role: string): string;
  alreadyRung(role: string): string;
  taken(role: string): string;
  held(role: string, sentence: string): string;
  unanswered(role: string, attempts: number): string;
  noAgent(role: string): string;
  relayEnded(role: string): string;
  unknown(role: string): string;
  /** Mail to another machine. */
  away(role: string, machine: string): string;
  silent(role: string, machine: string, heard: string): string;
  notHeard(role: string): string;
  kept(role: string, since: string, waiting: number): string;
  /** The hub can be reached, but earlier mail to the same role waits. */
  keptBehind(role: string, waiting: number): string;
  writeHere: string;
}

export const SEND_TEXTS: SendTexts = {
  stored: (role, id) => `Stored for ${role} as ${id}.`,
  rung: (role) => `${role} has been rung.`,
  begun: (role) => `${role} has begun a turn.`,
  alreadyRung: (role) => `${role} was rung for earlier mail and has not read it yet.`,
  taken: (role) => `${role} has taken it out of its inbox.`,
  held: (role, sentence) => `${role} was not rung: ${sentence}.`,
  unanswered: (role, attempts) =>
    `${role} has been rung ${attempts === 1 ? "once" : `${attempts} times`} and has not answered; look at its pane.`,
  noAgent: (role) => `No agent is running for ${role}; the message waits in the inbox.`,
  relayEnded: (role) =>
    `${role}'s relay has ended, so mail does not wake it by itself. Restart it with ovld restart ${role}, or reconnect the relay with /mcp in its pane.`,
  unknown: (role) => `It is not known yet whether ${role} has been rung; the message waits in the inbox.`,
  away: (role, machine) => `${role} is on ${machine}, where its own relay rings it.`,
  silent: (role, machine, heard) =>
    `${role} is on ${machine}, which was last seen at ${heard}; the message waits at the hub.`,
  notHeard: (role) => `${role} has not been seen yet; the message waits at the hub.`,
  kept: (role, since, waiting) =>
    `Kept on this machine for ${role}: the hub has not confirmed it, and has been unreachable since ${since}. ${
      waiting === 1 ? "It" : `${waiting} messages are waiting, including this one. It`
    } will be delivered once the hub is back; do not send it again.`,
  keptBehind: (role, waiting) =>
    `Kept on this machine for ${role}: earlier mail to ${role} waits, perhaps because its inbox is full. ${waiting} messages are waiting, including this one. It will be delivered after them; do not send it again.`,
  writeHere: "Write your message. Ctrl-D on an empty line sends it, Ctrl-C cancels it.",
};
