/** The carrier of an army on one machine: its files. */
import { isRole, type Role } from "../army/roles.ts";
import type { Carrier } from "./carrier.ts";
import type { Mail } from "./mail.ts";

const LOOK_EVERY_MS = 2_000;

export function createFilesCarrier(mail: Mail, user: Role | "human"): Carrier {
  const closing = new AbortController();
  const own = (): Role => {
    if (isRole(user)) return user;
    throw new Error("the person has no inbox and no status");
  };
  return {
    deliver: async (draft) => ({ stored: mail.deliver(draft) }),
    async claim() {
      const { messages, remaining, handOver, settle, giveBack } = mail.claim(own());
      return {
        messages,
        remaining,
        handOver,
        settle: async () => settle(),
        giveBack: async () => giveBack(),
      };
    },
    countUnread: async (role) => mail.countUnread(role),
    status: async (role) => mail.status(role),
    setStatus: async (status, task) => mail.setStatus(own(), status, task),
    agentReport: async (role) => mail.agentReport(role),
    reportAgent: async (report) => mail.reportAgent(report),
    note: (event) => mail.note(event),
    async *journal(since) {
      const from = since?.getTime();
      for (const entry of mail.journal(from).next()) {
        if (from === undefined || Date.parse(entry.at) >= from) yield entry;
      }
    },
    watchJournal(onEntry) {
      const reader = mail.journal();
      // What is already there is not news.
      Array.from(reader.next());
      const watch = mail.watchJournal(
        () => {
          for (const entry of reader.next()) onEntry(entry);
        },
        { rescanMs: LOOK_EVERY_MS },
      );
      closing.signal.addEventListener("abort", () => watch.close());
    },
    announce: async () => {},
    machineOf: async () => undefined,
    watchInbox(onArrival) {
      const known = new Set(mail.unread(own(), { handedOut: true }));
      const look = (): void => {
        const fresh = mail.unread(own(), { handedOut: true }).filter((id) => !known.has(id));
        for (const id of fresh) known.add(id);
        for (const { from, priority } of mail.headers(own(), fresh)) onArrival({ from, priority });
      };
      const watch = mail.watchInbox(own(), look, { rescanMs: LOOK_EVERY_MS });
      closing.signal.addEventListener("abort", () => watch.close());
      return watch;
    },
    close: async () => closing.abort(),
  };
}
