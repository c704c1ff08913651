/** What the person and the army have written to each other, in order, and the composer. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Role } from "../../army/roles.ts";
import { formatOutcome } from "../../person/format-outcome.ts";
import { cleanForScreen } from "../../system/clean-text.ts";
import { clockOf, dayOf } from "../../view/format-entry.ts";
import type { LetterView } from "../army-feed.ts";
import { ProseView } from "./answer/action-view.tsx";
import { Mark, RoleName } from "./marks.tsx";
import { Button, RoleChoice, submits, TextBox, usePage } from "./page-parts.tsx";

interface LettersProps {
  letters: readonly LetterView[];
  /** Undefined if nobody reads what the person writes. */
  onReply: ((role: Role, subject: string) => void) | undefined;
}

export function Letters({ letters, onReply }: LettersProps) {
  const { words, calls } = usePage();
  const list = useRef<HTMLOListElement>(null);
  const isAtEnd = useRef(true);
  const messages = joinMessages(letters);
  const read = (id: string): void => void calls.post("read", { ids: [id] });
  useEffect(() => {
    // Somebody who reads further up is not moved.
    const toEnd = (): void => {
      if (isAtEnd.current) list.current?.scrollTo({ top: list.current.scrollHeight });
    };
    const keep = new ResizeObserver(toEnd);
    if (list.current) keep.observe(list.current);
    return () => keep.disconnect();
  }, [messages.at(-1)?.id]);
  return (
    <section aria-labelledby="letters" class="letters">
      <h2 id="letters">{words.letters}</h2>
      {messages.length === 0 && (
        <div class="quiet first-visit">
          {words.firstVisit.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
      )}
      <ol
        ref={list}
        tabIndex={0}
        aria-label={words.letters}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) =>
          (isAtEnd.current = scrollHeight - scrollTop - clientHeight < 30)
        }
      >
        {messages.map((message) => (
          <MessageView key={message.id} message={message} onReply={onReply} onSeen={read} />
        ))}
      </ol>
    </section>
  );
}

interface JoinedMessage extends Omit<LetterView, "to"> {
  to: LetterView["to"][];
}

const TOGETHER_MS = 5_000;

/** What was sent to several roles at once is shown once. */
function joinMessages(letters: readonly LetterView[]): JoinedMessage[] {
  const joined: JoinedMessage[] = [];
  for (const { to, ...message } of letters) {
    const last = joined.at(-1);
    const isSame =
      message.from === "human" &&
      last?.from === message.from &&
      last.subject === message.subject &&
      last.body === message.body;
    if (last && isSame && Date.parse(message.at) - Date.parse(last.at) < TOGETHER_MS) {
      last.to.push(to);
      last.isUnread ||= message.isUnread;
    } else joined.push({ ...message, to: [to] });
  }
  return joined;
}

interface MessageViewProps {
  message: JoinedMessage;
  onReply: LettersProps["onReply"];
  /** Called when the person can see it for the first time. */
  onSeen: (id: string) => void;
}

function MessageView({ message, onReply, onSeen }: MessageViewProps) {
  const { texts, words, now, onAside } = usePage();
  const { id, at, from, to, subject, body, isCut, isUnread, priority } = message;
  const moment = new Date(at);
  const isToday = dayOf(moment) === dayOf(new Date(now));
  const isMine = from === "human";
  const item = useRef<HTMLLIElement>(null);
  const isNews = !isMine && isUnread && onReply !== undefined;
  useEffect(() => {
    const look = new IntersectionObserver((seen) => {
      if (!document.hidden && seen.some(({ isIntersecting }) => isIntersecting)) onSeen(id);
    });
    if (isNews && item.current) look.observe(item.current);
    return () => look.disconnect();
  }, [id, isNews, document.hidden]);
  return (
    <li ref={item} class={isMine ? "mine" : undefined} data-letter={id}>
      <p class="from">
        <RoleName role={from} />
        {isMine && (
          <>
            →{" "}
            {to.map((role) => (
              <RoleName key={role} role={role} />
            ))}
          </>
        )}
        <time dateTime={at}>{isToday ? clockOf(moment) : `${dayOf(moment)} ${clockOf(moment)}`}</time>
        {priority === "urgent" && <strong>{texts.log.urgent}</strong>}
        {isMine && isUnread && (
          <span class="state">
            <Mark is="idle" /> {texts.log.words.stored}
          </span>
        )}
        <span class="acts">
          {isCut && <Button class="quiet" label={words.readAll} onClick={() => onAside({ message: id })} />}
          {!isMine && from !== "ovld" && onReply && (
            <Button class="quiet" label={words.reply} onClick={() => onReply(from, subject)} />
          )}
        </span>
      </p>
      {!body.startsWith(subject.replace(/…$/, "")) && <p class="subject">{cleanForScreen(subject)}</p>}
      <ProseView text={body} />
    </li>
  );
}

/** To whom the person writes, and the subject of what they answer. */
export interface Address {
  to: Role | "all";
  about?: string | undefined;
}

interface ComposerProps {
  address: Address;
  onAddress: (address: Address) => void;
}

/** Writes to a role or to all, and says what became of it. */
export function Composer({ address: { to, about }, onAddress }: ComposerProps) {
  const { texts, words, calls } = usePage();
  const [body, setBody] = useState("");
  const [isUrgent, setUrgent] = useState(false);
  const [said, setSaid] = useState<string[]>([]);
  const [isSending, setSending] = useState(false);
  const send = async (): Promise<void> => {
    setSending(true);
    setSaid([words.sending]);
    const answer = await calls.post("send", { to, about, body, priority: isUrgent ? "urgent" : "normal" });
    setSending(false);
    if ("problem" in answer) return setSaid([words.failed(answer.problem)]);
    setSaid(answer.value.map((sent) => formatOutcome(texts, sent.to, sent.outcome)));
    setBody("");
    setUrgent(false);
    onAddress({ to });
  };
  return (
    <form class={body === "" ? "composer" : "composer begun"} onSubmit={submits(() => void send())}>
      <div role="status">
        {said.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
      {about !== undefined && (
        <p class="about">
          {words.answers} <bdi>{cleanForScreen(about)}</bdi>{" "}
          <Button class="quiet" label={words.cancel} onClick={() => onAddress({ to })} />
        </p>
      )}
      <TextBox
        id="message"
        label={words.message}
        rows={2}
        value={body}
        placeholder={words.writeTo(to === "all" ? words.everyone : to)}
        onText={(text) => {
          setBody(text);
          if (text !== "") setSaid([]);
        }}
      />
      <div class="controls">
        <RoleChoice
          label={words.to}
          all={words.everyone}
          role={to}
          onChoose={(chosen) => onAddress({ to: chosen })}
        />
        <label class="option">
          <input
            type="checkbox"
            checked={isUrgent}
            onChange={(event) => setUrgent(event.currentTarget.checked)}
          />{" "}
          {words.urgent}
        </label>
        <Button type="submit" class="main" disabled={isSending || body.trim() === ""} label={words.send} />
      </div>
    </form>
  );
}
