/** The messages in the shown span of time, newest first: the picture in words; and the story of one of them. */
import { cleanForScreen } from "../../../system/clean-text.ts";
import { clockOf, formatEntry } from "../../../view/format-entry.ts";
import { RoleName } from "../marks.tsx";
import { ShownText, useAnswer, usePage } from "../page-parts.tsx";
import type { CampaignWindow } from "./draw-campaign.ts";
import { stageOf, type TimelineMessage } from "./timeline.ts";

interface MessageListProps {
  messages: readonly TimelineMessage[];
  window: CampaignWindow;
  open: string | undefined;
  onOpen: (id: string) => void;
}

const MOST_SHOWN = 50;

export function MessageList({ messages, window, open, onOpen }: MessageListProps) {
  const { texts, words } = usePage();
  const within = messages.filter(({ stored }) => stored >= window.from && stored <= window.until + 60_000);
  const shown = within.slice(-MOST_SHOWN).toReversed();
  if (shown.length === 0) return <p class="quiet">{words.nothingHere}</p>;
  return (
    <>
      <h3>{words.messages(within.length, shown.length)}</h3>
      <ol class="messages">
        {shown.map((message) => (
          <li key={message.id}>
            <button
              type="button"
              class="message-row"
              aria-pressed={open === message.id}
              data-message={message.id}
              onClick={() => onOpen(message.id)}
            >
              <time>{clockOf(new Date(message.stored))}</time> <RoleName role={message.from} /> →{" "}
              <RoleName role={message.to} />{" "}
              {message.priority === "urgent" && <strong>[{texts.log.urgent}]</strong>}{" "}
              <bdi>{cleanForScreen(message.subject)}</bdi>{" "}
              <span class={`stage ${stageOf(message)}`}>{texts.log.words[stageOf(message)]}</span>
            </button>
          </li>
        ))}
      </ol>
    </>
  );
}

/** One message: its text, and everything that happened to it. */
export function MessageStoryView({ id }: { id: string }) {
  const { texts, words } = usePage();
  const { value: story, problem } = useAnswer("message", { id });
  if (problem !== undefined) return <p class="note">{words.failed(problem)}</p>;
  if (story === undefined) return <p class="note">{words.connecting}</p>;
  const { message, entries } = story;
  const subject = cleanForScreen(message?.subject ?? id);
  return (
    <>
      <h3>
        <bdi>{subject}</bdi>
      </h3>
      {message && (
        <>
          <p>
            <RoleName role={message.from} /> → <RoleName role={message.to} />
          </p>
          {message.body === undefined ? (
            <p class="note">{words.noBody}</p>
          ) : (
            <ShownText text={message.body} />
          )}
        </>
      )}
      <h4>{words.story}</h4>
      <ol class="entries">
        {entries.map((entry, index) => {
          const { what, faint } = formatEntry(entry, texts, () => subject);
          return (
            <li key={index}>
              <time>{clockOf(new Date(entry.at))}</time> <b>{texts.log.words[entry.event]}</b>{" "}
              {"role" in entry && <RoleName role={entry.role} />} <bdi>{cleanForScreen(what)}</bdi>{" "}
              {faint && <small>{cleanForScreen(faint)}</small>}
            </li>
          );
        })}
      </ol>
    </>
  );
}
