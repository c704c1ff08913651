import { expect, it } from "vitest";
import { DOCTOR_TEXTS } from "../../../src/i18n/doctor-texts.ts";
import { describeError } from "../../../src/i18n/error-texts.ts";
import { LOG_TEXTS } from "../../../src/i18n/log-texts.ts";
import { OLD_MAIL_TEXTS } from "../../../src/i18n/old-mail-texts.ts";
import { PRACTICE_TEXTS } from "../../../src/i18n/practice-texts.ts";
import { SEND_TEXTS } from "../../../src/i18n/send-texts.ts";
import { SESSION_TEXTS } from "../../../src/i18n/session-texts.ts";
import { STATUS_TEXTS } from "../../../src/i18n/status-texts.ts";

const { sentences } = DOCTOR_TEXTS.en;
const pidsOf = (count: number): string =>
  Array.from({ length: count }, (_each, index) => 41 + index).join(", ");

const COUNTED: [string, (count: number) => string, string, string][] = [
  [
    "a full inbox",
    (limit) => describeError({ code: "inbox-full", facts: { role: "storm", limit } }, "en"),
    "1 unread message,",
    "2 unread messages,",
  ],
  ["deleted mail", (count) => SESSION_TEXTS.en.unread(count, "r"), "1 unread message ", "2 unread messages "],
  [
    "kept mail",
    (count) => SESSION_TEXTS.en.keptUnread(count, "r", "s"),
    "Kept 1 unread message (r). ovld summon --session s takes it over; ovld unsummon --session s deletes it.",
    "Kept 2 unread messages (r). ovld summon --session s takes them over; ovld unsummon --session s deletes them.",
  ],
  [
    "killed processes",
    (count) => SESSION_TEXTS.en.hadToKill(count),
    "1 process did not end by itself and had to be killed.",
    "2 processes did not end by themselves and had to be killed.",
  ],
  ["survivors", (count) => SESSION_TEXTS.en.notEnded(pidsOf(count)), "process 41", "processes 41, 42"],
  [
    "strangers",
    (count) => SESSION_TEXTS.en.notOurs(pidsOf(count)),
    "process 41. A presence file says that it belongs to this army, but its",
    "processes 41, 42. A presence file says that they belong to this army, but their",
  ],
  [
    "old mail",
    (count) => OLD_MAIL_TEXTS.en.unread("r", count, "s", "1h"),
    "1 unread message (s), sent",
    "2 unread messages (s), the oldest sent",
  ],
  ["rung in vain", (count) => SEND_TEXTS.en.unanswered("r", count), "rung once", "rung 2 times"],
  ["a need", (count) => STATUS_TEXTS.en.needs.unanswered("r", count), "rung once", "rung 2 times"],
  [
    "a campaign",
    (count) => PRACTICE_TEXTS.en.counts(count, 1, "1 s"),
    "1 message stored",
    "2 messages stored",
  ],
  [
    "dropped files",
    (count) => LOG_TEXTS.en.dropped.quarantine(count, ""),
    "the oldest file ",
    "the 2 oldest files ",
  ],
  ["the doctor's end", (count) => DOCTOR_TEXTS.en.wrong(count), "1 thing is wrong.", "2 things are wrong."],
  [
    "sound mail",
    (unread) => sentences["mail-sound"]({ session: "s", path: "/p", unread }),
    "1 unread message ",
    "2 unread messages ",
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

it.each(COUNTED)("one and two are counted in English: %s", (_what, sentence, one, two) => {
  expect(sentence(1)).toContain(one);
  expect(sentence(2)).toContain(two);
});
