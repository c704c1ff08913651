// Writes the tables of docs/benchmarks.md, and the figures of the READMEs and guides, from the recorded runs; with
// --check it only says whether they are up to date.
import { readGenerated, writeBetween, writeGenerated } from "./write-generated.mjs";

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
  return `## Cost\n\nRecorded with Node ${node}, ${cpus} CPUs, ${platform}. An \`x\` in a bar is a multiple of the floor.\n\n${formatTable(head, cells)}\n\n${formatHubSizes(rows)}`;
}

/** A row for each figure of a hub, a column for each number of its armies. */
function formatHubSizes(rows) {
  const figures = new Map();
  const sizes = new Set();
  for (const { name, ours, unit, verdict } of rows) {
    const [, size, figure] = HUB_OF_SIZE.exec(name) ?? [];
    if (size === undefined) continue;
    sizes.add(size);
    figures.set(figure, [...(figures.get(figure) ?? []), ours === null ? verdict : withUnit(ours, unit)]);
  }
  return formatTable(
    ["a hub with", ...sizes],
    [...figures].map(([figure, values]) => [figure, ...values]),
  );
}

function formatWaking({ floors, rows }) {
  const names = { claude: "Claude Code", practice: "practice agent" };
  const cells = rows.map(({ agent, way, state, bells, begun, harm, empty, p50, p95, p99, verdict }) => [
    names[agent],
    way,
    state,
    ...[bells, begun, harm, empty].map(String),
    `${[p50, p95, p99].map((time) => Math.round(time)).join(" / ")} ms${verdict === "missed" ? " (missed)" : ""}`,
  ]);
  const head = ["agent", "way", "state", "bells", "begun", "harm", "empty", "p50 / p95 / p99"];
  const [socket, typing] = [floors.socket, floors.typing].map((times) => Math.round(median(times)));
  const next = `Next to them, until the model is asked: a bare line on the socket ${socket} ms, a bare write of Zellij with its Enter ${typing} ms (p50).`;
  return `## Waking\n\n${formatTable(head, cells)}\n\n${next}`;
}

function formatCampaign({ messages, requests, turns, seconds, seed, load, rows }) {
  const run = `${messages} messages, ${count(requests.count)} requests and ${turns} turns in ${Math.round(seconds)} s (seed ${seed}, load ${load.toFixed(1)} before it began).`;
  return `## A campaign\n\n${run}\n\n${formatCompared(rows, "goal")}`;
}

function formatWork({ seed, load, rows }) {
  return `## Landing\n\nSeed ${seed}, load ${load.toFixed(1)} before it began.\n\n${formatCompared(rows, "bar")}`;
}

/** Only the rows with a floor or a bar; the other figures are in benchmarks.json. */
function formatCompared(rows, lastHead) {
  const cells = rows
    .filter(({ floor, bar }) => floor !== null || bar !== null)
    .map(({ name, ours, floor, unit, bar, verdict }) => [
      name,
      ours === null ? verdict : withUnit(ours, unit).trimEnd(),
      floor === null ? "–" : withUnit(floor, unit).trimEnd(),
      bar === null ? "–" : `${bar}${verdict === "missed" ? " (missed)" : ""}`,
    ]);
  return formatTable(["", "ovld", "floor in the same run", lastHead], cells);
}

function formatTorture({ rounds, stored, redelivered, breaches }, trees) {
  const [times, answered, back] = [rounds, stored, redelivered].map(count);
  const outcome = kept(breaches, "None was lost, doubled unmarked or damaged.");
  const mail = `${times} senders and readers were killed. ${answered} messages were answered as stored; ${back} of them came back after their reader's death, marked. ${outcome}`;
  return `## Torture\n\n${mail}\n\n${formatTreesTorture(trees)}`;
}

function formatTreesTorture({ rounds, killed, handed, landed, returned, breaches }) {
  const [times, of, given, done, back] = [sumOf(killed), rounds, handed, landed, returned].map(count);
  const outcome = kept(breaches, "No commit that was handed in was lost, and nothing landed red.");
  return `With trees, those who worked, landed or tidied up were killed in ${times} of ${of} rounds. ${given} tasks were handed in, ${done} landed, ${back} were returned. ${outcome}`;
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
