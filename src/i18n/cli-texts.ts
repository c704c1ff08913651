/** What the command line says: headings, briefs, and what is wrong with the words it was given. */
import { COMMAND_TEXTS, type CommandText, type DescribedCommand } from "./command-texts.ts";
import type { Language } from "../army/words.ts";

export interface CliTexts {
  headings: { usage: string; aliases: string; commands: string; flags: string; arguments: string };
  keywords: { default: string; separator: string };
  briefs: {
    army: string;
    summon: string;
    unsummon: string;
    send: string;
    log: string;
    continue: string;
    status: string;
    insight: string;
    init: string;
    doctor: string;
    completion: string;
    ritual: string;
    relay: string;
    relayFull: string;
    practice: string;
    practiceAgent: string;
    help: string;
    helpAll: string;
    version: string;
    escape: string;
  };
  flags: {
    session: string;
    agent: string;
    detached: string;
    rituals: string;
    noRituals: string;
    ritualRoles(roles: string): string;
    dryRun: string;
    json: string;
    all: string;
    force: string;
    subject: string;
    urgent: string;
    follow: string;
    role: string;
    since: string;
    grep: string;
    jsonLines: string;
    watch: string;
    overwrite: string;
  };
  places: {
    role(roles: string): string;
    text: string;
    messageId: string;
    insightAction: string;
    note: string;
    shell: string;
    wish: string;
  };
  /** Each command at length. */
  commands: Record<DescribedCommand, CommandText>;
  unknownCommand(input: string): string;
  unknownFlag(input: string): string;
  surplusArgument(input: string): string;
  missingArgument(place: string): string;
  missingValue(flag: string): string;
  wrongChoice(input: string, place: string): string;
  oneOf(choices: readonly string[]): string;
  badArguments(reason: string): string;
  didYouMean(corrections: readonly string[]): string;
  seeHelp: string;
  failed(reason: string): string;
}

export const CLI_TEXTS: Record<Language, CliTexts> = {
  en: {
    headings: {
      usage: "Usage",
      aliases: "Aliases",
      commands: "Commands",
      flags: "Flags",
      arguments: "Arguments",
    },
    keywords: { default: "default:", separator: "separated by" },
    briefs: {
      army: "An army of Claude Code agents in one terminal",
      summon: "Open the army in this folder, or attach to it if it is already open",
      unsummon: "End the army: its session, its agents and their mail",
      send: "Send a message to a role as yourself",
      log: "Show every message and what happened to it",
      continue: "Resume agents that Ctrl-Z has suspended",
      status: "Show the state of each agent, and what needs you",
      insight: "Show or delete the notes your agents keep on this project",
      init: "Write the configuration file and the role prompts for you to edit",
      doctor: "Check your setup and suggest fixes",
      completion: "Print a completion script for your shell",
      ritual: "Give the roles of an open army their ritual, the prompt they start with",
      relay: "Serve one role's mail over MCP (an agent runs this, you do not)",
      relayFull:
        "Serves one role's mail to its agent, as an MCP server over stdin and stdout.\nNeeds OVLD_ROLE, OVLD_RELAY_DIR and OVLD_SESSION in its environment.",
      practice: "Watch an army at work: no account, no network, no tokens",
      practiceAgent: "Play one role of the practice army (ovld runs this in a pane, you do not)",
      help: "Show this help",
      helpAll: "Show this help, including hidden commands and flags",
      version: "Show the version",
      escape: "Treat everything that follows as an argument",
    },
    flags: {
      session: "The army's name",
      agent: "Which agent the panes run",
      detached: "Open it in the background",
      rituals: "Read the role prompts from this folder",
      noRituals: "Give the agents no role prompts",
      ritualRoles: (roles) => `The roles: ${roles}; all six if you name none`,
      dryRun: "Only show what would be written and run",
      json: "Print one JSON document",
      all: "All armies",
      force: "Do not ask",
      subject: "The subject; otherwise the first words of the text",
      urgent: "Tell the agent at once, where that is possible",
      follow: "Keep showing what happens",
      role: "Only what concerns this role",
      since: "Only what happened since then: 10m, 2h, 14:30, 2026-11-15, 2026-11-15T14:30",
      grep: "Only messages that contain this word, and what happened to them",
      jsonLines: "Print one JSON object per line",
      watch: "Keep showing it, redrawn in place",
      overwrite: "Replace existing files",
    },
    places: {
      role: (roles) => `The role: ${roles}`,
      text: "The text; without it, or with -, it is read from stdin",
      shell: "The shell: bash, zsh, fish",
      messageId: "Show one message's whole history; the beginning of its id is enough",
      insightAction: "show or forget; without it, all notes are listed",
      note: "The note's name, as the list shows it",
      wish: "What to ask the overlord for",
    },
    commands: COMMAND_TEXTS.en,
    unknownCommand: (input) => `There is no command "${input}".`,
    unknownFlag: (input) => `There is no flag "${input}".`,
    surplusArgument: (input) => `"${input}" is one argument too many.`,
    missingArgument: (place) => `${place} is missing.`,
    missingValue: (flag) => `${flag} needs a value.`,
    wrongChoice: (input, place) => `"${input}" is not a valid value for ${place}.`,
    oneOf: (choices) => `Use one of: ${choices.join(", ")}.`,
    badArguments: (reason) => `The arguments are not valid: ${reason}.`,
    didYouMean: (corrections) => `Did you mean ${corrections.join(" or ")}?`,
    seeHelp: "Run ovld --help for usage.",
    failed: (reason) => `Unexpected error: ${reason} (OVLD_DEBUG=1 shows where)`,
  },
  ja: {
    headings: {
      usage: "使い方",
      aliases: "別名",
      commands: "コマンド",
      flags: "フラグ",
      arguments: "引数",
    },
    keywords: { default: "既定値:", separator: "区切り:" },
    briefs: {
      army: "ひとつの端末で動く Claude Code エージェントの軍勢",
      summon: "このフォルダーで軍勢を開く（すでに開いていれば接続する）",
      unsummon: "軍勢を終える（セッション、エージェント、手紙）",
      send: "あなた自身として役割に手紙を送る",
      log: "すべての手紙とその経過を表示する",
      continue: "Ctrl-Z で一時停止したエージェントを再開する",
      status: "各エージェントの状態と、対応が必要なことを表示する",
      insight: "エージェントが残したこのプロジェクトのノートを表示・削除する",
      init: "設定ファイルと役割のプロンプトを、編集できるように書き出す",
      doctor: "環境を調べ、直し方を示す",
      completion: "シェルの補完スクリプトを出力する",
      ritual: "開いている軍勢の役割に儀式（最初のプロンプト）を与える",
      relay: "役割ひとつの手紙を MCP で提供する（エージェントが実行するもの）",
      relayFull:
        "役割ひとつの手紙を、標準入出力の MCP サーバーとしてエージェントに提供します。\n環境変数 OVLD_ROLE、OVLD_RELAY_DIR、OVLD_SESSION が必要です。",
      practice: "軍勢が働くところを見る（アカウント・通信・トークン不要）",
      practiceAgent: "演習軍の役割をひとつ演じる（ovld がペインで実行するもの）",
      help: "このヘルプを表示する",
      helpAll: "隠れたコマンドとフラグも含めて、このヘルプを表示する",
      version: "バージョンを表示する",
      escape: "以降をすべて引数として扱う",
    },
    flags: {
      session: "軍勢の名前",
      agent: "ペインで動かすエージェント",
      detached: "バックグラウンドで開く",
      rituals: "儀式（役割のプロンプト）をこのフォルダーから読む",
      noRituals: "儀式（役割のプロンプト）を与えない",
      ritualRoles: (roles) => `役割: ${roles}（省略すると六つすべて）`,
      dryRun: "書き込む内容と実行するコマンドを表示するだけにする",
      json: "JSON 文書ひとつで出力する",
      all: "すべての軍勢",
      force: "確認しない",
      subject: "件名（省略すると本文の最初の言葉）",
      urgent: "可能であれば、すぐに通知する",
      follow: "起こることを表示し続ける",
      role: "この役割に関することだけ",
      since: "この時刻以降だけ: 10m、2h、14:30、2026-11-15、2026-11-15T14:30",
      grep: "この言葉を含む手紙とその経過だけ",
      jsonLines: "一行に JSON オブジェクトひとつで出力する",
      watch: "同じ場所に描き直して表示し続ける",
      overwrite: "すでにあるファイルを置き換える",
    },
    places: {
      role: (roles) => `役割: ${roles}`,
      text: "本文（省略するか - とすると標準入力から読む）",
      shell: "シェル: bash、zsh、fish",
      messageId: "手紙ひとつの全経過を表示する（ID の先頭だけでよい）",
      insightAction: "show か forget（省略すると一覧を表示する）",
      note: "ノートの名前（一覧に表示されるもの）",
      wish: "魔王に告げる願い",
    },
    commands: COMMAND_TEXTS.ja,
    unknownCommand: (input) => `コマンド「${input}」はありません。`,
    unknownFlag: (input) => `フラグ「${input}」はありません。`,
    surplusArgument: (input) => `引数「${input}」は余分です。`,
    missingArgument: (place) => `${place} がありません。`,
    missingValue: (flag) => `${flag} には値が必要です。`,
    wrongChoice: (input, place) => `${place} に「${input}」は使えません。`,
    oneOf: (choices) => `次のいずれかを使ってください: ${choices.join("、")}`,
    badArguments: (reason) => `引数が正しくありません: ${reason}`,
    didYouMean: (corrections) => `もしかして: ${corrections.join("、")}`,
    seeHelp: "使い方は ovld --help で確認できます。",
    failed: (reason) => `予期しないエラーです: ${reason}（OVLD_DEBUG=1 で発生箇所を表示します）`,
  },
};
