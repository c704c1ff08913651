/** The whole campaign in a strip: how much happened when, and which part is shown. A click goes there. */
import type { JournalOverview } from "../../mail/journal/journal-overview.ts";
import type { CampaignWindow } from "./use-campaign.ts";

interface OverviewProps {
  overview: JournalOverview;
  window: CampaignWindow;
  onShow: (window: CampaignWindow) => void;
}

const HEIGHT = 36;

export function Overview({ overview, window, onShow }: OverviewProps) {
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
