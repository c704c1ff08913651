/** The picture of a campaign: moved by dragging and keys, with arrows that open their message. */
import { useEffect, useRef, useState } from "preact/hooks";
import { usePage } from "../page-parts.tsx";
import { cleanForScreen } from "../../../system/clean-text.ts";
import { RoleName } from "../marks.tsx";
import {
  drawCampaign,
  findArrow,
  gutterOf,
  PICTURE_HEIGHT,
  type Arrow,
  type Picture,
} from "./draw-campaign.ts";

interface PictureProps {
  picture: Picture;
  onMove: (by: number) => void;
  onZoom: (factor: number, around: number) => void;
  onOpen: (id: string) => void;
}

interface Hovered {
  arrow: Arrow;
  x: number;
  y: number;
}

export function CampaignPicture({ picture, onMove, onZoom, onOpen }: PictureProps) {
  const { words, now } = usePage();
  const [hovered, setHovered] = useState<Hovered>();
  const svg = useRef<SVGSVGElement>(null);
  const drag = useRef<{ x: number; moved: boolean } | undefined>(undefined);
  const [width, setWidth] = useState(1);
  const { from, until } = picture.window;
  const span = until - from;
  const gutter = gutterOf(width);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width || 1));
    if (svg.current) observer.observe(svg.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      onZoom(event.deltaY > 0 ? 1.25 : 0.8, from + ((event.offsetX - gutter) / (width - gutter)) * span);
    };
    const element = svg.current;
    // Preact's own listener would be passive, and the page would zoom as well.
    element?.addEventListener("wheel", onWheel, { passive: false });
    return () => element?.removeEventListener("wheel", onWheel);
  });
  const onKey = (event: KeyboardEvent): void => {
    const act = {
      ArrowLeft: () => onMove(-span / 4),
      ArrowRight: () => onMove(span / 4),
      "+": () => onZoom(0.5, until - span / 2),
      "-": () => onZoom(2, until - span / 2),
    }[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  const { shapes, signs, labels, arrows } = drawCampaign(picture, { width, now, person: words.you });
  const near = (event: PointerEvent): Arrow | undefined => findArrow(arrows, event.offsetX, event.offsetY);
  return (
    <div class="picture-frame">
      <svg
        ref={svg}
        class={hovered ? "picture pointing" : "picture"}
        height={PICTURE_HEIGHT}
        tabindex={0}
        role="img"
        aria-label={words.campaign}
        aria-describedby="campaign-help"
        onKeyDown={onKey}
        onPointerDown={(event) => {
          drag.current = { x: event.clientX, moved: false };
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={(event) => {
          const start = drag.current;
          const arrow = start ? undefined : near(event);
          setHovered(arrow && { arrow, x: event.offsetX, y: event.offsetY });
          if (!start) return;
          const by = event.clientX - start.x;
          if (!start.moved && Math.abs(by) < 4) return;
          drag.current = { x: event.clientX, moved: true };
          onMove((-by / (width - gutter)) * span);
        }}
        onPointerUp={(event) => {
          const wasMoved = drag.current?.moved ?? false;
          drag.current = undefined;
          const found = wasMoved ? undefined : near(event);
          if (found) onOpen(found.message.id);
        }}
        onPointerLeave={() => setHovered(undefined)}
      >
        {labels.map(({ look, text, x, y }, index) => (
          <text key={index} class={look} x={x} y={y}>
            {text}
          </text>
        ))}
        {shapes.map(({ look, path }, index) => (
          <path key={index} class={look} d={path} />
        ))}
        {signs.map(({ look, path, x, y }) => (
          <path key={look} class={`sigil ${look}`} d={path} transform={`translate(${x} ${y})`} />
        ))}
      </svg>
      {hovered && <Tip {...hovered} width={width} />}
    </div>
  );
}

/** What an arrow means, beside the pointer on the side that has room. */
function Tip({ arrow: { message }, x, y, width }: Hovered & { width: number }) {
  const { texts, words, now } = usePage();
  const { from, to, subject, stored, read } = message;
  const age = texts.status.age(((read ?? now) - stored) / 1_000);
  const side = x > width / 2 ? { right: `${width - x + 12}px` } : { left: `${x + 12}px` };
  return (
    <div class="card tip" role="tooltip" style={{ ...side, top: `${y + 12}px` }}>
      <RoleName role={from} /> → <RoleName role={to} /> <bdi>{cleanForScreen(subject)}</bdi>{" "}
      <small>{read === undefined ? words.unreadFor(age) : words.readAfter(age)}</small>
    </div>
  );
}
