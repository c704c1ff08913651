/** What the practice army says while it plays: its agents to each other, and to the person who watches. */
import type { Role, Sender } from "../army/roles.ts";
import type { Language } from "../army/words.ts";

interface Letter {
  subject: string;
  body: string;
}

interface Craft {
  work: readonly string[];
  result: string;
}

type GeneralName = Exclude<Role, "overlord" | "strategist">;

export interface PlayTexts {
  /** The first line in a pane. */
  greeting(role: Role): string;
  /** Answers to a ritual. */
  ready: Record<Role, string>;
  /** Answers to a prompt that is not a wish. */
  idleTalk: Record<Exclude<Role, "overlord">, string>;
  wishHeard(wish: string): string;
  order(wish: string): Letter;
  orderWaits(order: string): string;
  orderSplit(count: number): string;
  planning: string;
  task(general: GeneralName, order: string): Letter;
  crafts: Record<GeneralName, Craft>;
  report(task: string, result: string): Letter;
  reportHeard(general: string, missing: number): string;
  finalReport(gathered: string): Letter;
  allReported: string;
  wishFulfilled(report: string): string;
  noted(from: Sender): string;
  noMail: string;
  mailRead(from: Sender, subject: string): string;
  toolFailed(tool: string, said: string): string;
  askToRun(command: string): readonly string[];
  interrupted: string;
  withoutRelay: string;
  relaySays(line: string): string;
}

export const PLAY_TEXTS: Record<Language, PlayTexts> = {
  en: {
    greeting: (role) => `${role} · practice army: no account, no network, no tokens`,
    ready: {
      overlord: "Ready. Speak your wish.",
      strategist: "Ready. The map is on the table.",
      inferno: "Ready. The forge is hot.",
      glacier: "Ready. Every stone has its place.",
      shadow: "Ready. I see what hides.",
      storm: "Ready. The wind is with us.",
    },
    idleTalk: {
      strategist: "I plan for the overlord. Tell the overlord your wish.",
      inferno: "In practice the strategist lights my fire. Tell the overlord your wish.",
      glacier: "I move when the strategist says so.",
      shadow: "The strategist knows where to find me.",
      storm: "I blow where the strategist points.",
    },
    wishHeard: (wish) => `A wish: "${wish}". So be it. The strategist shall see to it.`,
    order: (wish) => ({
      subject: `Order: ${wish}`,
      body: `The person wishes: ${wish}\nSplit it among the four generals, and report when all four have reported.`,
    }),
    orderWaits: (order) => `Another order. It waits until the current one is done: ${order}`,
    orderSplit: (count) => `I split it into ${count} tasks, one for each general.`,
    planning: "four tasks are out",
    task: (general, order) => ({
      subject: `Task for ${general}: ${TASKS_EN[general]}`,
      body: `Your part: ${TASKS_EN[general]}.\n\n${order}`,
    }),
    crafts: {
      inferno: {
        work: ["Heating the core", "Hammering the logic", "Quenching the blade"],
        result: "the core holds",
      },
      glacier: {
        work: ["Measuring the ground", "Laying the stones", "Freezing the joints"],
        result: "the structure stands",
      },
      shadow: {
        work: ["Slipping in unseen", "Trying every door", "Closing the last gap"],
        result: "no weak point is left open",
      },
      storm: {
        work: ["Gathering clouds", "Sweeping the halls", "Letting in the light"],
        result: "it can be used and read",
      },
    },
    report: (task, result) => ({
      subject: `Report: ${task}`,
      body: `Done: ${result}. Open: nothing.`,
    }),
    reportHeard: (general, missing) =>
      missing === 0 ? `${general} reports. That was the last.` : `${general} reports. ${missing} to come.`,
    finalReport: (gathered) => ({
      subject: "Report: all four generals are done",
      body: `All four have reported.\n${gathered}\n(Practice: no file was touched.)`,
    }),
    allReported: "all four have reported",
    wishFulfilled: (report) => `Your wish is fulfilled.\n${report}\n(Ctrl-q ends the session.)`,
    noted: (from) => `Noted, ${from}.`,
    noMail: "No mail. A false alarm.",
    mailRead: (from, subject) => `Mail from ${from}: ${subject}`,
    toolFailed: (tool, said) => `${tool} failed: ${said}`,
    askToRun: (command) => ["The agent wants to run", command, "Do you want to proceed?"],
    interrupted: "Interrupted.",
    withoutRelay: "My relay has ended. I continue without mail.",
    relaySays: (line) => `Relay: ${line}`,
  },
  ja: {
    greeting: (role) => `${role} · 演習軍（アカウント・通信・トークン不要）`,
    ready: {
      overlord: "支度は整った。願いを申せ。",
      strategist: "支度は整いました。地図は広げてあります。",
      inferno: "いつでも行ける。炉は熱い。",
      glacier: "準備完了。石はすべて定めの場所に。",
      shadow: "準備よし。隠れたものも見えています。",
      storm: "準備万端。風はこちらに吹いてるよ。",
    },
    idleTalk: {
      strategist: "私は魔王様のために策を練る身。願いは魔王様へどうぞ。",
      inferno: "演習で俺に火をつけるのは軍師だ。願いは魔王様に言ってくれ。",
      glacier: "軍師の合図があれば動きます。",
      shadow: "私の居場所は軍師が知っています。",
      storm: "軍師の指す方へ吹くだけさ。",
    },
    wishHeard: (wish) => `願いは「${wish}」か。よかろう、軍師に任せる。`,
    order: (wish) => ({
      subject: `命令: ${wish}`,
      body: `主の願い: ${wish}\n四天王に分け与え、四人すべての報告がそろったら知らせよ。`,
    }),
    orderWaits: (order) => `次の命令です。今の命令が済むまで待たせます: ${order}`,
    orderSplit: (count) => `${count} つの任務に分け、四天王に一つずつ渡します。`,
    planning: "四つの任務を出した",
    task: (general, order) => ({
      subject: `${general} への任務: ${TASKS_JA[general]}`,
      body: `担当: ${TASKS_JA[general]}\n\n${order}`,
    }),
    crafts: {
      inferno: { work: ["核を熱している", "論理を打っている", "刃を冷ましている"], result: "核は揺るがない" },
      glacier: {
        work: ["地を測っています", "石を積んでいます", "継ぎ目を凍らせています"],
        result: "構造は立ちました",
      },
      shadow: {
        work: ["気配を消して潜入", "扉を一つずつ確かめる", "最後の隙間を塞ぐ"],
        result: "弱点は残っていません",
      },
      storm: { work: ["雲を集めてる", "広間を掃き清めてる", "光を入れてる"], result: "使えるし、読めるよ" },
    },
    report: (task, result) => ({
      subject: `報告: ${task}`,
      body: `完了: ${result}。未解決: なし。`,
    }),
    reportHeard: (general, missing) =>
      missing === 0 ? `${general} の報告。これで最後です。` : `${general} の報告。残り ${missing} 人。`,
    finalReport: (gathered) => ({
      subject: "報告: 四天王すべて完了",
      body: `四人すべてが報告しました。\n${gathered}\n（演習のため、ファイルには触れていません。）`,
    }),
    allReported: "四人すべてが報告した",
    wishFulfilled: (report) => `願いは叶った。\n${report}\n（Ctrl-q でセッションを終えられる。）`,
    noted: (from) => `${from} の手紙、しかと読んだ。`,
    noMail: "手紙はない。空耳か。",
    mailRead: (from, subject) => `${from} からの手紙: ${subject}`,
    toolFailed: (tool, said) => `${tool} に失敗: ${said}`,
    askToRun: (command) => ["エージェントが実行しようとしています", command, "実行しますか?"],
    interrupted: "中断された。",
    withoutRelay: "relay が終了した。手紙なしで続ける。",
    relaySays: (line) => `relay: ${line}`,
  },
};

const TASKS_EN: Record<GeneralName, string> = {
  inferno: "the core logic",
  glacier: "structure and types",
  shadow: "tests and weak points",
  storm: "interface and words",
};

const TASKS_JA: Record<GeneralName, string> = {
  inferno: "中核のロジック",
  glacier: "構造と型",
  shadow: "テストと弱点",
  storm: "見た目と文章",
};
