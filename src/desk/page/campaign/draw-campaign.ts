/** Draws a campaign: a lane for the person and each role, turns as bars, messages as arrows, other events as marks. Pure. */
import { ROLES, type Sender } from "../../../army/roles.ts";
import { clockOf, dayOf } from "../../../view/format-entry.ts";
import type { UsageByRole } from "../../../agent/follow-usage.ts";
import { SIGILS } from "../marks.tsx";
import { stageOf, type TimelineMark, type TimelineMessage } from "./timeline.ts";

const LANES = ["human", ...ROLES] as const;
const LANE_HEIGHT = 40;
const LANES_HEIGHT = LANES.length * LANE_HEIGHT;
export const PICTURE_HEIGHT = LANES_HEIGHT + 22;
/** The other events are not worth a place in the picture. */
const SHOWN_MARKS = new Set<TimelineMark["event"]>([
  "asked",
  "answered",
  "failed",
  "unanswered",
  "quarantined",
  "skipped",
]);
const HEAD = 5;
const NEAR = 7;
/** The names of the lanes stand beside them, and on a narrow screen only their signs. */
const GUTTER = { wide: 100, narrow: 30 };
const NARROW = 600;
/** A label of the axis needs this much. */
const TICK_WIDTH = 90;

/** The shown span of time, in milliseconds since 1970. */
export interface CampaignWindow {
  from: number;
  until: number;
}

export interface Picture {
  window: CampaignWindow;
  messages: readonly TimelineMessage[];
  marks: readonly TimelineMark[];
  usage: UsageByRole;
  /** The message that is open. */
  open: string | undefined;
}

/** An arrow on the screen, for finding it by a click. */
export interface Arrow {
  message: TimelineMessage;
  from: [number, number];
  to: [number, number];
}

/** `look` is the classes of a thing, `path` as in an SVG; `person` is the name of the person's lane. */
export function drawCampaign(
  { window: { from, until }, messages, marks, usage, open }: Picture,
  { width, now, person }: { width: number; now: number; person: string },
) {
  const shapes: { look: string; path: string }[] = [];
  const signs: { look: string; path: string; x: number; y: number }[] = [];
  const labels: { look: string; text: string; x: number; y: number }[] = [];
  const left = gutterOf(width);
  const x = (time: number): number =>
    Math.round((left + ((time - from) / (until - from)) * (width - left)) * 10) / 10;
  const step = stepFor(((until - from) / (width - left)) * TICK_WIDTH);
  const shift = new Date(from).getTimezoneOffset() * 60_000;
  for (let time = Math.ceil((from - shift) / step) * step + shift; time <= until; time += step) {
    shapes.push({ look: "rule", path: `M${x(time)} 0V${LANES_HEIGHT}` });
    labels.push({ look: "tick", x: x(time), y: PICTURE_HEIGHT - 7, text: formatTime(time, step) });
  }
  for (const lane of LANES) {
    shapes.push({ look: "rule", path: `M${left} ${laneY(lane)}H${width}` });
    signs.push({ look: lane, path: SIGILS[lane], x: 8, y: laneY(lane) - 8 });
    const text = lane === "human" ? person : lane;
    if (width >= NARROW) labels.push({ look: lane, x: 30, y: laneY(lane) + 4, text });
  }
  for (const role of ROLES)
    for (const turn of usage[role]?.latest ?? []) {
      const [began, ended] = [Date.parse(turn.from), turn.until === null ? now : Date.parse(turn.until)];
      if (ended < from || began > until) continue;
      const start = Math.max(left, x(began));
      const end = Math.max(start + 1.5, Math.min(width, x(ended)));
      shapes.push({ look: `turn ${role}`, path: `M${start} ${laneY(role)}H${end}` });
    }
  for (const { at, role, event } of marks) {
    if (at < from || at > until) continue;
    if (role === undefined) shapes.push({ look: "rule warning", path: `M${x(at)} 0V${LANES_HEIGHT}` });
    else if (SHOWN_MARKS.has(event))
      shapes.push({ look: `mark ${event}`, path: `M${x(at)} ${laneY(role) - 5}l5 5l-5 5l-5 -5Z` });
  }
  const arrows: Arrow[] = [];
  for (const message of messages) {
    const { id, stored, priority } = message;
    const stage = stageOf(message);
    const reached = message.read ?? message.begun ?? message.rung ?? stored;
    if (reached < from || stored > until) continue;
    // At a small scale an arrow would be a vertical line; a few pixels show its direction.
    const tip = Math.max(x(reached), x(stored) + 6);
    const begin = Math.max(left, x(stored));
    const arrow: Arrow = { message, from: [begin, laneY(message.from)], to: [tip, laneY(message.to)] };
    const waits = stage === "read" ? "" : stage === "held" ? " waits held" : " waits";
    const look = `arrow ${message.from} ${priority}${waits}${open === id ? " open" : ""}`;
    shapes.push({ look, path: pathOf(arrow) });
    arrows.push(arrow);
  }
  return { shapes, signs, labels, arrows };
}

export function gutterOf(width: number): number {
  return width < NARROW ? GUTTER.narrow : GUTTER.wide;
}

export function findArrow(arrows: readonly Arrow[], x: number, y: number): Arrow | undefined {
  const near = arrows
    .map((arrow) => ({ arrow, distance: distanceTo(arrow, x, y) }))
    .filter(({ distance }) => distance <= NEAR)
    .toSorted((one, other) => one.distance - other.distance);
  return near[0]?.arrow;
}

function distanceTo({ from: [x1, y1], to: [x2, y2] }: Arrow, x: number, y: number): number {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const part = Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / (dx ** 2 + dy ** 2)));
  return Math.hypot(x - (x1 + part * dx), y - (y1 + part * dy));
}

function pathOf({ from: [x1, y1], to: [x2, y2] }: Arrow): string {
  const angle = Math.atan2(y2 - y1, x2 - x1);
  const side = (turn: number): string =>
    `${(x2 + HEAD * Math.cos(angle + turn)).toFixed(1)} ${(y2 + HEAD * Math.sin(angle + turn)).toFixed(1)}`;
  return `M${x1} ${y1}L${x2} ${y2}M${x2} ${y2}L${side(2.7)} ${side(-2.7)}Z`;
}

function laneY(sender: Sender): number {
  const index = LANES.findIndex((lane) => lane === sender);
  // What ovld itself writes comes from above.
  return index === -1 ? 2 : index * LANE_HEIGHT + LANE_HEIGHT / 2;
}

const STEPS_S = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600, 86_400];
const WEEK_MS = 604_800_000;

/** How many milliseconds are between two labels of the axis, if they need at least so many. */
function stepFor(wanted: number): number {
  const seconds = STEPS_S.find((each) => each * 1_000 >= wanted);
  return seconds === undefined ? WEEK_MS * Math.ceil(wanted / WEEK_MS) : seconds * 1_000;
}

function formatTime(time: number, step: number): string {
  const moment = new Date(time);
  if (step >= 86_400_000) return dayOf(moment).slice("2000-".length);
  return step < 60_000 ? clockOf(moment) : clockOf(moment).slice(0, "00:00".length);
}
