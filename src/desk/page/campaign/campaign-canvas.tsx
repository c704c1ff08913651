/** The picture itself: drawn on a canvas, moved by dragging and keys, with arrows that open their message. */
import { useEffect, useRef, useState } from "preact/hooks";
import { drawCampaign, findArrow, PICTURE_HEIGHT, type Arrow, type Picture } from "./draw-campaign.ts";

interface CanvasProps {
  picture: Picture;
  label: string;
  onKey: (event: KeyboardEvent) => void;
  onMove: (by: number) => void;
  onZoom: (factor: number, around: number) => void;
  onOpen: (id: string) => void;
}

export function CampaignCanvas({ picture, label, onKey, onMove, onZoom, onOpen }: CanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const arrows = useRef<Arrow[]>([]);
  const drag = useRef<{ x: number; moved: boolean } | undefined>(undefined);
  const [width, setWidth] = useState(0);
  const span = picture.window.until - picture.window.from;
  useEffect(() => {
    const element = canvas.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    // A change of the theme changes every colour.
    const theme = matchMedia("(prefers-color-scheme: dark)");
    const redraw = (): void => setWidth((before) => before + 0.001);
    theme.addEventListener("change", redraw);
    return () => {
      observer.disconnect();
      theme.removeEventListener("change", redraw);
    };
  }, []);
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      if (canvas.current) arrows.current = drawCampaign(canvas.current, picture);
    });
    return () => cancelAnimationFrame(frame);
  });
  useEffect(() => {
    const element = canvas.current;
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const around = picture.window.from + (event.offsetX / (width || 1)) * span;
      onZoom(event.deltaY > 0 ? 1.25 : 0.8, around);
    };
    // Preact's own listener would be passive, and the page would zoom as well.
    element?.addEventListener("wheel", onWheel, { passive: false });
    return () => element?.removeEventListener("wheel", onWheel);
  });
  return (
    <canvas
      ref={canvas}
      class="picture"
      style={{ height: `${PICTURE_HEIGHT}px` }}
      tabIndex={0}
      role="img"
      aria-label={label}
      aria-describedby="campaign-help"
      onKeyDown={onKey}
      onPointerDown={(event) => {
        drag.current = { x: event.clientX, moved: false };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        const from = drag.current;
        if (!from) return;
        const by = event.clientX - from.x;
        if (!from.moved && Math.abs(by) < 4) return;
        drag.current = { x: event.clientX, moved: true };
        onMove((-by / (width || 1)) * span);
      }}
      onPointerUp={(event) => {
        const wasMoved = drag.current?.moved ?? false;
        drag.current = undefined;
        const found = wasMoved ? undefined : findArrow(arrows.current, event.offsetX, event.offsetY);
        if (found) onOpen(found.id);
      }}
    />
  );
}
