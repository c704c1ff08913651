/** Draws what a terminal showed over time as an animated SVG picture, which shows its last frame where nothing moves. */
import { CELL, MARGIN, type Theme } from "./draw-screen.ts";

export interface Frame {
  /** Milliseconds since the film began. */
  at: number;
  rows: readonly string[];
}

/** How long the last frame is shown. */
const END_MS = 6_000;

export function drawFilm(frames: readonly Frame[], columns: number, title: string, theme: Theme): string {
  const last = frames.at(-1);
  if (last === undefined) throw new Error("nothing was filmed");
  const whole = last.at + END_MS;
  const percent = (at: number): string => `${((100 * at) / whole).toFixed(2)}%`;
  const width = columns * CELL.width + 2 * MARGIN;
  const height = last.rows.length * CELL.height + 2 * MARGIN;
  const rules: string[] = [];
  const groups = last.rows.flatMap((final, row) =>
    [...new Set(frames.map(({ rows }) => rows[row] ?? ""))].flatMap((look) => {
      const shown = frames.map(({ rows }) => rows[row] === look);
      if (look === "") return [];
      if (shown.every(Boolean)) return [look];
      const name = `k${rules.length}`;
      const steps = frames.flatMap(({ at }, index) =>
        shown[index] === (shown[index - 1] ?? !shown[index])
          ? []
          : [`${percent(at)}{visibility:${shown[index] ? "visible" : "hidden"}}`],
      );
      rules.push(`@keyframes ${name}{${steps.join("")}}.${name}{animation-name:${name}}`);
      return [`<g class="${name}"${look === final ? "" : ' visibility="hidden"'}>${look}</g>`];
    }),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, monospace" font-size="13">
<title>${title}</title>
<style>g{animation:${whole}ms step-end infinite}@media(prefers-reduced-motion:reduce){g{animation:none!important}}
${rules.join("\n")}</style>
<rect width="${width}" height="${height}" rx="8" fill="${theme.paper}"/>
${groups.join("\n")}
</svg>
`;
}
