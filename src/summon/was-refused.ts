/** Whether a role's agent was not started, at that time or later, because another process had its conversation. */
import type { Role } from "../army/roles.ts";
import type { Mail } from "../mail/mail.ts";

export function wasRefused(mail: Pick<Mail, "journal">, role: Role, since: string): boolean {
  return [...mail.journal(Date.parse(since)).next()].some(
    (entry) =>
      entry.event === "conversation" &&
      entry.role === role &&
      entry.outcome === "in-use" &&
      entry.at >= since,
  );
}
