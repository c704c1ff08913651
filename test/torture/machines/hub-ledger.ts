/** Records what senders were told and what the reader was given, and finds every broken promise. */
import { openHubHistory } from "./hub-history.ts";

export interface HubReport {
  seed: number;
  rounds: number;
  stored: number;
  kept: number;
  refused: number;
  /** Why messages were refused. */
  reasons: string[];
  read: number;
  redelivered: number;
  incidents: Record<string, number>;
  breaches: string[];
  /** For each breach of the order, what happened at that time. */
  story: string[];
}

interface Line {
  begun?: number;
  answered?: string;
  how?: "stored" | "kept";
  id?: string;
  refused?: string;
  why?: string;
  claimed?: { id: string; body: string }[];
  read?: { id: string; body: string; redelivered: boolean }[];
}

export function openHubLedger() {
  const answered = new Set<string>();
  const seen = new Set<string>();
  /** In the order in which they were first read. */
  const firstSeen: string[] = [];
  const nextNumbers = new Map<string, number>();
  const incidents: Record<string, number> = {};
  const breaches: string[] = [];
  const reasons = new Set<string>();
  const history = openHubHistory();
  const counts = { stored: 0, kept: 0, refused: 0, read: 0, redelivered: 0 };
  return {
    count: (what: string): void => {
      incidents[what] = (incidents[what] ?? 0) + 1;
      history.add(what);
    },
    /** The first number that this sender has not used. */
    next: (user: string) => nextNumbers.get(user) ?? 0,
    /** How many answered messages have not been read. */
    missing: () => [...answered].filter((body) => !seen.has(body)).length,
    hear(user: string, text: string) {
      const line: Line = JSON.parse(text);
      if (line.begun !== undefined) nextNumbers.set(user, line.begun + 1);
      if (line.answered !== undefined && line.how !== undefined) {
        answered.add(line.answered);
        counts[line.how] += 1;
        history.add(`${line.answered} ${line.how} ${line.id ?? ""}`, [line.answered]);
      }
      if (line.refused !== undefined) {
        counts.refused += 1;
        reasons.add(line.why ?? "");
      }
      for (const { id, body } of line.claimed ?? [])
        history.add(`${body} taken from the hub as ${id}`, [body]);
      for (const { id, body, redelivered } of line.read ?? []) {
        counts.read += 1;
        counts.redelivered += redelivered ? 1 : 0;
        history.add(`${body} read as ${id}${redelivered ? ", marked" : ""}`, [body]);
        if (seen.has(body) && !redelivered) breaches.push(`${body} was read twice and not marked`);
        if (!seen.has(body)) firstSeen.push(body);
        seen.add(body);
      }
    },
    close() {
      for (const body of answered) if (!seen.has(body)) breaches.push(`${body} was answered and never read`);
      const lastOf = new Map<string, string>();
      const story: string[] = [];
      // Only what was answered has a promised order: a killed sender's last message may still be on its way.
      for (const body of firstSeen.filter((each) => answered.has(each))) {
        const [user = "", number = ""] = body.split(":");
        const before = lastOf.get(user);
        if (before !== undefined && Number(number) < Number(before.split(":")[1])) {
          breaches.push(`${body} was read after ${before}`);
          story.push(...history.about([body, before]));
        }
        lastOf.set(user, body);
      }
      return { ...counts, reasons: [...reasons], incidents, breaches, story };
    },
  };
}
