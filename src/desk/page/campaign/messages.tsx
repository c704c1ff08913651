/** The messages in the shown span of time, newest first: the picture in words; and the story of one of them. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { cleanForScreen } from "../../../system/clean-text.ts";
import { clockOf, formatEntry } from "../../../view/format-entry.ts";
import type { DeskAnswer } from "../call-desk.ts";
import { RoleName, ShownText, useTexts } from "../page-parts.tsx";
import type { CampaignSource, MessageStory } from "./campaign-source.ts";
import { stageOf, type TimelineMessage } from "./timeline.ts";
import type { CampaignWindow } from "./use-campaign.ts";

interface MessageListProps {
  messages: readonly TimelineMessage[];
  window: CampaignWindow;
  open: string | undefined;
  onOpen: (id: string) => void;
}

const MOST_SHOWN = 50;

export function MessageList({ messages, window, open, onOpen }: MessageListProps) {
  const texts = useTexts();
  const { page } = texts.desk;
  // While the window follows the clock it changes every second; the list changes only with what is in it.
  const within = messages.filter(({ stored }) => stored >= window.from && stored <= window.until + 60_000);
  const shown = within.slice(-MOST_SHOWN).toReversed();
  const key = shown.map((message) => `${message.id}${stageOf(message)}`).join();
  const rows = useMemo(
    () =>
      shown.map((message) => (
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
            <span class={`stage stage-${stageOf(message)}`}>{page.stages[stageOf(message)]}</span>
          </button>
        </li>
      )),
    [key, open, texts],
  );
  if (rows.length === 0) return <p class="quiet">{page.nothingHere}</p>;
  return (
    <>
      <h3>{page.messages(within.length, rows.length)}</h3>
      <ol class="messages">{rows}</ol>
    </>
  );
}

interface MessageStoryProps {
  id: string;
  source: CampaignSource;
  onClose: () => void;
}

/** One message: its text, and everything that happened to it. */
export function MessageStoryView({ id, source, onClose }: MessageStoryProps) {
  const texts = useTexts();
  const { page } = texts.desk;
  const [story, setStory] = useState<DeskAnswer<MessageStory>>();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    let isOver = false;
    const load = async (): Promise<void> => {
      const found = await source.story(id);
      if (!isOver) setStory(found);
    };
    void load();
    return () => {
      isOver = true;
    };
  }, [id, source]);
  // The person has asked for this, so their keyboard goes there.
  useEffect(() => heading.current?.focus(), [story === undefined]);
  if (story === undefined) return <p class="note">{page.connecting}</p>;
  if ("problem" in story) return <p class="note">{page.failed(story.problem)}</p>;
  const { message, entries } = story.value;
  const subject = cleanForScreen(message?.subject ?? id);
  return (
    <article
      class="card story"
      aria-labelledby="story"
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <header>
        <h3 id="story" tabIndex={-1} ref={heading}>
          <bdi>{subject}</bdi>
        </h3>
        <button type="button" onClick={onClose}>
          {page.close}
        </button>
      </header>
      {message && (
        <>
          <p>
            <RoleName role={message.from} /> → <RoleName role={message.to} />
          </p>
          {message.body === undefined ? <p class="note">{page.noBody}</p> : <ShownText text={message.body} />}
        </>
      )}
      <h4>{page.story}</h4>
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
    </article>
  );
}
