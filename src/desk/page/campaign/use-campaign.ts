/** The shown part of a campaign: which span of time, and what is known about it. Only what is near it is read. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { JournalOverview } from "../../../mail/journal/journal-window.ts";
import { EMPTY_TIMELINE, extendTimeline, type Timeline } from "./timeline.ts";
import type { CampaignSource } from "./campaign-source.ts";
import type { EntryListener } from "../use-army.ts";

export interface CampaignWindow {
  from: number;
  until: number;
}

export interface Campaign {
  window: CampaignWindow;
  timeline: Timeline;
  overview: JournalOverview | null;
  /** The moment from which on everything in the window is known, if that is not all of it. */
  cutAt: number | undefined;
  problem: string | undefined;
  /** Shows this span; a span that reaches the present follows it. */
  show: (window: CampaignWindow) => void;
}

interface Loaded extends CampaignWindow {
  text: string;
  /** The span and the end of the window for which it was read. */
  place: string;
  timeline: Timeline;
  cutAt: number | undefined;
}

const FIRST_SPAN_MS = 5 * 60_000;
const SHORTEST_SPAN_MS = 2_000;
const NOTHING: Loaded = {
  from: 0,
  until: 0,
  text: "",
  place: "",
  timeline: EMPTY_TIMELINE,
  cutAt: undefined,
};
/** More would make the picture slow; the shown part is then read again. */
const MOST_MESSAGES = 8_000;
/** Clocks of other processes may be ahead. */
const AHEAD_MS = 60_000;
/** While the person moves or types, reading waits for them to stop. */
const REST_MS = 120;

export function useCampaign(
  source: CampaignSource,
  text: string,
  now: number,
  listeners: Set<EntryListener> | undefined,
): Campaign {
  const [span, setSpan] = useState(FIRST_SPAN_MS);
  const [end, setEnd] = useState<number | "live">("live");
  const [overview, setOverview] = useState<JournalOverview | null>(null);
  const [loaded, setLoaded] = useState(NOTHING);
  const [problem, setProblem] = useState<string>();
  const [stale, setStale] = useState(0);
  const wanted = useRef(0);
  const isLive = end === "live";
  const until = isLive ? now : end;
  const window = { from: until - span, until };

  useEffect(() => {
    const look = async (isFirst: boolean): Promise<void> => {
      const answer = await source.overview();
      if ("problem" in answer) return;
      setOverview(answer.value);
      // A campaign that is over is shown from its end.
      const last = answer.value?.until;
      if (isFirst && last !== undefined && last < now - FIRST_SPAN_MS) setEnd(last + span / 20);
    };
    void look(true);
    const timer = globalThis.setInterval(() => void look(false), 15_000);
    return () => globalThis.clearInterval(timer);
  }, [source]);

  const place = `${span} ${end}`;
  // What was cut off is read when another part is shown: asking for the same one again would not bring more.
  const isWhole = loaded.cutAt === undefined || loaded.cutAt <= window.from || loaded.place === place;
  const isCovered =
    loaded.text === text && isWhole && loaded.from <= window.from && loaded.until >= window.until;
  useEffect(() => {
    if (isCovered && stale === wanted.current) return;
    const load = async (): Promise<void> => {
      wanted.current = stale;
      const range = { from: window.from - span, until: isLive ? Infinity : window.until + span };
      const answer = await source.part(range.from, isLive ? now + AHEAD_MS : range.until, text);
      if ("problem" in answer) return setProblem(answer.problem);
      const { entries, isCut } = answer.value;
      const [first] = entries;
      const timeline = extendTimeline(EMPTY_TIMELINE, entries);
      const cutAt = isCut && first ? Date.parse(first.at) : undefined;
      setProblem(undefined);
      setLoaded({ ...range, text, place, timeline, cutAt });
    };
    const timer = globalThis.setTimeout(() => void load(), loaded === NOTHING ? 0 : REST_MS);
    return () => globalThis.clearTimeout(timer);
  }, [isCovered, stale, text, place, source]);

  useEffect(() => {
    const listener: EntryListener = (entries) => {
      // What a filter leaves out is not known here.
      if (entries === "many" || text !== "") return setStale((count) => count + 1);
      setLoaded((before) => {
        if (before.until !== Infinity) return before;
        const timeline = extendTimeline(before.timeline, entries);
        if (timeline.messages.size > MOST_MESSAGES) setStale((count) => count + 1);
        return { ...before, timeline };
      });
    };
    listeners?.add(listener);
    return () => void listeners?.delete(listener);
  }, [text, listeners]);

  return {
    window,
    timeline: loaded.timeline,
    overview,
    cutAt: loaded.cutAt !== undefined && loaded.cutAt > window.from ? loaded.cutAt : undefined,
    problem,
    show(next) {
      const length = Math.max(SHORTEST_SPAN_MS, next.until - next.from);
      setSpan(length);
      setEnd(listeners !== undefined && next.until >= now - length / 100 ? "live" : next.until);
    },
  };
}
