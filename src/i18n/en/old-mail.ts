/** What `ovld summon` says about mail and statuses that an earlier army of the same name left. */
import { shellWord } from "../../system/shell-word.ts";
import { countOf } from "./count-of.ts";

export interface OldMailTexts {
  left(session: string, folder: string | null): string;
  unread(role: string, count: number, senders: string, age: string): string;
  said(role: string, says: string, age: string): string;
  without(session: string): string;
}

export const OLD_MAIL_TEXTS: OldMailTexts = {
  left: (session, folder) =>
    `An earlier army ${session}${folder === null ? "" : `, which worked in ${folder},`} left this, and the new one takes it over:`,
  unread: (role, count, senders, age) =>
    `${role}: ${countOf(count, "unread message")} (${senders}), ${count === 1 ? "sent" : "the oldest sent"} ${age} ago`,
  said: (role, says, age) => `${role} said ${age} ago: ${says}`,
  without: (session) =>
    `To start without it, first end the army with ovld unsummon --session ${shellWord(session)}.`,
};
