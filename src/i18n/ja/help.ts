import type { Texts } from "../texts.ts";

export const HELP_TEXTS: Texts["help"] = {
  examples: "例",
  exampleLines: [
    ["ovld summon", "このフォルダーで軍勢を開く、または戻る"],
    ['ovld send overlord "テストが遅い理由を調べて"', "仕事を頼む"],
    ["ovld status", "六体の状態と、対応が必要なことを見る"],
    ["ovld log --follow", "手紙の行き来を見る"],
    ["ovld unsummon", "軍勢を終える"],
  ],
  groups: { army: "軍勢", person: "あなたと軍勢", setUp: "準備", inside: "エージェント用" },
  everywhere: "すべてのコマンドで使えるフラグ",
  flags: [
    ["--help, -h", "ヘルプを表示する"],
    ["--lang en|ja", "英語か日本語で表示する"],
    ["--version, -v", "バージョンを表示する"],
  ],
  more: "ovld COMMAND --help でコマンドの詳しい説明を表示します。",
  welcome: {
    running: (armies) => `動いている軍勢: ${armies}`,
    ready: "軍勢を開く準備はできています。",
    noZellij: "軍勢のペインを動かす Zellij が見つかりません。",
    noClaude: "エージェントとして動く Claude Code が見つかりません。",
    next: "次は:",
    steps: {
      status: "エージェントの状態と、対応が必要なことを見る",
      attach: "軍勢に戻る",
      send: "仕事を頼む",
      practice: "Claude Code のいらない演習軍が働くところを見る",
      doctor: "足りないものと入手方法を見る",
      init: "編集できる設定とプロンプトを書き出す",
      summon: "このフォルダーで軍勢を開く",
      help: "すべてのコマンドを見る",
    },
  },
};
