/** The desk: how soon it starts, what it weighs, and how soon a page shows what happens, in a real Chromium. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { openMail, type Mail } from "../../src/mail/mail.ts";
import { launchBrowser, provideChromium } from "../../test/support/browser.ts";
import { plantJournal } from "../../test/support/plant-journal.ts";
import { samplePairs } from "../pairs.ts";
import { OVLD } from "../relay-process.ts";
import { makeRow, makeUnmeasuredRow, type Row } from "../row.ts";
import { median } from "../statistics.ts";
import { timeBareNode } from "../time-node.ts";
import type { Child, Workplace } from "../workplace.ts";
import { readProportionalSetSize } from "./memory.ts";

const STARTS = 15;
const EVENTS = 40;
const LONG = 100_000;
const MOVES = 60;

const COSTS = {
  start: { name: "ovld desk, until its link is printed", unit: "ms", bar: { timesFloor: 3 } },
  page: { name: "the desk's page, compressed", unit: "kB", bar: { atMost: 100 } },
  memory: { name: "memory of a desk with an open page (PSS)", unit: "MiB", bar: { atMost: 90 } },
  seen: { name: "a message is stored → visible on the page, p50", unit: "ms", bar: { atMost: 100 } },
  opened: { name: "a campaign of 100,000 events is opened, p50", unit: "ms", bar: { atMost: 1_000 } },
  frame: { name: "longest frame while it is moved", unit: "ms", bar: { atMost: 50 } },
} as const;

export async function measureDesk(place: Workplace): Promise<Row[]> {
  const [config, mail] = plantArmy(place);
  const start = async (): Promise<number> => {
    const desk = await startDesk(place, config);
    desk.child.kill("SIGKILL");
    return desk.took;
  };
  const { ours, floor } = await samplePairs(place.samples(STARTS), start, () => timeBareNode(place));
  const rows = [
    makeRow({ ...COSTS.start, ours: median(ours), floor: median(floor) }),
    makeRow({ ...COSTS.page, ours: sizeOfPage() }),
  ];
  const chromium = provideChromium();
  if ("lack" in chromium) {
    const { memory, seen, opened, frame } = COSTS;
    return [...rows, ...[memory, seen, opened, frame].map((cost) => makeUnmeasuredRow(cost, chromium.lack))];
  }
  return [...rows, ...(await measurePage(place, config, mail, chromium.program))];
}

async function measurePage(place: Workplace, config: string, mail: Mail, chromium: string): Promise<Row[]> {
  const closing: (() => void | Promise<void>)[] = [];
  const sandbox = {
    root: place.makeFolder(),
    env: { PATH: process.env["PATH"] ?? "", HOME: place.makeFolder() },
    defer: (close: () => void | Promise<void>) => void closing.push(close),
  };
  const browser = await launchBrowser(sandbox, chromium);
  try {
    const desk = await startDesk(place, config);
    const page = await browser.open(desk.link);
    await page.locator("[data-message]").first().waitFor();
    const opened: number[] = [];
    for (let sample = 0; sample < place.samples(7); sample += 1) {
      await page.reload({ waitUntil: "commit" });
      opened.push(await page.evaluate<number>(UNTIL_SHOWN));
    }
    const frame = await longestFrame(page);
    await page.getByRole("button", { name: "Now" }).click();
    const seen: number[] = [];
    for (let sample = 0; sample < place.samples(EVENTS); sample += 1)
      seen.push(await timeMessage(page, mail, sample));
    const mebibytes = readProportionalSetSize(desk.child.pid) / 1024;
    return [
      makeRow({ ...COSTS.memory, ours: mebibytes }),
      makeRow({ ...COSTS.seen, ours: median(seen) }),
      makeRow({ ...COSTS.opened, ours: median(opened) }),
      makeRow({ ...COSTS.frame, ours: frame }),
    ];
  } finally {
    for (const close of closing) await close();
  }
}

/** From the beginning of the navigation until the first message is in the list. */
const UNTIL_SHOWN = `new Promise((resolve) => {
  const look = () => document.querySelector("[data-message]") ? resolve(performance.now()) : requestAnimationFrame(look);
  look();
})`;

async function timeMessage(page: Page, mail: Mail, number: number): Promise<number> {
  const subject = `measured ${number}`;
  const shown = page.evaluate<number>(`new Promise((resolve) => {
    const look = () => document.body.textContent.includes("${subject} ")
      ? resolve(performance.timeOrigin + performance.now()) : requestAnimationFrame(look);
    look();
  })`);
  // The page has to be looking before there is something to see.
  await page.evaluate("new Promise(requestAnimationFrame)");
  const began = performance.timeOrigin + performance.now();
  mail.deliver({ from: "overlord", to: "storm", subject: `${subject} `, body: "x", priority: "normal" });
  return (await shown) - began;
}

async function longestFrame(page: Page): Promise<number> {
  await page.getByRole("img", { name: "Campaign" }).focus();
  await page.evaluate(`
    globalThis.frames_ = [];
    let before = performance.now();
    const note = (now) => { globalThis.frames_.push(now - before); before = now; requestAnimationFrame(note); };
    requestAnimationFrame(note);
  `);
  for (let move = 0; move < MOVES; move += 1) await page.keyboard.press("ArrowLeft");
  return page.evaluate<number>("Math.max(...globalThis.frames_.slice(1))");
}

function plantArmy(place: Workplace): [config: string, mail: Mail] {
  const config = place.makeFolder();
  const relayDir = join(config, "ovld", "relay");
  mkdirSync(relayDir, { recursive: true });
  const mail = openMail(relayDir);
  mail.init();
  plantJournal(relayDir, { entries: LONG, end: Date.now() });
  return [config, mail];
}

async function startDesk(
  place: Workplace,
  config: string,
): Promise<{ child: Child; link: string; took: number }> {
  const began = performance.now();
  const child = place.startNode([OVLD, "desk", "--json"], { XDG_CONFIG_HOME: config });
  const line = await new Promise<string>((resolve) => {
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      text += part;
      if (text.includes("\n")) resolve(text);
    });
  });
  const { link }: { link: string } = JSON.parse(line);
  return { child, link, took: performance.now() - began };
}

function sizeOfPage(): number {
  const folder = join(process.cwd(), "dist", "desk-page");
  const files = ["page.js", "page.css"].map((name) => gzipSync(readFileSync(join(folder, name))).length);
  return files.reduce((sum, bytes) => sum + bytes, 0) / 1_000;
}
