/** Writes to a role or to all, and says what became of it. */
import type { MessageOutcome } from "../../person/await-outcome.ts";
import { formatOutcome } from "../../person/format-outcome.ts";
import { useState } from "preact/hooks";
import { ROLES, type Role } from "../../army/roles.ts";
import type { DeskCalls } from "./call-desk.ts";
import { useTexts } from "./page-parts.tsx";

interface Sent {
  /** Null if the hub has not confirmed it yet. */
  id: string | null;
  to: Role;
  fate: MessageOutcome;
}

export function Write({ calls }: { calls: DeskCalls }) {
  const texts = useTexts();
  const [to, setTo] = useState<Role | "all">("overlord");
  const [subject, setSubject] = useState("");
  const [body, setBody] = useState("");
  const [isUrgent, setUrgent] = useState(false);
  const [said, setSaid] = useState<string[]>([]);
  const [isSending, setSending] = useState(false);
  const page = texts.desk.page;
  const send = async (): Promise<void> => {
    setSending(true);
    setSaid([page.sending]);
    const priority = isUrgent ? "urgent" : "normal";
    const answer = await calls.post<Sent[]>("send", { to, subject, body, priority });
    setSending(false);
    if ("problem" in answer) return setSaid([page.failed(answer.problem)]);
    setSaid(answer.value.map((sent) => formatOutcome(texts, sent.to, sent.fate)));
    setSubject("");
    setBody("");
    setUrgent(false);
  };
  return (
    <section aria-labelledby="write">
      <h2 id="write">{page.write}</h2>
      <form
        class="write"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <label>
          {page.to}{" "}
          <select
            value={to}
            onChange={(event) => setTo(ROLES.find((role) => role === event.currentTarget.value) ?? "all")}
          >
            {ROLES.map((role) => (
              <option key={role} value={role}>
                {role}
              </option>
            ))}
            <option value="all">{page.everyone}</option>
          </select>
        </label>
        <label class="option">
          <input
            type="checkbox"
            checked={isUrgent}
            onChange={(event) => setUrgent(event.currentTarget.checked)}
          />{" "}
          {page.urgent}
        </label>
        <label>
          {page.subject}
          <input
            type="text"
            maxLength={200}
            value={subject}
            onInput={(event) => setSubject(event.currentTarget.value)}
          />
        </label>
        <label>
          {page.message}
          <textarea rows={4} value={body} onInput={(event) => setBody(event.currentTarget.value)} />
        </label>
        <button type="submit" class="good" disabled={isSending || body.trim() === ""}>
          {page.send}
        </button>
        <div role="status">
          {said.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
      </form>
    </section>
  );
}
