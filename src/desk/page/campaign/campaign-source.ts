/** Where the picture of a campaign gets its content: the desk's server, or the file that the page is in. */
import type { Role, Sender } from "../../../army/roles.ts";
import type { BriefEntry } from "../../../view/format-entry.ts";
import type { ExportedCampaign } from "../../export-campaign.ts";
import type { JournalOverview } from "../../../mail/journal/journal-window.ts";
import type { JournalPart } from "../../read-part.ts";
import type { DeskAnswer, DeskCalls } from "../call-desk.ts";
import { MOST_ENTRIES, OVERVIEW_PARTS } from "./timeline.ts";

export interface MessageStory {
  id: string;
  message?: { from: Sender; to: Role; subject: string; body?: string };
  entries: BriefEntry[];
}

export interface CampaignSource {
  /** The newest entries of a span; with a text, only messages that contain it. */
  part: (from: number, until: number, text: string) => Promise<DeskAnswer<JournalPart>>;
  overview: () => Promise<DeskAnswer<JournalOverview | null>>;
  story: (id: string) => Promise<DeskAnswer<MessageStory>>;
}

export function sourceFromServer({ get }: DeskCalls): CampaignSource {
  return {
    part: (from, until, text) => get("journal", { from: String(from), until: String(until), text }),
    overview: () => get("overview"),
    story: (id) => get("message", { id }),
  };
}

export function sourceFromFile({ entries, bodies }: ExportedCampaign): CampaignSource {
  const times = entries.map(({ at }) => Date.parse(at));
  const [from = 0, until = 0] = bounds(times);
  const mentions = (entry: BriefEntry, text: string): boolean =>
    entry.event !== "stored" ||
    `${entry.subject}\n${bodies?.[entry.id] ?? ""}`.toLowerCase().includes(text.toLowerCase());
  return {
    async part(begin, end, text) {
      const found = entries.filter((entry, index) => {
        const time = times[index] ?? 0;
        return time >= begin && time <= end && (text === "" || mentions(entry, text));
      });
      return { value: { entries: found.slice(-MOST_ENTRIES), isCut: found.length > MOST_ENTRIES } };
    },
    async overview() {
      if (entries.length === 0) return { value: null };
      const parts = Array.from({ length: OVERVIEW_PARTS }, () => 0);
      for (const time of times) {
        const part = Math.floor(((time - from) / (until + 1 - from)) * OVERVIEW_PARTS);
        parts[part] = (parts[part] ?? 0) + 1;
      }
      return { value: { from, until: until + 1, parts } };
    },
    async story(id) {
      const own = entries.filter((entry) => idsIn(entry).includes(id));
      const stored = own.find((entry) => entry.event === "stored");
      const body = bodies?.[id];
      return {
        value: {
          id,
          entries: own,
          ...(stored && { message: { ...stored, ...(body !== undefined && { body }) } }),
        },
      };
    },
  };
}

function idsIn(entry: BriefEntry): string[] {
  if ("ids" in entry) return entry.ids;
  return "id" in entry ? [entry.id] : [];
}

/** The earliest and the latest: a call with a hundred thousand arguments is too much for some browsers. */
function bounds(times: readonly number[]): number[] {
  return times.reduce<number[]>(
    ([least = Infinity, most = -Infinity], time) => [Math.min(least, time), Math.max(most, time)],
    [],
  );
}
