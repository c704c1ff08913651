/** The campaign as a picture that can be moved, zoomed and filtered, with the same messages as a list. */
import { useMemo, useState } from "preact/hooks";
import { ROLES, type Role } from "../../../army/roles.ts";
import { STAGES } from "../../../army/words.ts";
import type { JournalOverview } from "../../../mail/journal/journal-window.ts";
import { clockOf } from "../../../view/format-entry.ts";
import type { UsageByRole } from "../../follow-usage.ts";
import { useTexts } from "../page-parts.tsx";
import type { EntryListener } from "../use-army.ts";
import { CampaignCanvas } from "./campaign-canvas.tsx";
import type { CampaignSource } from "./campaign-source.ts";
import { MessageList, MessageStoryView } from "./messages.tsx";
import { useCampaign, type CampaignWindow } from "./use-campaign.ts";

interface CampaignProps {
  source: CampaignSource;
  usage: UsageByRole;
  now: number;
  /** Undefined if nothing can happen any more. */
  listeners: Set<EntryListener> | undefined;
}

export function CampaignView({ source, usage, now, listeners }: CampaignProps) {
  const { page } = useTexts().desk;
  const [role, setRole] = useState<Role>();
  const [text, setText] = useState("");
  const [open, setOpen] = useState<string>();
  const { window, timeline, overview, cutAt, problem, show } = useCampaign(source, text, now, listeners);
  const { from, until } = window;
  const span = until - from;
  const move = (by: number): void => show({ from: from + by, until: until + by });
  const zoom = (factor: number, around = until): void =>
    show({ from: around - (around - from) * factor, until: around + (until - around) * factor });
  const messages = useMemo(() => {
    const all = [...timeline.messages.values()];
    return role === undefined ? all : all.filter((message) => message.from === role || message.to === role);
  }, [timeline, role]);
  const marks = useMemo(
    () =>
      timeline.marks.filter((mark) => role === undefined || mark.role === undefined || mark.role === role),
    [timeline, role],
  );
  const onKey = (event: KeyboardEvent): void => {
    const act = {
      ArrowLeft: () => move(-span / 4),
      ArrowRight: () => move(span / 4),
      "+": () => zoom(0.5, until - span / 2),
      "-": () => zoom(2, until - span / 2),
    }[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  const buttons: [string, () => void][] = [
    [page.earlier, () => move(-span / 2)],
    [page.later, () => move(span / 2)],
    [page.zoomIn, () => zoom(0.5)],
    [page.zoomOut, () => zoom(2)],
    [page.now, () => show({ from: now - span, until: now })],
  ];
  if (overview) buttons.push([page.everything, () => show({ from: overview.from, until: overview.until })]);
  return (
    <section aria-labelledby="campaign" class="campaign">
      <h2 id="campaign">{page.campaign}</h2>
      <p class="note" id="campaign-help">
        {page.campaignHelp}
      </p>
      <div class="controls">
        {buttons.map(([label, act]) => (
          <button key={label} type="button" onClick={act}>
            {label}
          </button>
        ))}
        <label>
          {page.onlyRole}{" "}
          <select onChange={(event) => setRole(ROLES.find((each) => each === event.currentTarget.value))}>
            <option value="">{page.allRoles}</option>
            {ROLES.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
        <label>
          {page.search}{" "}
          <input type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
      </div>
      <CampaignCanvas
        picture={{ window, messages, marks, usage, now, person: page.you, highlighted: open }}
        label={page.campaign}
        onKey={onKey}
        onMove={move}
        onZoom={zoom}
        onOpen={setOpen}
      />
      <ul class="legend">
        {STAGES.map((stage) => (
          <li key={stage} class={`stage-${stage}`}>
            {page.stages[stage]}
          </li>
        ))}
      </ul>
      {overview && <Overview overview={overview} window={window} onShow={show} />}
      {cutAt !== undefined && <p class="note">{page.cut(clockOf(new Date(cutAt)))}</p>}
      {problem !== undefined && <p class="note">{page.failed(problem)}</p>}
      <MessageList messages={messages} window={window} open={open} onOpen={setOpen} />
      {open !== undefined && (
        <MessageStoryView key={open} id={open} source={source} onClose={() => setOpen(undefined)} />
      )}
    </section>
  );
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
