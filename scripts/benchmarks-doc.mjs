// Writes the tables of docs/benchmarks.md, and the figures of the READMEs and guides, from the recorded runs; with
// --check it only says whether they are up to date.
import { readGenerated, writeBetween, writeGenerated } from "./write-generated.mjs";

const LANDING_OF_SIZE = /^landing, (\d+) ready: (.*)$/;
const HUB_OF_SIZE = /^hub with (\d+ arm(?:y|ies)): (.*)$/;
const {
  bench,
  wake,
  torture,
  trees: killedInTrees,
  campaign,
  work,
} = JSON.parse(readGenerated("docs/benchmarks.json"));
await writeBetween(
  "docs/benchmarks.md",
  [
    formatCosts(bench),
    formatWaking(wake),
    formatCampaign(campaign),
    formatWork(work),
    formatTorture(torture, killedInTrees),
  ].join("\n\n"),
);
for (const [path, figures] of Object.entries(figuresInProse())) await writeFigures(path, figures);

/** The figures between other words, by the words around each: `#` stands for it. */
function figuresInProse() {
  const idle = wake.rows.find(
    ({ agent, way, state }) => agent === "claude" && way === "socket" && state === "idle",
  );
  const killed = count(torture.rounds);
  const stored = count(torture.stored);
  const lost = count(torture.breaches.length);
  const woken = `${Math.round(idle.p50)} ms`;
  const sum = (name) => wake.rows.reduce((total, row) => total + row[name], 0);
  const bells = count(sum("bells"));
  const unanswered = count(sum("bells") - sum("begun"));
  const harm = count(sum("harm"));
  const inTrees = count(sumOf(killedInTrees.killed));
  const handedIn = count(killedInTrees.handed);
  const workLost = count(killedInTrees.breaches.length);
  const requests = campaign.rows.find(({ name }) => name === "requests per message").ours.toFixed(1);
  return {
    "README.md": [
      ["Proof: # senders and readers were killed", killed],
      ["of # stored messages", stored],
      ["stored messages # were lost", lost],
      ["begins to read after # (p50)", woken],
      ["of # wake-ups", bells],
      ["wake-ups # went unanswered", unanswered],
      ["and did harm # times", harm],
      ["tidy up were killed # times", inTrees],
      ["of # tasks handed in", handedIn],
      ["tasks handed in # were lost or landed red", workLost],
    ],
    "README.ja.md": [
      ["送り手と読み手を # 回強制終了", killed],
      ["保存した # 通", stored],
      ["失われたものは # 通でした", lost],
      ["Claude Code は #（中央値）", woken],
      ["# 回の通知のうち", bells],
      ["応答のなかったものは # 回でした", unanswered],
      ["害は # 回でした", harm],
      ["あらゆる段階で # 回強制終了", inTrees],
      ["提出された # 件", handedIn],
      ["取り込まれたものは # 件でした", workLost],
    ],
    "docs/guides/cost.md": [["# requests to the model for each message", requests]],
    "docs/guides/ja/cost.md": [["手紙 1 通につき # 回", requests]],
  };
}

async function writeFigures(path, figures) {
  let wanted = readGenerated(path);
  for (const [words, figure] of figures) {
    const [before, after] = words.split("#").map((part) => part.replaceAll(/[()]/g, "\\$&"));
    const place = new RegExp(`(?<=${before})\\d[\\d.,]*(?: ms)?(?=${after})`, "g");
    if (wanted.match(place)?.length !== 1) throw new Error(`${path} does not say once: ${words}`);
    wanted = wanted.replace(place, figure);
  }
  await writeGenerated(path, wanted);
}

/** Of the figures in an object. */
function sumOf(figures) {
  return Object.values(figures).reduce((sum, each) => sum + each, 0);
}

function count(value) {
  return value.toLocaleString("en");
}

function formatCosts({ node, cpus, platform, rows }) {
  const single = rows.filter(({ name, bar }) => bar !== null && !HUB_OF_SIZE.test(name));
  const cells = single.map(({ name, ours, floor, unit, bar, verdict }) => [
    name,
    ours === null ? verdict : withUnit(ours, unit),
    floor === null ? "–" : withUnit(floor, unit),
    `${bar}${verdict === "missed" ? " (missed)" : ""}`,
  ]);
  const head = ["", "ovld", "floor in the same run", "bar"];
  return `## Cost\n\nRecorded with Node ${node}, ${cpus} CPUs, ${platform}. An \`x\` in a bar is a multiple of the floor.\n\n${formatTable(head, cells)}\n\n${formatSizes(rows, HUB_OF_SIZE, "a hub with")}`;
}

/** A row for each figure, a column for each number of what there was; with the floor, if there is one. */
function formatSizes(rows, pattern, head) {
  const figures = new Map();
  const sizes = new Set();
  for (const { name, ours, floor, unit, verdict } of rows) {
    const [, size, figure] = pattern.exec(name) ?? [];
    if (size === undefined) continue;
    sizes.add(size);
    const both = [ours, floor].filter((each) => each !== null).map((each) => withUnit(each, "").trimEnd());
    const cell = ours === null ? verdict : `${both.join(" / ")}${verdict === "missed" ? " (missed)" : ""}`;
    const label = unit === "" ? figure : `${figure} (${unit})`;
    figures.set(label, [...(figures.get(label) ?? []), cell]);
  }
  return formatTable(
    [head, ...sizes],
    [...figures].map(([figure, values]) => [figure, ...values]),
  );
}

function formatWaking({ floors, rows }) {
  const names = { claude: "Claude", practice: "practice" };
  const cells = rows.map(({ agent, way, state, bells, begun, harm, empty, p50, p95, p99, verdict }) => [
    names[agent],
    way,
    state,
    ...[bells, begun, harm, empty].map(String),
    `${[p50, p95, p99].map((time) => Math.round(time)).join(" / ")}${verdict === "missed" ? " (missed)" : ""}`,
  ]);
  const head = ["agent", "way", "state", "bells", "begun", "harm", "empty", "p50 / p95 / p99 (ms)"];
  const [socket, typing] = [floors.socket, floors.typing].map((times) => Math.round(median(times)));
  const next = `Floors: a bare line on the socket ${socket} ms, a bare write ${typing} ms (p50).`;
  return `## Waking\n\n${formatTable(head, cells)}\n\n${next}`;
}

function formatCampaign({ messages, requests, turns, seconds, seed, load, rows }) {
  // The other figures are only in benchmarks.json.
  const cells = rows
    .filter(({ floor, bar }) => floor !== null || bar !== null)
    .map(({ name, ours, floor, unit, bar, verdict }) => [
      name,
      ours === null ? verdict : withUnit(ours, unit).trimEnd(),
      floor === null ? "–" : withUnit(floor, unit).trimEnd(),
      bar === null ? "–" : `${bar}${verdict === "missed" ? " (missed)" : ""}`,
    ]);
  const run = `${messages} messages, ${count(requests.count)} requests and ${turns} turns in ${Math.round(seconds)} s (seed ${seed}, load ${load.toFixed(1)} before it began).`;
  return `## A campaign\n\n${run}\n\n${formatTable(["", "ovld", "floor in the same run", "goal"], cells)}`;
}

function formatWork({ seed, load, rows }) {
  const figure = (words) => count(Math.round(rows.find(({ name }) => name.startsWith(words)).ours));
  const run = `${figure("tasks landed at once")} tasks landed at once, ${figure("landed after")} after their owners had mended them (${figure("returned for")} conflicts, ${figure("returned red")} red); ${figure("landed red")} landed red, ${figure("lost")} were lost. Six processes claimed ${figure("claims by")} tasks a second, ${figure("claims, doubled")} twice (seed ${seed}, load ${load.toFixed(1)} before it began).`;
  return `## Landing\n\n${run}\n\n${formatSizes(rows, LANDING_OF_SIZE, "branches ready together")}`;
}

function formatTorture({ rounds, stored, redelivered, breaches }, trees) {
  const [times, answered, back] = [rounds, stored, redelivered].map(count);
  const outcome = kept(breaches, "None was lost, doubled unmarked or damaged.");
  const mail = `${times} senders and readers were killed. ${answered} messages were answered as stored; ${back} came back after their reader's death, marked. ${outcome}`;
  return `## Torture\n\n${mail}\n\n${formatTreesTorture(trees)}`;
}

function formatTreesTorture({ rounds, killed, landed, returned, breaches }) {
  const [times, of, done, back] = [sumOf(killed), rounds, landed, returned].map(count);
  const outcome = kept(breaches, "No commit that was handed in was lost, and nothing landed red.");
  return `With trees, those who work, land and tidy up were killed in ${times} of ${of} rounds. ${done} tasks landed, ${back} were returned. ${outcome}`;
}

function kept(breaches, promise) {
  return breaches.length === 0 ? promise : `Promises broken: ${breaches.length}.`;
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
