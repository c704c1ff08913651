/** The messages in the shown span of time, newest first: the picture in words. */
import { clockOf } from "../../../view/format-entry.ts";
import { useMemo } from "preact/hooks";
import type { PageTexts } from "../../../i18n/texts.ts";
import { cleanForScreen } from "../../../system/clean-text.ts";
import { stageOf, type TimelineMessage } from "./timeline.ts";
import { RoleName } from "../shown-text.tsx";
import type { CampaignWindow } from "./use-campaign.ts";

interface MessageListProps {
  messages: readonly TimelineMessage[];
  window: CampaignWindow;
  open: string | undefined;
  texts: PageTexts;
  onOpen: (id: string) => void;
}

const MOST_SHOWN = 50;

export function MessageList({ messages, window, open, texts, onOpen }: MessageListProps) {
  const page = texts.desk.page;
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
            <time>{clockOf(new Date(message.stored))}</time> <RoleName role={message.from} texts={texts} /> →{" "}
            <RoleName role={message.to} texts={texts} />{" "}
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
