/** The report: an aligned table for people, or one JSON document for programs. */
import { cpus } from "node:os";
import type { Options } from "./options.ts";
import type { Row } from "./row.ts";
import { formatTable } from "./table.ts";

export function printReport(rows: Row[], { json, quick }: Pick<Options, "json" | "quick">): string {
  const machine = describeMachine();
  if (json) return `${JSON.stringify({ ...machine, rows })}\n`;
  const title = `Node ${machine.node}, ${machine.cpus} CPUs, ${machine.platform}`;
  const cells = rows.map((row) => [
    row.name,
    row.ours === null ? "-" : `${printNumber(row.ours)} ${row.unit}`,
    row.floor === null ? "-" : `${printNumber(row.floor)} ${row.unit}`,
    row.ratio === null ? "-" : `${row.ratio.toFixed(2)} x`,
    row.bar ?? "-",
    row.verdict ?? "-",
  ]);
  const table = formatTable([["what", "ours", "floor", "ratio", "bar", "verdict"], ...cells]);
  return `${title}${quick ? " (quick: too few samples to judge by)" : ""}\n\n${table}`;
}

export function describeMachine(): { node: string; cpus: number; platform: string } {
  return { node: process.version, cpus: cpus().length, platform: process.platform };
}

/** Three significant digits, and no fraction if none was measured. */
function printNumber(value: number): string {
  if (Number.isInteger(value) || value >= 100) return value.toFixed(0);
  return value.toFixed(value >= 10 ? 1 : 2);
}
