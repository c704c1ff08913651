/** Draws a campaign: a lane for the person and each role, turns as bars, messages as arrows, other events as marks. */
import { ROLES, type Sender } from "../../../army/roles.ts";
import { clockOf, dayOf } from "../../../view/format-entry.ts";
import type { UsageByRole } from "../../follow-usage.ts";
import { stageOf, type TimelineMark, type TimelineMessage } from "./timeline.ts";
import type { CampaignWindow } from "./use-campaign.ts";

const LANES = ["human", ...ROLES] as const;
const LANE_HEIGHT = 44;
const AXIS_HEIGHT = 22;
export const PICTURE_HEIGHT = LANES.length * LANE_HEIGHT + AXIS_HEIGHT;
const HEAD = 5;
const BAR_HEIGHT = 8;
const NEAR = 7;

export interface Picture {
  window: CampaignWindow;
  messages: readonly TimelineMessage[];
  marks: readonly TimelineMark[];
  usage: UsageByRole;
  /** The name of the person's lane. */
  person: string;
  /** The message that is open or under the pointer. */
  highlighted: string | undefined;
  now: number;
}

/** An arrow on the screen, for finding it by a click. */
export interface Arrow {
  id: string;
  from: [number, number];
  to: [number, number];
}

export function drawCampaign(canvas: HTMLCanvasElement, picture: Picture): Arrow[] {
  const context = canvas.getContext("2d");
  const width = canvas.clientWidth;
  if (!context || width === 0) return [];
  const scale = globalThis.devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(PICTURE_HEIGHT * scale);
  }
  const colours = readColours(canvas);
  const { from, until } = picture.window;
  const x = (time: number): number => ((time - from) / (until - from)) * width;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, PICTURE_HEIGHT);
  drawAxis(context, picture.window, x, width, colours);
  drawLanes(context, picture, width, colours);
  drawTurns(context, picture, x, width, colours);
  drawMarks(context, picture, x, colours);
  return drawMessages(context, picture, x, colours);
}

export function findArrow(arrows: readonly Arrow[], x: number, y: number): Arrow | undefined {
  const near = arrows
    .map((arrow) => ({ arrow, distance: distanceTo(arrow, x, y) }))
    .filter(({ distance }) => distance <= NEAR)
    .toSorted((one, other) => one.distance - other.distance);
  return near[0]?.arrow;
}

function distanceTo({ from: [x1, y1], to: [x2, y2] }: Arrow, x: number, y: number): number {
  const length = (x2 - x1) ** 2 + (y2 - y1) ** 2;
  const part =
    length === 0 ? 0 : Math.min(1, Math.max(0, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length));
  return Math.hypot(x - (x1 + part * (x2 - x1)), y - (y1 + part * (y2 - y1)));
}

function laneY(sender: Sender): number {
  const index = LANES.findIndex((lane) => lane === sender);
  // What ovld itself writes comes from above.
  return index === -1 ? 2 : index * LANE_HEIGHT + LANE_HEIGHT / 2;
}

type Colours = (name: string) => string;

function readColours(canvas: HTMLCanvasElement): Colours {
  const style = getComputedStyle(canvas);
  const known = new Map<string, string>();
  return (name) => {
    const colour = known.get(name) ?? style.getPropertyValue(`--${name}`).trim();
    known.set(name, colour);
    return colour;
  };
}

type Context = CanvasRenderingContext2D;
type ToX = (time: number) => number;

const STEPS_MS = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600, 86_400, 604_800].map(
  (seconds) => seconds * 1_000,
);

function drawAxis(
  context: Context,
  { from, until }: CampaignWindow,
  x: ToX,
  width: number,
  colours: Colours,
): void {
  const wanted = ((until - from) / width) * 90;
  const step = STEPS_MS.find((each) => each >= wanted) ?? 604_800_000 * Math.ceil(wanted / 604_800_000);
  context.font = "11px system-ui, sans-serif";
  context.textAlign = "center";
  const shift = new Date(from).getTimezoneOffset() * 60_000;
  for (let time = Math.ceil((from - shift) / step) * step + shift; time <= until; time += step) {
    context.strokeStyle = colours("line");
    line(context, x(time), 0, x(time), PICTURE_HEIGHT - AXIS_HEIGHT);
    context.fillStyle = colours("faint");
    context.fillText(formatTime(time, step), x(time), PICTURE_HEIGHT - 7);
  }
}

function formatTime(time: number, step: number): string {
  const moment = new Date(time);
  if (step >= 86_400_000) return dayOf(moment).slice("2000-".length);
  return step < 60_000 ? clockOf(moment) : clockOf(moment).slice(0, "00:00".length);
}

function drawLanes(context: Context, { person }: Picture, width: number, colours: Colours): void {
  context.textAlign = "left";
  for (const lane of LANES) {
    const y = laneY(lane);
    context.strokeStyle = colours("line");
    line(context, 0, y, width, y);
    context.fillStyle = colours(lane);
    context.font = "bold 12px system-ui, sans-serif";
    context.fillText(lane === "human" ? person : lane, 4, y - 8);
  }
}

function drawTurns(
  context: Context,
  { usage, window, now }: Picture,
  x: ToX,
  width: number,
  colours: Colours,
): void {
  for (const role of ROLES) {
    context.fillStyle = colours(role);
    context.globalAlpha = 0.35;
    for (const turn of usage[role]?.latest ?? []) {
      const [from, until] = [Date.parse(turn.from), turn.until === null ? now : Date.parse(turn.until)];
      if (until < window.from || from > window.until) continue;
      const left = Math.max(0, x(from));
      context.fillRect(
        left,
        laneY(role) - BAR_HEIGHT / 2,
        Math.max(1.5, Math.min(width, x(until)) - left),
        BAR_HEIGHT,
      );
    }
    context.globalAlpha = 1;
  }
}

const MARK_COLOURS: Partial<Record<TimelineMark["entry"]["event"], string>> = {
  asked: "warning",
  answered: "good",
  failed: "bad",
  unanswered: "bad",
  quarantined: "bad",
  skipped: "bad",
};

function drawMarks(context: Context, { marks, window }: Picture, x: ToX, colours: Colours): void {
  for (const { at, role, entry } of marks) {
    if (at < window.from || at > window.until) continue;
    if (role === undefined) {
      context.strokeStyle = colours("warning");
      line(context, x(at), 0, x(at), PICTURE_HEIGHT - AXIS_HEIGHT);
      continue;
    }
    const isQuestion = entry.event === "asked" || entry.event === "answered";
    const size = isQuestion ? 5 : 3;
    context.fillStyle = colours(MARK_COLOURS[entry.event] ?? "faint");
    context.beginPath();
    context.moveTo(x(at), laneY(role) - size);
    context.lineTo(x(at) + size, laneY(role));
    context.lineTo(x(at), laneY(role) + size);
    context.lineTo(x(at) - size, laneY(role));
    context.fill();
  }
}

function drawMessages(context: Context, picture: Picture, x: ToX, colours: Colours): Arrow[] {
  const arrows: Arrow[] = [];
  for (const message of picture.messages) {
    const reached = message.read ?? message.begun ?? message.rung ?? message.stored;
    if (reached < picture.window.from || message.stored > picture.window.until) continue;
    const arrow: Arrow = {
      id: message.id,
      from: [x(message.stored), laneY(message.from)],
      // At a small scale an arrow would be a vertical line; a few pixels show its direction.
      to: [Math.max(x(reached), x(message.stored) + 6), laneY(message.to)],
    };
    const isHighlighted = picture.highlighted === message.id;
    context.strokeStyle = context.fillStyle = colours(`stage-${stageOf(message)}`);
    context.lineWidth = (message.priority === "urgent" ? 2.5 : 1.25) + (isHighlighted ? 2 : 0);
    drawArrow(context, arrow);
    context.lineWidth = 1;
    arrows.push(arrow);
  }
  return arrows;
}

function drawArrow(context: Context, { from: [x1, y1], to: [x2, y2] }: Arrow): void {
  line(context, x1, y1, x2, y2);
  const angle = Math.atan2(y2 - y1, x2 - x1);
  context.beginPath();
  context.moveTo(x2, y2);
  for (const turn of [2.7, -2.7])
    context.lineTo(x2 + HEAD * Math.cos(angle + turn), y2 + HEAD * Math.sin(angle + turn));
  context.fill();
}

function line(context: Context, x1: number, y1: number, x2: number, y2: number): void {
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
}
