import type { Texts } from "../texts.ts";
import type { ArmyEnd } from "../../army/words.ts";

export const ENDS: Record<ArmyEnd, string> = {
  unsummoned: "ovld unsummon で終了しました",
  closed: "セッションが閉じられて終了しました",
  crashed: "途中で途切れました",
};

export const RETURN_TEXTS: Texts["returning"] = {
  ended: (session, how, age) => `前の軍勢 ${session} は${age}前に${ENDS[how]}。`,
  conversations: (list) =>
    list === "" ? "再開できる会話はありません。" : `会話（最後に使われてからの時間）: ${list}`,
  unread: (list) => (list === "" ? "未読の手紙はありません。" : `未読の手紙: ${list}`),
  unsent: (count) => `ほかのマシンへの手紙 ${count} 通をまだ渡せていません。`,
  elsewhere: (folder, exists) =>
    exists
      ? `作業場所はこのフォルダーではなく ${folder} でした。`
      : `作業場所の ${folder} はもうありません。`,
  agentStays: (was, configured) => `設定は ${configured} ですが、以前と同じ ${was} で戻ります。`,
  ask: "呼び戻す (b)、新しく始める (n)、やめる (c)? ",
  askAnew: "新しく始める (n)、やめる (c)? ",
  bring: /^\s*(b(ring)?|呼び戻す)\s*$/i,
  anew: /^\s*(n(ew)?|新しく始める)\s*$/i,
  cancelled: "何も始めていません。",
  hint: (age) => `新しく始めます。${age}前にここで終わった軍勢は ovld summon --resume で呼び戻せます。`,
};
