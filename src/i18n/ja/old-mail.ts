import { shellWord } from "../../system/shell-word.ts";
import type { OldMailTexts } from "../en/old-mail.ts";

export const OLD_MAIL_TEXTS: OldMailTexts = {
  left: (session, folder) =>
    `以前の軍勢 ${session}${folder === null ? "" : `（${folder} で作業）`} が次のものを残しており、新しい軍勢が引き継ぎます:`,
  unread: (role, count, senders, age) =>
    `${role}: 未読の手紙 ${count} 通（${senders}）、${count === 1 ? "" : "最も古いものは"}${age}前`,
  said: (role, says, age) => `${role} の自己申告（${age}前）: ${says}`,
  without: (session) =>
    `引き継がずに始めるには、先に ovld unsummon --session ${shellWord(session)} で軍勢を終えてください。`,
};
