import type { Texts } from "../texts.ts";

export const SEND_TEXTS: Texts["send"] = {
  stored: (role, id) => `${role} 宛てに保存しました（${id}）。`,
  rung: (role) => `${role} に通知しました。`,
  begun: (role) => `${role} がターンを始めました。`,
  alreadyRung: (role) => `${role} には前の手紙を通知してありますが、まだ読まれていません。`,
  taken: (role) => `${role} が受信箱から取り出しました。`,
  held: (role, sentence) => `${role} には通知していません: ${sentence}。`,
  unanswered: (role, attempts) =>
    `${role} に ${attempts} 回通知しましたが、応答がありません。ペインを確認してください。`,
  noAgent: (role) => `${role} のエージェントは動いていません。手紙は受信箱にあります。`,
  relayEnded: (role) =>
    `${role} の relay が終了しているため、手紙が来ても自動では起きません。ovld restart ${role} で起動し直すか、そのペインの /mcp で relay を再接続してください。`,
  unknown: (role) => `${role} に通知したかどうかはまだ分かりません。手紙は受信箱にあります。`,
  away: (role, machine) => `${role} は ${machine} にいて、そこの relay が通知します。`,
  silent: (role, machine, heard) =>
    `${role} は ${machine} にいますが、最後に連絡があったのは ${heard} です。手紙はハブにあります。`,
  notHeard: (role) => `${role} からはまだ連絡がありません。手紙はハブにあります。`,
  kept: (role, since, waiting) =>
    `${role} 宛ての手紙をこのマシンに保存しました。ハブの確認が取れず、${since} から接続できません。待っている手紙は ${waiting} 通です。接続でき次第、自動で届けます。送り直さないでください。`,
  keptBehind: (role, waiting) =>
    `${role} 宛ての手紙をこのマシンに保存しました。${role} 宛ての先の手紙が待っています（受信箱がいっぱいなのかもしれません）。待っている手紙は ${waiting} 通です。空き次第、自動で届けます。送り直さないでください。`,
  writeHere: "手紙を書いてください。空の行で Ctrl-D を押すと送信し、Ctrl-C で取りやめます。",
};
