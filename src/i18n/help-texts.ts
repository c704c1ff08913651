/** What `ovld --help` and `ovld` alone say. */
import type { Language } from "../army/words.ts";

export interface HelpTexts {
  examples: string;
  exampleLines: readonly (readonly [string, string])[];
  groups: { army: string; person: string; setUp: string; inside: string };
  everywhere: string;
  flags: readonly (readonly [string, string])[];
  more: string;
  welcome: {
    running(armies: string): string;
    ready: string;
    noZellij: string;
    noClaude: string;
    next: string;
    steps: Record<"status" | "attach" | "send" | "practice" | "doctor" | "init" | "summon" | "help", string>;
  };
}

export const HELP_TEXTS: Record<Language, HelpTexts> = {
  en: {
    examples: "Examples",
    exampleLines: [
      ["ovld summon", "open the army in this folder, or go back to it"],
      ['ovld send overlord "Find out why the tests are slow"', "give it something to do"],
      ["ovld status", "see what the six agents are doing, and what needs you"],
      ["ovld log --follow", "watch their mail"],
      ["ovld unsummon", "end the army"],
    ],
    groups: { army: "The army", person: "You and the army", setUp: "Setup", inside: "For agents" },
    everywhere: "Flags of every command",
    flags: [
      ["--help, -h", "show help"],
      ["--lang en|ja", "use English or Japanese"],
      ["--version, -v", "show the version"],
    ],
    more: "ovld COMMAND --help explains one command.",
    welcome: {
      running: (armies) => `Running: ${armies}.`,
      ready: "Everything is ready to open an army.",
      noZellij: "Zellij, which runs the army's panes, was not found.",
      noClaude: "Claude Code, the program that the agents run, was not found.",
      next: "Next:",
      steps: {
        status: "see the state of its agents, and what needs you",
        attach: "go back to it",
        send: "give it something to do",
        practice: "watch a practice army, which needs no Claude Code",
        doctor: "see what is missing, and how to get it",
        init: "write a configuration and role prompts for you to edit",
        summon: "open the army in this folder",
        help: "see every command",
      },
    },
  },
  ja: {
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
  },
};
