/** A campaign's figures as rows of a table, each with its goal. Pure. */
import { makeRow, makeUnmeasuredRow, type Row } from "../row.ts";
import { percentile } from "../statistics.ts";
import type { Campaign } from "./run-campaign.ts";
import type { Weight } from "./weigh-request.ts";

type Bar = Parameters<typeof makeRow>[0]["bar"];

export function tabulateFigures(figures: Campaign): Row[] {
  const {
    delays,
    floor,
    states,
    requests,
    weight,
    relays,
    hooks,
    messages,
    seconds,
    turns,
    stalls,
    crossings,
  } = figures;
  return [
    row("messages lost", "", figures.lost.length, { atMost: 0 }),
    row("messages shown twice without a mark", "", figures.doubled.length, { atMost: 0 }),
    row("empty wake-ups", "", figures.empty.length, { atMost: 0 }),
    row("mail held by the brake", "", figures.braked, { atMost: 0 }),
    row("mail against the order of command, refused", "", crossings.refused, { atLeast: crossings.tried }),
    row("false reminders", "", figures.reminders.length, { atMost: 0 }),
    row("stalled unseen", "", stalls.filter(({ seconds: known }) => known === undefined).length, {
      atMost: 0,
    }),
    ...stalls.map(({ way, seconds: known }) => {
      const name = `an agent that ${way}, until somebody knows`;
      return known === undefined
        ? makeUnmeasuredRow({ name, unit: "s" }, "nobody knew")
        : row(name, "s", known);
    }),
    row("idle with unread mail, longest", "ms", figures.longestIdleWithUnread, { atMost: 2_000 }),
    ...times("stored to model, reader idle", delays.idle, { atMost: 150 }, floor),
    ...times("stored to model, reader busy", delays.busy),
    ...times("stored to model, urgent", delays.urgent),
    share(`wrong states of ${states.samples}`, states.wrong, states.samples),
    share("wrong states, still so 250 ms later", states.stayedWrong, states.samples, { atMost: 1 }),
    row("requests per message", "", requests.count / Math.max(1, messages), { atMost: 3 }),
    share("requests that only looked into the inbox", requests.inbox, requests.count),
    share("requests that were coordination only", requests.coordination, requests.count),
    row("kilobytes sent to the model per message", "KB", weight.whole / 1000 / Math.max(1, messages)),
    share("ovld's share of them", shareOf(weight), weight.whole, { atMost: 10 }),
    share("- descriptions of its tools, instructions", weight.tools, weight.whole),
    share("- calls of its tools and answers", weight.calls, weight.whole),
    share("- bells", weight.bells, weight.whole),
    share("- Claude Code's own caution around bells", weight.caution, weight.whole),
    share("the mail's own words", weight.words, weight.whole),
    share("the rituals", weight.rituals, weight.whole),
    row("memory of the relays, most (PSS)", "MiB", relays.mebibytes),
    share("CPU of the relays, of one core", relays.cpuSeconds, seconds),
    row("hook calls per turn", "", hooks.calls / Math.max(1, turns)),
    ...times("a hook before a tool of ours", hooks.beforeTool),
    ...times("the hook at a turn's end", hooks.turnEnd),
  ];
}

/** Includes what Claude Code adds, which it would not say without ovld's bells. */
function shareOf({ tools, calls, bells, caution }: Weight): number {
  return tools + calls + bells + caution;
}

function row(name: string, unit: string, ours: number, bar?: Bar): Row {
  return makeRow({ name, unit, ours, ...(bar && { bar }) });
}

function share(name: string, part: number, whole: number, bar?: Bar): Row {
  return row(name, "%", (100 * part) / Math.max(1, whole), bar);
}

/** The bar applies to the median. */
function times(name: string, samples: number[], bar?: Bar, floor: number[] = []): Row[] {
  return [0.5, 0.95].map((part) => {
    const title = `${name}, p${part * 100} of ${samples.length}`;
    if (samples.length === 0) return makeUnmeasuredRow({ name: title, unit: "ms" }, "no samples");
    return makeRow({
      name: title,
      unit: "ms",
      ours: percentile(samples, part),
      ...(floor.length > 0 && { floor: percentile(floor, part) }),
      ...(bar && part === 0.5 && { bar }),
    });
  });
}
