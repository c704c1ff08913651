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
      `An agent ran this command, so ${role} is told that the message is unverified: it may not be from the person.`,
    rung: (role) => `${role} has been rung.`,
    begun: (role) => `${role} has begun a turn.`,
    alreadyRung: (role) => `${role} was rung for earlier mail and has not read it yet.`,
    taken: (role) => `${role} has taken it out of its inbox.`,
    held: (role, why) => `${role} was not rung: ${holdSentence(why, "en")}.`,
    unanswered: (role, attempts) =>
      `${role} has been rung ${attempts === 1 ? "once" : `${attempts} times`} and has not answered; look at its pane.`,
    noAgent: (role) => `No agent is running for ${role}; the message waits in the inbox.`,
    relayEnded: (role) =>
      `${role}'s relay has ended, so mail does not wake it by itself. Reconnect the relay with /mcp in its pane.`,
    unknown: (role) => `It is not known yet whether ${role} has been rung; the message waits in the inbox.`,
    writeHere: "Write your message. Ctrl-D on an empty line sends it, Ctrl-C cancels it.",
  },
  ja: {
    stored: (role, id) => `${role} 宛てに保存しました（${id}）。`,
    unverified: (role) =>
      `エージェントがこのコマンドを実行したため、${role} には未確認の手紙（ユーザーからのものとは限りません）として伝わります。`,
    rung: (role) => `${role} に通知しました。`,
    begun: (role) => `${role} がターンを始めました。`,
    alreadyRung: (role) => `${role} には前の手紙を通知してありますが、まだ読まれていません。`,
    taken: (role) => `${role} が受信箱から取り出しました。`,
    held: (role, why) => `${role} には通知していません: ${holdSentence(why, "ja")}。`,
    unanswered: (role, attempts) =>
      `${role} に ${attempts} 回通知しましたが、応答がありません。ペインを確認してください。`,
    noAgent: (role) => `${role} のエージェントは動いていません。手紙は受信箱にあります。`,
    relayEnded: (role) =>
      `${role} の relay が終了しているため、手紙が来ても自動では起きません。そのペインの /mcp で relay を再接続してください。`,
    unknown: (role) => `${role} に通知したかどうかはまだ分かりません。手紙は受信箱にあります。`,
    writeHere: "手紙を書いてください。空の行で Ctrl-D を押すと送信し、Ctrl-C で取りやめます。",
  },
};
