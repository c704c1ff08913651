// Writes the tables of docs/benchmarks.md and the figures of both READMEs from the recorded runs; with --check it
// only says whether they are up to date.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";

const BEGIN = "<!-- From here on written by npm run docs -->";
const END = "<!-- Until here -->";
const recorded = new URL("../docs/benchmarks.json", import.meta.url);

const { bench, wake, torture, campaign } = JSON.parse(readFileSync(recorded, "utf8"));
await writeInto(
  "docs/benchmarks.md",
  [
    printCosts(bench),
    printWaking(wake),
    ...(campaign ? [printCampaign(campaign)] : []),
    printTorture(torture),
  ].join("\n\n"),
);
await writeInto("README.md", printFigures("en", "floor"));
await writeInto("README.ja.md", printFigures("ja", "下限"));

async function writeInto(name, text) {
  const file = fileURLToPath(new URL(`../${name}`, import.meta.url));
  const written = readFileSync(file, "utf8");
  const [before, rest = ""] = written.split(BEGIN);
  const [, after = ""] = rest.split(END);
  const wanted = await format(`${before}${BEGIN}\n\n${text}\n\n${END}${after}`, {
    ...(await resolveConfig(file)),
    parser: "markdown",
  });
  if (!process.argv.includes("--check")) return writeFileSync(file, wanted);
  if (wanted === written) return;
  console.error(`${name} does not match the recorded runs. Run npm run docs to update it.`);
  process.exitCode = 1;
}

/** The five most important figures. */
function printFigures(language, floorHead) {
  const idle = wake.rows.find(
    ({ agent, way, state }) => agent === "claude" && way === "socket" && state === "idle",
  );
  const figures = [
    {
      en: "senders and readers killed / messages stored / lost",
      ja: "強制終了した送り手と読み手 / 保存した手紙 / 失われた手紙",
      ours: [torture.rounds, torture.stored, torture.breaches.length].map(count).join(" / "),
      floor: "–",
    },
    {
      en: "an idle Claude Code is woken, p50",
      ja: "待機中の Claude Code を起こすまで、p50",
      ours: `${Math.round(idle.p50)} ms`,
      floor: `${Math.round(median(wake.floors.socket))} ms`,
    },
    {
      en: "a message is stored and synced, p50",
      ja: "手紙の保存と同期、p50",
      ...costOf("send_message, stored and synced, p50"),
    },
    {
      en: "six writers into one inbox",
      ja: "六つの書き手からひとつの受信箱へ",
      ...costOf("six writers into one inbox, synced"),
    },
    {
      en: "memory of six idle relays",
      ja: "待機中の relay 六つのメモリー",
      ...costOf("memory of six idle relays (PSS)"),
    },
  ];
  return formatTable(
    ["", "ovld", floorHead],
    figures.map((figure) => [figure[language], figure.ours, figure.floor]),
  );
}

function costOf(wanted) {
  const { ours, floor, unit } = bench.rows.find(({ name }) => name === wanted);
  return { ours: withUnit(ours, unit), floor: withUnit(floor, unit) };
}

function count(value) {
  return value.toLocaleString("en");
}

function printCosts({ node, cpus, platform, rows }) {
  const cells = rows.map(({ name, ours, floor, unit, ratio, bar, verdict }) => [
    name,
    ours === null ? verdict : withUnit(ours, unit),
    floor === null ? "–" : withUnit(floor, unit),
    ratio === null ? "–" : `${ratio.toFixed(2)} x`,
    bar === null ? "–" : `${bar}${verdict === "missed" ? " (missed)" : ""}`,
  ]);
  const head = ["", "ovld", "floor in the same run", "ratio", "bar"];
  return `## Cost\n\nRecorded with Node ${node}, ${cpus} CPUs, ${platform}.\n\n${formatTable(head, cells)}`;
}

function printWaking({ floors, rows }) {
  const names = { claude: "Claude Code", practice: "practice agent" };
  const cells = rows.map(({ agent, way, state, bells, begun, harm, empty, p50, p95, p99, ...judged }) => [
    names[agent],
    way,
    state,
    ...[bells, begun, harm, empty].map(String),
    `${[p50, p95, p99].map((time) => Math.round(time)).join(" / ")} ms`,
    judged.ratio ? `${judged.ratio.toFixed(1)} x` : "–",
    judged.bar ? `${judged.bar}${judged.verdict === "missed" ? " (missed)" : ""}` : "–",
  ]);
  const figures = ["p50 / p95 / p99", "p50 of the floor", "bar"];
  const head = ["agent", "way", "state", "bells", "begun", "harm", "empty", ...figures];
  const [socket, typing] = [floors.socket, floors.typing].map((times) => Math.round(median(times)));
  const next = `Next to them, until the model is asked: a bare line on the socket ${socket} ms, a bare write of Zellij with its Enter ${typing} ms (p50).`;
  return `## Waking\n\n${formatTable(head, cells)}\n\n${next}`;
}

function printCampaign({ messages, requests, turns, seconds, seed, load, rows }) {
  const cells = rows.map(({ name, ours, floor, unit, bar, verdict }) => [
    name,
    ours === null ? verdict : withUnit(ours, unit).trimEnd(),
    floor === null ? "–" : withUnit(floor, unit),
    bar === null ? "–" : `${bar}${verdict === "missed" ? " (missed)" : ""}`,
  ]);
  const run = `${messages} messages, ${count(requests.count)} requests and ${turns} turns in ${Math.round(seconds)} s (seed ${seed}, load ${load.toFixed(1)} before it began).`;
  return `## A campaign\n\n${run}\n\n${formatTable(["", "ovld", "floor in the same run", "goal"], cells)}`;
}

function printTorture({ rounds, stored, redelivered, breaches }) {
  const [times, answered, back] = [rounds, stored, redelivered].map(count);
  const outcome =
    breaches.length === 0
      ? "None was lost, doubled unmarked or damaged."
      : `Promises broken: ${breaches.length}.`;
  return `## Torture\n\n${times} senders and readers were killed. ${answered} messages were answered as stored; ${back} of them came back after their reader's death, marked. ${outcome}`;
}

function formatTable(head, rows) {
  const lines = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return lines.join("\n");
}

/** Three significant digits, and no fraction if none was measured. */
function withUnit(value, unit) {
  const digits = Number.isInteger(value) || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${unit}`;
}

function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;
}
