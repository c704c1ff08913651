import { expect, it } from "vitest";
import { formatError } from "../../../src/i18n/sentences.ts";
import { TEXTS } from "../../support/texts.ts";

const { doctor, log, practice, send, session, status } = TEXTS.en;
const { sentences } = doctor;
const pidsOf = (count: number): string =>
  Array.from({ length: count }, (_each, index) => 41 + index).join(", ");

const COUNTED: [string, (count: number) => string, string, string][] = [
  [
    "a full inbox",
    (limit) => formatError({ code: "inbox-full", facts: { role: "storm", limit } }, TEXTS.en),
    "1 waiting message,",
    "2 waiting messages,",
  ],
  [
    "deleted mail",
    (count) => session.unread.deleted(count, "r"),
    "1 waiting message ",
    "2 waiting messages ",
  ],
  [
    "archived mail",
    (count) => session.archived("a@1", count, count, "r"),
    "for 1 day, with 1 waiting message (r): a@1.",
    "for 2 days, with 2 waiting messages (r): a@1.",
  ],
  [
    "killed processes",
    (count) => session.hadToKill(count),
    "1 process did not end by itself and had to be killed.",
    "2 processes did not end by themselves and had to be killed.",
  ],
  ["survivors", (count) => session.notEnded(pidsOf(count)), "process 41", "processes 41, 42"],
  [
    "strangers",
    (count) => session.notOurs(pidsOf(count)),
    "process 41. It claims to belong to this army,",
    "processes 41, 42. They claim to belong to this army,",
  ],
  ["notified in vain", (count) => send.unanswered("r", count), "notified once", "notified 2 times"],
  ["a need", (count) => status.needs.unanswered("r", count), "notified once", "notified 2 times"],
  ["a campaign", (count) => practice.counts(count, 1, "1 s"), "1 message sent", "2 messages sent"],
  ["dropped files", (count) => log.dropped.quarantine(count, ""), "the oldest file ", "the 2 oldest files "],
  ["the doctor's end", (count) => doctor.wrong(count), "1 problem.", "2 problems."],
  [
    "sound mail",
    (unread) => sentences["mail-sound"]({ session: "s", path: "/p", unread }),
    "1 waiting message ",
    "2 waiting messages ",
  ],
  [
    "leftovers",
    (count) => sentences["mail-leftovers"]({ session: "s", count }),
    "1 unfinished file of a writer that died is",
    "2 unfinished files of writers that died are",
  ],
  [
    "broken files",
    (count) => sentences["mail-quarantined"]({ count, path: "/p" }),
    "1 broken file was set aside in /p; look at it",
    "2 broken files were set aside in /p; look at them",
  ],
];

it.each(COUNTED)("one and two have the right plural in English: %s", (_what, sentence, one, two) => {
  expect(sentence(1)).toContain(one);
  expect(sentence(2)).toContain(two);
});

it("a Japanese offer to allow more says whose setting it becomes, not that the person is allowed something", () => {
  const texts = TEXTS.ja.answer.suggestions;
  const offers = (["session", "local", "project", "user"] as const).flatMap((where) => [
    texts.rules("allow", "Bash(x)", where),
    texts.folders("/tmp", where),
    texts.mode("plan", where),
  ]);
  expect(offers.filter((offer) => /あなたに|全員に/.test(offer))).toEqual([]);
  expect(offers[3]).toBe("このプロジェクトでは（自分の設定）、Bash(x) を確認なしで許可する");
});

it("how long the hub has been unreachable is said as a span of time", () => {
  expect(TEXTS.en.status.hubDown("5m", "no answer")).toBe("The hub has been unreachable for 5m: no answer");
  expect(TEXTS.ja.status.hubDown("5分", "応答なし")).toBe("5分前からハブに接続できません: 応答なし");
});

it("tables have their columns in the same order in every language", () => {
  expect(columnsIn(TEXTS.ja)).toEqual(columnsIn(TEXTS.en));
});

function columnsIn({
  armies,
  machines,
  notes,
  rituals,
  status: { columns },
}: (typeof TEXTS)["en"]): string[][] {
  return [armies.columns, machines.columns, notes.columns, rituals.columns, columns].map((each) =>
    Object.keys(each),
  );
}
