import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { makeStore, type StoreFixture } from "../../../support/store.ts";

const START = Date.parse("2026-11-15T00:00:00.000Z");

/** One entry a second, in segments of 1,000 entries. */
function plant(store: StoreFixture, count: number, body = "x".repeat(300)): void {
  mkdirSync(store.path("journal"), { recursive: true });
  const lines = Array.from({ length: count }, (_, second) => {
    const at = new Date(START + second * 1_000).toISOString();
    const message = { from: "overlord", to: "storm", subject: `order ${second}`, body, priority: "normal" };
    return `${JSON.stringify({ at, event: "stored", id: `id-${second}`, ...message, timestamp: at })}\n`;
  });
  for (let segment = 0; segment * 1_000 < count; segment += 1) {
    const isLast = (segment + 1) * 1_000 >= count;
    const name = isLast ? "journal.jsonl" : `journal/${String(segment + 1).padStart(8, "0")}.jsonl`;
    writeFileSync(store.path(name), lines.slice(segment * 1_000, (segment + 1) * 1_000).join(""));
  }
}

function subjectsIn(store: StoreFixture, from: number, until: number, most = 10_000): string[] {
  const { entries } = store.mail.journalWindow({
    from: START + from * 1_000,
    until: START + until * 1_000,
    most,
  });
  return entries.map((entry) => (entry.event === "stored" ? entry.subject : entry.event));
}

it("a window has exactly the entries of its time, oldest first, across the journal's files", async () => {
  await using store = makeStore();
  plant(store, 3_500);
  expect(subjectsIn(store, 1_990, 2_010)).toEqual(
    Array.from({ length: 21 }, (_, index) => `order ${1_990 + index}`),
  );
  expect(subjectsIn(store, 0, 3)).toEqual(["order 0", "order 1", "order 2", "order 3"]);
  expect(subjectsIn(store, 3_498, 9_999)).toEqual(["order 3498", "order 3499"]);
  expect(subjectsIn(store, -100, -1)).toEqual([]);
});

it("of too many entries a window has the newest, and says that there are more", async () => {
  await using store = makeStore();
  plant(store, 3_500);
  const window = store.mail.journalWindow({ from: -Infinity, until: Infinity, most: 3 });
  expect(window.isCut).toBe(true);
  expect(window.entries.map(({ at }) => Date.parse(at) - START)).toEqual([3_497_000, 3_498_000, 3_499_000]);
});

it("a window without a beginning or an end has the whole journal", async () => {
  await using store = makeStore();
  plant(store, 2_100);
  const { entries, isCut } = store.mail.journalWindow({ from: -Infinity, until: Infinity, most: 1e9 });
  expect([entries.length, isCut]).toEqual([2_100, false]);
});

it("a line longer than what is read at a time is found, and a damaged one does not hide its neighbours", async () => {
  await using store = makeStore();
  plant(store, 4, "長い".repeat(100_000));
  const text = readFileSync(store.path("journal.jsonl"), "utf8").split("\n");
  writeFileSync(
    store.path("journal.jsonl"),
    [text[0], '{"at":"2026-11-15T00:00:01.0', ...text.slice(2)].join("\n"),
  );
  expect(subjectsIn(store, 0, 9)).toEqual(["order 0", "order 2", "order 3"]);
});

it("the overview has the journal's first and last moment, and shows a pause as a pause", async () => {
  await using store = makeStore();
  expect(store.mail.journalOverview(10)).toBeUndefined();
  plant(store, 3_500);
  const full = store.mail.journalOverview(10);
  expect(full?.from).toBe(START);
  expect(full?.until).toBeGreaterThan(START + 3_400_000);
  const [least, most] = [Math.min(...(full?.parts ?? [])), Math.max(...(full?.parts ?? []))];
  expect(least).toBeGreaterThan(most / 2);
  const late = readFileSync(store.path("journal.jsonl"), "utf8").replaceAll("2026-11-15", "2026-11-16");
  writeFileSync(store.path("journal.jsonl"), late);
  const parts = store.mail.journalOverview(10)?.parts ?? [];
  expect(parts.slice(1, 9)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  expect(parts[0]).toBeGreaterThan(0);
  expect(parts[9]).toBeGreaterThan(0);
});
