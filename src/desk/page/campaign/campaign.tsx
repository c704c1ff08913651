/** The campaign as a picture that can be moved, zoomed and filtered, with the same messages as a list. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Role, Sender } from "../../../army/roles.ts";
import type { JournalOverview } from "../../../mail/journal/read-journal.ts";
import { clockOf, type BriefEntry } from "../../../view/format-entry.ts";
import type { UsageByRole } from "../../../agent/follow-usage.ts";
import type { JournalPart } from "../../desk-routes.ts";
import { RoleChoice, Section, useAnswer, usePage } from "../page-parts.tsx";
import type { EntryListener } from "../use-army.ts";
import { CampaignPicture } from "./campaign-picture.tsx";
import type { CampaignWindow } from "./draw-campaign.ts";
import { MessageList } from "./messages.tsx";
import { MOST_ENTRIES, timelineOf } from "./timeline.ts";

interface CampaignProps {
  usage: UsageByRole;
  /** Undefined if nothing can happen any more. */
  listeners: Set<EntryListener> | undefined;
}

export function CampaignView({ usage, listeners }: CampaignProps) {
  const { words, now, aside, onAside } = usePage();
  const [role, setRole] = useState<Role | "all">("all");
  const [text, setText] = useState("");
  const open = aside && "message" in aside ? aside.message : undefined;
  const setOpen = (message: string): void => onAside({ message });
  const { window, timeline, overview, cutAt, problem, show } = useCampaign(text, listeners);
  const { from, until } = window;
  const span = until - from;
  const move = (by: number): void => show({ from: from + by, until: until + by });
  const zoom = (factor: number, around = until): void =>
    show({ from: around - (around - from) * factor, until: around + (until - around) * factor });
  const isWanted = (...roles: Sender[]): boolean => role === "all" || roles.some((each) => each === role);
  const messages = [...timeline.messages.values()].filter((message) => isWanted(message.from, message.to));
  const marks = timeline.marks.filter((mark) => mark.role === undefined || isWanted(mark.role));
  const buttons: [string, string, () => void][] = [
    ["←", words.earlier, () => move(-span / 2)],
    ["→", words.later, () => move(span / 2)],
    ["+", words.zoomIn, () => zoom(0.5)],
    ["−", words.zoomOut, () => zoom(2)],
    ["⇥", words.now, () => show({ from: now - span, until: now })],
  ];
  if (overview) buttons.push(["↔", words.everything, () => show(overview)]);
  return (
    <Section id="campaign" title={words.campaign}>
      <p hidden id="campaign-help">
        {words.campaignHelp}
      </p>
      <div class="controls">
        <div class="icons">
          {buttons.map(([icon, label, act]) => (
            <button key={label} type="button" aria-label={label} title={label} onClick={act}>
              {icon}
            </button>
          ))}
        </div>
        <RoleChoice label={words.onlyRole} all={words.allRoles} role={role} onChoose={setRole} />
        <label>
          {words.search}{" "}
          <input type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
      </div>
      <CampaignPicture
        picture={{ window, messages, marks, usage, open }}
        onMove={move}
        onZoom={zoom}
        onOpen={setOpen}
      />
      <ul class="legend">
        {LEGEND.map(([look, path]) => (
          <li key={look}>
            <svg viewBox="0 0 24 10" aria-hidden="true">
              <path class={look} d={path} />
            </svg>
            {words.legend[look]}
          </li>
        ))}
      </ul>
      {overview && <Overview overview={overview} window={window} onShow={show} />}
      {cutAt !== undefined && <p class="note">{words.cut(clockOf(new Date(cutAt)))}</p>}
      {problem !== undefined && <p class="note">{words.failed(problem)}</p>}
      <MessageList messages={messages} window={window} open={open} onOpen={setOpen} />
    </Section>
  );
}

const LEGEND = [
  ["arrow", "M1 5H22M18 2L22 5L18 8"],
  ["arrow waits", "M1 5H22M18 2L22 5L18 8"],
  ["arrow held", "M1 5H22M18 2L22 5L18 8"],
  ["turn", "M1 5H22"],
  ["mark asked", "M12 1L16 5L12 9L8 5Z"],
  ["mark failed", "M12 1L16 5L12 9L8 5Z"],
] as const;

const FIRST_SPAN_MS = 5 * 60_000;
const SHORTEST_SPAN_MS = 2_000;
/** What is left free beside the first or the last thing that happened, as a part of the span. */
const MARGIN = 0.05;
const NOTHING: JournalPart = { entries: [], isCut: false };
const LOOK_AT_OVERVIEW = { everyMs: 15_000, times: Infinity };
/** More would make the picture slow; the shown part is then read again. */
const MOST_KEPT = 3 * MOST_ENTRIES;
/** Clocks of other processes may be ahead. */
const AHEAD_MS = 60_000;
/** While the person moves or types, reading waits for them to stop. */
const REST_MS = 120;

/** The shown part of a campaign: which span of time, and what is known about it. Only what is near it is read. */
function useCampaign(text: string, listeners: Set<EntryListener> | undefined) {
  const { calls, now } = usePage();
  /** Undefined until the person has chosen one. */
  const [chosen, setSpan] = useState<number>();
  const [end, setEnd] = useState<number | "live">("live");
  const [part, setPart] = useState(NOTHING);
  const [problem, setProblem] = useState<string>();
  const [stale, setStale] = useState(0);
  /** What has happened since the part was asked for. */
  const fresh = useRef<BriefEntry[]>([]);
  const { value: overview } = useAnswer("overview", {}, LOOK_AT_OVERVIEW);
  const isLive = end === "live";
  const until = isLive ? now : end;
  const timeline = useMemo(() => timelineOf(part.entries), [part]);
  const [wish] = timeline.messages.values();
  // A campaign that has just begun fills the picture.
  const begin = wish && overview && overview.from > until - 2 * FIRST_SPAN_MS ? wish.stored : -Infinity;
  const fitting = Math.max(SHORTEST_SPAN_MS, (until - begin) * (1 + MARGIN));
  const span = chosen ?? Math.min(FIRST_SPAN_MS, fitting);
  const window: CampaignWindow = { from: until - span, until };

  useEffect(() => {
    // A campaign that is over is shown from its end.
    if (overview && overview.until < now - FIRST_SPAN_MS) setEnd(overview.until + span * MARGIN);
  }, [overview === undefined]);

  useEffect(() => {
    let isOver = false;
    const load = async (): Promise<void> => {
      fresh.current = [];
      const wide = chosen ?? FIRST_SPAN_MS;
      const range = { from: until - 2 * wide, until: isLive ? now + AHEAD_MS : until + wide };
      const query = { from: String(range.from), until: String(range.until), text };
      const answer = await calls.get("journal", query);
      if (isOver) return;
      if ("problem" in answer) return setProblem(answer.problem);
      setProblem(undefined);
      setPart({ ...answer.value, entries: [...answer.value.entries, ...fresh.current] });
    };
    const timer = setTimeout(() => void load(), part === NOTHING ? 0 : REST_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [calls, text, chosen, end, stale]);

  useEffect(() => {
    const listener: EntryListener = (entries) => {
      // What a filter leaves out is not known here.
      if (entries === "many" || text !== "") return setStale((count) => count + 1);
      if (!isLive) return;
      fresh.current.push(...entries);
      setPart((before) => ({ ...before, entries: [...before.entries, ...entries] }));
    };
    listeners?.add(listener);
    return () => void listeners?.delete(listener);
  }, [text, isLive, listeners]);
  const isLarge = part.entries.length > MOST_KEPT;
  useEffect(() => {
    if (isLarge) setStale((count) => count + 1);
  }, [isLarge]);

  const [first] = part.entries;
  const cutAt = part.isCut && first ? Date.parse(first.at) : -Infinity;
  return {
    window,
    timeline,
    overview,
    /** The moment from which on everything in the window is known, if that is not all of it. */
    cutAt: cutAt > window.from ? cutAt : undefined,
    problem,
    /** Shows this span; a span that reaches the present follows it. */
    show: (next: CampaignWindow): void => {
      const length = Math.max(SHORTEST_SPAN_MS, next.until - next.from);
      setSpan(length);
      setEnd(listeners !== undefined && next.until >= now - length / 100 ? "live" : next.until);
    },
  };
}

interface OverviewProps {
  overview: JournalOverview;
  window: CampaignWindow;
  onShow: (window: CampaignWindow) => void;
}

const HEIGHT = 36;

/** The whole campaign in a strip: how much happened when, and which part is shown. A click goes there. */
function Overview({ overview, window, onShow }: OverviewProps) {
  const { from, until, parts } = overview;
  const most = Math.max(1, ...parts);
  const place = (time: number): number =>
    Math.min(parts.length, Math.max(0, ((time - from) / (until - from)) * parts.length));
  return (
    // The buttons and keys of the picture do the same, so this needs no keyboard of its own.
    <svg
      class="overview"
      viewBox={`0 0 ${parts.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      onClick={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        const time = from + ((event.clientX - box.left) / box.width) * (until - from);
        const half = (window.until - window.from) / 2;
        onShow({ from: time - half, until: time + half });
      }}
    >
      {parts.map((bytes, index) => {
        const height = bytes === 0 ? 0 : Math.max(2, (bytes / most) * HEIGHT);
        return <rect key={index} class="bar" x={index} y={HEIGHT - height} width={0.8} height={height} />;
      })}
      <rect
        class="shown"
        x={place(window.from)}
        y={0}
        width={Math.max(0.5, place(window.until) - place(window.from))}
        height={HEIGHT}
      />
    </svg>
  );
}
