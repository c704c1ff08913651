/** What sending a message says to the person. */
import { holdSentence } from "./bell-texts.ts";
import type { HoldReason, Language } from "../army/words.ts";

export interface SendTexts {
  stored(role: string, id: string): string;
  unverified(role: string): string;
  rung(role: string): string;
  begun(role: string): string;
  alreadyRung(role: string): string;
  taken(role: string): string;
  held(role: string, why: HoldReason): string;
  unanswered(role: string, attempts: number): string;
  noAgent(role: string): string;
  relayEnded(role: string): string;
  unknown(role: string): string;
  writeHere: string;
}

export const SEND_TEXTS: Record<Language, SendTexts> = {
  en: {
    stored: (role, id) => `Stored for ${role} as ${id}.`,
    unverified: (role) =>
      `An agent ran this command, so ${role} is told that the message is unverified: it may not be the person's.`,
    rung: (role) => `${role} has been rung.`,
    begun: (role) => `${role} has begun a turn.`,
    alreadyRung: (role) => `${role} was rung for earlier mail and has not read it yet.`,
    taken: (role) => `${role} has taken it out of its inbox.`,
    held: (role, why) => `${role} was not rung: ${holdSentence(why, "en")}.`,
    unanswered: (role, attempts) =>
      `${role} has been rung ${attempts} times and has not answered; look at its pane.`,
    noAgent: (role) => `No agent of ${role} is running; it waits in the inbox.`,
    relayEnded: (role) =>
      `${role}'s relay has ended, so nothing wakes it by itself. Reconnect it with /mcp in its pane.`,
    unknown: (role) => `It cannot be told yet whether ${role} has been rung; it waits in the inbox.`,
    writeHere: "Write your message. Ctrl-D on an empty line sends it, Ctrl-C gives it up.",
  },
  ja: {
    stored: (role, id) => `${role} 宛てに保存しました（${id}）。`,
    unverified: (role) =>
      `エージェントが実行したコマンドなので、${role} には未確認の手紙（本人からとは限らない）と伝わります。`,
    rung: (role) => `${role} に知らせました。`,
    begun: (role) => `${role} がターンを始めました。`,
    alreadyRung: (role) => `${role} には前の手紙を知らせてありますが、まだ読まれていません。`,
    taken: (role) => `${role} が受信箱から取り出しました。`,
    held: (role, why) => `${role} にはまだ知らせていません: ${holdSentence(why, "ja")}。`,
    unanswered: (role, attempts) =>
      `${role} に ${attempts} 回知らせましたが、応答がありません。ペインを確認してください。`,
    noAgent: (role) => `${role} のエージェントは動いていません。手紙は受信箱で待ちます。`,
    relayEnded: (role) =>
      `${role} の relay が終了しているため、手紙が来ても自動では起きません。そのペインの /mcp で再接続してください。`,
    unknown: (role) => `${role} に知らせたかどうかはまだ分かりません。手紙は受信箱で待ちます。`,
    writeHere: "手紙を書いてください。空の行で Ctrl-D を押すと送り、Ctrl-C でやめます。",
  },
};
