/** One message: its text, and everything that happened to it. */
import { clockOf, formatEntry } from "../../../view/format-entry.ts";
import { useEffect, useRef, useState } from "preact/hooks";
import { isSender } from "../../../army/roles.ts";
import type { PageTexts } from "../../../i18n/texts.ts";
import { cleanForScreen } from "../../../system/clean-text.ts";
import type { DeskAnswer } from "../call-desk.ts";
import type { CampaignSource, MessageStory } from "./campaign-source.ts";
import { RoleName, ShownText } from "../shown-text.tsx";

interface MessageStoryProps {
  id: string;
  source: CampaignSource;
  texts: PageTexts;
  onClose: () => void;
}

export function MessageStoryView({ id, source, texts, onClose }: MessageStoryProps) {
  const [story, setStory] = useState<DeskAnswer<MessageStory>>();
  const heading = useRef<HTMLHeadingElement>(null);
  const page = texts.desk.page;
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
          <bdi>{cleanForScreen(message?.subject ?? id)}</bdi>
        </h3>
        <button type="button" onClick={onClose}>
          {page.close}
        </button>
      </header>
      {message && (
        <>
          <p>
            <Who name={message.from} texts={texts} /> → <Who name={message.to} texts={texts} />
          </p>
          {message.body === undefined ? (
            <p class="note">{page.noBody}</p>
          ) : (
            <ShownText text={message.body} texts={texts} />
          )}
        </>
      )}
      <h4>{page.story}</h4>
      <ol class="entries">
        {entries.map((entry, index) => {
          const { what, faint } = formatEntry(entry, texts, () => cleanForScreen(message?.subject ?? id));
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

function Who({ name, texts }: { name: string; texts: PageTexts }) {
  return isSender(name) ? <RoleName role={name} texts={texts} /> : <span>{name}</span>;
}
