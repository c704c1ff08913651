/** What the page asks and tells the desk: its server, or the file that the page is in. */
import type { Recipient, Sender } from "../../army/roles.ts";
import type { PageTexts } from "../../i18n/texts.ts";
import type { JournalOverview } from "../../mail/journal/read-journal.ts";
import type { AnswerOutcome } from "../../requests/request-box.ts";
import type { describeTask, readCheck, TaskDiff } from "../../view/describe-plan.ts";
import type { BriefEntry } from "../../view/format-entry.ts";
import type { SentMessage } from "../../person/send-as-person.ts";
import type {
  DeskArmy,
  DeskDecision,
  DeskLanding,
  DeskRestart,
  JournalPart,
  PaneLook,
} from "../desk-routes.ts";
import type { ExportedCampaign } from "../export-campaign.ts";
import { MOST_ENTRIES } from "./campaign/timeline.ts";

/** What can be asked, and the answers. */
export interface DeskReads {
  /** The newest entries of a span; with a text, only messages that contain it. */
  journal: JournalPart;
  overview: JournalOverview | null;
  message: MessageStory;
  screen: PaneLook;
  armies: DeskArmy[];
  task: ReturnType<typeof describeTask>;
  diff: TaskDiff;
  /** The end of what its check has written. */
  check: ReturnType<typeof readCheck>;
}

interface MessageStory {
  message?: { from: Sender; to: Recipient; subject: string; body?: string } | undefined;
  entries: BriefEntry[];
}

/** What can be done, and the outcomes. */
interface DeskPosts {
  answer: AnswerOutcome;
  send: SentMessage[];
  /** Messages to the person that the page has shown: `{ ids }`. */
  read: object;
  /** What the person says about mail that is held: `{ role, says: "go" | "stop" }`. */
  held: DeskDecision;
  restart: DeskRestart;
  land: DeskLanding;
  return: { id: string };
  drop: { id: string; branch: string };
}

export type Query = Record<string, string>;
export type DeskAnswer<Value> = { value: Value } | { problem: string };

export interface DeskCalls {
  get: <Route extends keyof DeskReads>(route: Route, query: Query) => Promise<DeskAnswer<DeskReads[Route]>>;
  post: <Route extends keyof DeskPosts>(route: Route, body: object) => Promise<DeskAnswer<DeskPosts[Route]>>;
}

/** Requests to the desk's own server, at addresses relative to the page. */
export function callServer(army: string, { language, desk }: PageTexts): DeskCalls {
  const call = async (route: string, query: Query, init: RequestInit) => {
    try {
      const address = `${route}?${new URLSearchParams({ army, lang: language, ...query })}`;
      const response = await fetch(address, init);
      if (!response.headers.get("content-type")?.startsWith("application/json"))
        return { problem: (await response.text()).trim() };
      const value = await response.json();
      return response.ok ? { value } : { problem: value?.error?.message ?? desk.refusals.failed };
    } catch {
      return { problem: desk.page.cutOff };
    }
  };
  const headers = { "content-type": "application/json" };
  return {
    get: (route, query) => call(route, query, {}),
    post: (route, body) => call(route, {}, { method: "POST", headers, body: JSON.stringify(body) }),
  };
}

/** What the server would answer about the campaign that is in a file. Nothing can be done there. */
export function callFile({ entries, bodies, overview }: ExportedCampaign): DeskCalls {
  const textOf = (entry: BriefEntry): string =>
    entry.event === "stored" ? `${entry.subject}\n${bodies?.[entry.id] ?? ""}`.toLowerCase() : "";
  const reads: { [Route in keyof DeskReads]?: (query: Query) => DeskReads[Route] } = {
    journal({ from, until, text = "" }) {
      const found = entries.filter((entry) => {
        const time = Date.parse(entry.at);
        const isWanted = entry.event !== "stored" || textOf(entry).includes(text.toLowerCase());
        return isWanted && time >= Number(from) && time <= Number(until);
      });
      return { entries: found.slice(-MOST_ENTRIES), isCut: found.length > MOST_ENTRIES };
    },
    overview: () => overview,
    message({ id = "" }) {
      const own = entries.filter((entry) =>
        "id" in entry ? entry.id === id : "ids" in entry && entry.ids.includes(id),
      );
      const stored = own.find((entry) => entry.event === "stored");
      const body = bodies?.[id];
      return { entries: own, message: stored && { ...stored, ...(body !== undefined && { body }) } };
    },
  };
  return {
    get: async (route, query) => {
      const value = reads[route]?.(query);
      return value === undefined ? { problem: "" } : { value };
    },
    post: async () => ({ problem: "" }),
  };
}
