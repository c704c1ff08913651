/** What a summon says about the mail and the statuses that an earlier army of the same name has left. */
import { shellWord } from "../system/shell-word.ts";
import { countOf } from "./count-of.ts";
import type { Language } from "../army/words.ts";

interface OldMailTexts {
  left(session: string, folder: string | null): string;
  unread(role: string, count: number, senders: string, age: string): string;
  said(role: string, says: string, age: string): string;
  without(session: string): string;
}

export const OLD_MAIL_TEXTS: Record<Language, OldMailTexts> = {
  en: {
    left: (session, folder) =>
      `An earlier army ${session}${folder === null ? "" : `, which worked in ${folder},`} left this, and the new one takes it over:`,
    unread: (role, count, senders, age) =>
      `${role}: ${countOf(count, "unread message")} (${senders}), ${count === 1 ? "sent" : "the oldest sent"} ${age} ago`,
    said: (role, says, age) => `${role} said ${age} ago: ${says}`,
    without: (session) =>
      `To start without it, first end the army with ovld unsummon --session ${shellWord(session)}.`,
  },
  ja: {
    left: (session, folder) =>
      `以前の軍勢 ${session}${folder === null ? "" : `（${folder} で作業）`} が次のものを残しており、新しい軍勢が引き継ぎます:`,
    unread: (role, count, senders, age) =>
      `${role}: 未読の手紙 ${count} 通（${senders}）、${count === 1 ? "" : "最も古いものは"}${age}前`,
    said: (role, says, age) => `${role} の自己申告（${age}前）: ${says}`,
    without: (session) =>
      `引き継がずに始めるには、先に ovld unsummon --session ${shellWord(session)} で軍勢を終えてください。`,
  },
};
