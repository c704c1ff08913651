import type { Spender } from "../../army/roles.ts";
import type { Texts } from "../texts.ts";

const ofWhom = (spender: Spender): string => (spender === "army" ? "軍勢の予算" : `${spender} の予算`);
const tokens = (count: number): string => count.toLocaleString("ja-JP");

export const BUDGET_TEXTS: Texts["budget"] = {
  tokens,
  names: (spender) => (spender === "army" ? "軍勢" : spender),
  columns: { who: "対象", used: "使用", left: "残り", limit: "予算", money: "費用", parts: "トークン" },
  parts: (input, cached, output) =>
    `入力 ${tokens(input)}、キャッシュ ${tokens(cached)}、出力 ${tokens(output)}`,
  none: (session) =>
    `軍勢 ${session} に予算はありません。設定の [budget] で指定すると、次の召喚から使われます。`,
  reached: (spender, uncounted) =>
    uncounted.length > 0
      ? `${uncounted.join("、")} の使用量を数えられないため、${ofWhom(spender)}は使い切ったものとして扱います。続けるには ovld budget go を実行してください。`
      : `${ofWhom(spender)}を使い切ったため、誰にも通知しません。続けるには ovld budget go、増やすには ovld budget raise を実行してください。`,
  stopped: (spender) =>
    `${spender === "army" ? "軍勢" : spender}はあなたが止めています。続けるには ovld budget go、増やすには ovld budget raise を実行してください。`,
  goesOn: "軍勢を続けさせます。使い切った予算ごとに、あと 1 割まで使えます。",
  nothingHeld: "使い切った予算はありません。",
  raised: (spender, limit) => `${ofWhom(spender)}は ${tokens(limit)} トークンになりました。`,
  news: (spender, { used, limit, level, uncounted }) => {
    const share = `${tokens(limit ?? 0)} トークンのうち ${tokens(used)} トークンを使いました。`;
    if (level === "near")
      return {
        subject: `${ofWhom(spender)}が残り少なくなりました`,
        body: `${share}使い切ると、誰にも通知しなくなります。詳しくは ovld budget で確認できます。`,
      };
    const why =
      uncounted.length > 0
        ? `${uncounted.join("、")} の使用量を数えられなくなったため、使い切ったものとして扱います。${share}`
        : share;
    return {
      subject: `${ofWhom(spender)}を使い切りました`,
      body: `${why}進行中のターンはそのまま終わり、その後はあなたが決めるまで誰にも通知しません。ovld budget go で一度だけ続けさせ、ovld budget raise トークン数 で予算を増やせます。`,
    };
  },
};
