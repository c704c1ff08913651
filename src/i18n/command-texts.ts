/** What each command does, at length, and how it is used: for its own help and for docs/commands.md. */
import type { Language } from "../army/words.ts";

export interface CommandText {
  /** How it is written, after the command's name. */
  usage: string;
  examples: { input: string; brief: string }[];
  full: string;
}

export type DescribedCommand =
  | "summon"
  | "unsummon"
  | "ritual"
  | "practice"
  | "send"
  | "log"
  | "continue"
  | "status"
  | "insight"
  | "init"
  | "doctor"
  | "completion";

export const COMMAND_TEXTS: Record<Language, Record<DescribedCommand, CommandText>> = {
  en: {
    summon: {
      usage: "[flags]",
      examples: [
        { input: "", brief: "open the army in this folder, or go back to it" },
        { input: "--detached --session work", brief: "open one called work in the background" },
        { input: "--dry-run", brief: "only show what would be written and run" },
      ],
      full: "Opens one Zellij session of three tabs and six panes, each with its agent and its mail. Checks everything that could fail and tells all problems at once, before anything is made. If the session is live it attaches to it, and asks first if the army works in another folder and you did not name it with --session; --agent of another kind, --rituals and --no-rituals then come too late and are an error. What Zellij kept of a dead session is deleted first; unread mail and statuses that an earlier army left are listed and taken over. Inside Zellij it opens the army in the background and switches to it. When Zellij returns, the person has either left, and all goes on, or the session has ended, and what it kept is removed, except mail that nobody has read. A session that was renamed is found by its old name and its new one. In the background its panes are small (50 columns for a whole tab) until somebody attaches.\n\nEach agent that is ready is given its ritual as its first prompt. Nothing is typed into an agent that asks something or has not started: the others go on, and it gets its ritual when the person has answered, however long that takes. In the background, summon waits for the rituals as long as something moves, and ends with exit code 1 if a role has none yet; it follows by itself. The rituals are in the rituals folder of ~/.config/ovld, which the first summon fills, unless --rituals or the configuration names another folder; a folder that just lies in the project is not used. On a terminal, summon asks before it tells Claude Code to trust a folder; elsewhere it tells that each agent will ask.",
    },
    unsummon: {
      usage: "[flags]",
      examples: [
        { input: "", brief: "end the army, after asking" },
        { input: "--all --force", brief: "end every army without asking" },
      ],
      full: "Says what it will end, mentions unread mail, and asks on a terminal unless --force. In a pane of an army that army is meant, unless --session names another. An agent may not end an army, with --force neither, unless the configuration allows it. Whatever does not end with its session is ended by its recorded pid and start time. A session that ovld did not summon is left alone, and without Zellij nothing is touched, unless --force says so. Leftovers of a dead session are removed too.",
    },
    ritual: {
      usage: "[ROLE…] [flags]",
      examples: [
        { input: "", brief: "give every role its ritual" },
        { input: "storm shadow", brief: "give it to these two" },
      ],
      full: "Gives roles of an army that is up the prompt they begin with: the one it was summoned with, or else the person's own. Each role's relay types it into its pane as soon as its agent is ready for it, however long that takes; this command waits and tells. Exit code 1 means that a role still waits, 3 that there is no such army.",
    },
    practice: {
      usage: "[WISH] [flags]",
      examples: [
        { input: "", brief: "watch a practice army carry out a wish" },
        { input: '"Build me a castle" --json', brief: "with a wish of your own, told as JSON" },
      ],
      full: "Summons an army of practice agents, which need no account, no network and no tokens, asks the overlord for something, and tells what became of it. On a terminal the session opens for you to watch, and ends when you leave it; elsewhere each message is told as it is stored and read, and the army is ended afterwards.",
    },
    send: {
      usage: "ROLE [TEXT|-] [flags]",
      examples: [
        { input: 'overlord "Find out why the tests are slow"', brief: "write to a role" },
        { input: "storm - --subject notes < notes.txt", brief: "send what comes in on stdin" },
      ],
      full: "Stores a message from human in the role's inbox, then waits up to two seconds for what became of it: rung, begun, taken out of the inbox, held and why, or that no agent runs. Where the role's relay has ended and its agent runs, the agent is rung by typing into its pane, as a sender's relay does, if that can do no harm. It is done as soon as the message is stored, whatever became of the bell.",
    },
    log: {
      usage: "[ID] [flags]",
      examples: [
        { input: "--follow", brief: "watch the mail as it goes" },
        { input: "--role inferno --since 10m", brief: "what concerned inferno in the last ten minutes" },
        { input: "0mabc", brief: "one message's whole story, by the beginning of its id" },
      ],
      full: "Shows what the journal holds, in order: messages stored, rung for, begun, held, unanswered and read; rituals, statuses, and broken files that were set aside. What becomes of a message goes with the message when a choice is made. --follow goes on until Ctrl-C or until the army ends. With --json each line is an object as docs/store-format.md describes it; with ID, one document.",
    },
    continue: {
      usage: "[ROLE…] [flags]",
      examples: [
        { input: "", brief: "set every suspended agent going again" },
        { input: "storm", brief: "only this one" },
      ],
      full: "Ctrl-Z suspends an agent, and its pane has no shell that could bring it back. This sends its process the signal to go on (SIGCONT). Agents that are not suspended are left alone.",
    },
    status: {
      usage: "[flags]",
      examples: [
        { input: "", brief: "how each agent is, and what needs you" },
        { input: "--watch", brief: "the same, drawn again in place" },
        { input: "--all", brief: "every army there is" },
      ],
      full: "Shows what needs you first, with the way there; then for each role its agent's state (idle, working, asking you, suspended, starting, gone) with its age and where that was read, its unread mail and the age of the oldest, its bell, its tab and pane, and what it says of itself. It looks without touching anything, and also tells of a session that is not running and of a damaged store. In a pipe, --watch prints it anew whenever it changes.",
    },
    insight: {
      usage: "[show|forget NAME] [flags]",
      examples: [
        { input: "", brief: "list the notes on this project" },
        { input: "show build", brief: "read the note called build" },
        { input: "forget build", brief: "delete it, after asking" },
      ],
      full: "Lists what your armies have noted down about this project (how to build and test it, decisions, traps), with the age, size and first line of each note. The strategist writes these notes at the end of an order and reads them at the start of the next. They are Markdown files in a folder for each project, in insight under ~/.config/ovld or where OVLD_INSIGHT_DIR says; subfolders and worktrees of a Git repository share one. They stay when the army ends. forget asks on a terminal unless --force.",
    },
    init: {
      usage: "[flags]",
      examples: [
        { input: "", brief: "write what is missing" },
        { input: "--lang ja --force", brief: "write everything anew, in Japanese" },
      ],
      full: "Writes config.toml with every setting explained in comments, and the six role prompts, into ~/.config/ovld (or XDG_CONFIG_HOME). On a terminal it asks first. A file that is there is kept unless --force.",
    },
    doctor: {
      usage: "[flags]",
      examples: [{ input: "", brief: "whether all is well, and what mends it" }],
      full: "Checks Node.js, Zellij (a background session is really made and removed), Claude Code and its login, the mail folder, the configuration with each value and where it came from, the armies there are, and the terminal. Each line is good, worth knowing or wrong, with the command that mends it. Exit 1 when something is wrong.",
    },
    completion: {
      usage: "bash|zsh|fish",
      examples: [
        { input: "bash >> ~/.bashrc", brief: "for bash" },
        { input: 'zsh > "${fpath[1]}/_ovld"', brief: "for zsh" },
        { input: "fish > ~/.config/fish/completions/ovld.fish", brief: "for fish" },
      ],
      full: "Prints a script that completes commands, flags, roles and the names of armies in your shell.",
    },
  },
  ja: {
    summon: {
      usage: "[フラグ]",
      examples: [
        { input: "", brief: "このフォルダーで軍勢を開く、または戻る" },
        { input: "--detached --session work", brief: "work という軍勢を背後で開く" },
        { input: "--dry-run", brief: "書き込む内容と実行するコマンドを表示するだけ" },
      ],
      full: "三つのタブと六つのペインからなる Zellij セッションをひとつ開き、それぞれにエージェントと郵便を用意します。失敗しうることを先にすべて調べ、問題はまとめて知らせます。セッションが動いていれば接続します。軍勢の作業場所が別のフォルダーで、--session で名指ししていないときは先に確認します。そのとき別の --agent、--rituals、--no-rituals はもう使えず、エラーになります。終わったセッションについて Zellij が残したものは先に削除し、以前の軍勢が残した未読の手紙と状態は一覧にして引き継ぎます。Zellij の中では背後で開いて切り替えます。Zellij から戻ったとき、離れただけなら軍勢は続き、終わっていれば、未読の手紙を除いて残ったものを片付けます。名前を変えたセッションは、元の名前でも新しい名前でも見つかります。背後で開いたペインは、誰かが接続するまで小さいまま（タブ全体で 50 桁）です。\n\n準備のできたエージェントには、最初のプロンプトとして儀式を授けます。何かを尋ねているエージェントやまだ起動していないエージェントには何も入力せず、ほかを先に進め、答えがあれば、どれだけ経っていてもそのあとに授けます。背後で開いたときは、動きがあるあいだ儀式を待ち、まだ受けていない役割があれば終了コード 1 で終わります。その儀式もあとから自動で授けられます。儀式は ~/.config/ovld の rituals フォルダーにあり、最初の召喚で作られます。--rituals か設定で別のフォルダーを指定できます。プロジェクトに置かれているだけのフォルダーは使いません。Claude Code にフォルダーを信頼させる前に端末で確認し、端末がなければ各エージェントが尋ねることを知らせます。",
    },
    unsummon: {
      usage: "[フラグ]",
      examples: [
        { input: "", brief: "確認してから軍勢を終える" },
        { input: "--all --force", brief: "すべての軍勢を確認なしで終える" },
      ],
      full: "何を終えるかと未読の手紙を知らせ、--force がなければ端末で確認します。軍勢のペインの中では、--session で別の名を挙げないかぎり、その軍勢を指します。エージェントは、設定で許されていなければ --force を付けても軍勢を終えられません。セッションとともに終わらなかったものは、記録した pid と開始時刻で確かめて終了させます。ovld が召喚していないセッションには触れず、Zellij がなければ何もしません（--force を除く）。終わったセッションの残りも片付けます。",
    },
    ritual: {
      usage: "[ROLE…] [フラグ]",
      examples: [
        { input: "", brief: "すべての役割に儀式を授ける" },
        { input: "storm shadow", brief: "この二体に授ける" },
      ],
      full: "動いている軍勢の役割に、最初のプロンプト（召喚したときのもの、なければあなたのもの）を授けます。どれだけ時間がかかっても、準備ができ次第それぞれの relay がペインに入力します。このコマンドはそれを待って知らせます。終了コード 1 はまだ待っている役割があること、3 はその軍勢がないことを示します。",
    },
    practice: {
      usage: "[WISH] [フラグ]",
      examples: [
        { input: "", brief: "練習用の軍勢が願いを叶えるのを見る" },
        { input: '"城を建てて" --json', brief: "自分の願いで、JSON で出力する" },
      ],
      full: "アカウントもネットワークもトークンもいらない練習用エージェントの軍勢を召喚し、魔王に願いを告げ、その結果を知らせます。端末ではセッションが開いて見守れ、離れると終わります。それ以外では手紙の保存と既読を順に知らせ、終わったら軍勢を終えます。",
    },
    send: {
      usage: "ROLE [TEXT|-] [フラグ]",
      examples: [
        { input: 'overlord "テストが遅い理由を調べて"', brief: "役割に手紙を書く" },
        { input: "storm - --subject notes < notes.txt", brief: "標準入力の内容を送る" },
      ],
      full: "human からの手紙として役割の受信箱に保存し、その後どうなったか（通知済み、開始、受信箱から取り出し、保留とその理由、エージェント不在）を最大二秒待って知らせます。役割の relay が終了していてもエージェントが動いていれば、害のない場合に限り、送り手の relay と同じようにそのペインに入力して知らせます。通知の結果にかかわらず、保存できた時点で成功です。",
    },
    log: {
      usage: "[ID] [フラグ]",
      examples: [
        { input: "--follow", brief: "手紙の行き来を見続ける" },
        { input: "--role inferno --since 10m", brief: "この十分間に inferno に関わったこと" },
        { input: "0mabc", brief: "ID の先頭で選んだ手紙ひとつの全経過" },
      ],
      full: "記録の内容を順に表示します: 手紙の保存、通知、開始、保留、応答なし、既読、儀式、状態、隔離した壊れたファイル。絞り込むと、選ばれた手紙のその後も一緒に表示します。--follow は Ctrl-C か軍勢の終わりまで続きます。--json では docs/store-format.md のとおりのオブジェクトを一行にひとつ、ID を付けると文書ひとつを出力します。",
    },
    continue: {
      usage: "[ROLE…] [フラグ]",
      examples: [
        { input: "", brief: "一時停止したエージェントをすべて再開する" },
        { input: "storm", brief: "この役割だけ再開する" },
      ],
      full: "Ctrl-Z を押すとエージェントは一時停止しますが、そのペインには再開できるシェルがありません。このコマンドはそのプロセスに再開のシグナル（SIGCONT）を送ります。一時停止していないエージェントには触れません。",
    },
    status: {
      usage: "[フラグ]",
      examples: [
        { input: "", brief: "各エージェントの様子と、対応が必要なこと" },
        { input: "--watch", brief: "同じ場所に描き直し続ける" },
        { input: "--all", brief: "すべての軍勢" },
      ],
      full: "まず対応が必要なことと、そこへの行き方を表示します。続いて役割ごとに、エージェントの状態（待機、作業中、質問中、一時停止、起動中、不在）とその経過時間と根拠、未読の手紙と最も古いものの経過時間、通知、タブとペイン、自己申告を表示します。見るだけで何も変えません。セッションが動いていないときや保管場所が壊れているときも、そう知らせます。パイプでは --watch は変化のたびに出力します。",
    },
    insight: {
      usage: "[show|forget NAME] [フラグ]",
      examples: [
        { input: "", brief: "このプロジェクトのノートを一覧する" },
        { input: "show build", brief: "build というノートを読む" },
        { input: "forget build", brief: "確認してから削除する" },
      ],
      full: "軍勢がこのプロジェクトについて残したノート（ビルドとテストの方法、決定事項、落とし穴）を、経過時間、サイズ、一行目とともに一覧します。軍師が命令の終わりに書き、次の命令の始めに読みます。ノートは Markdown ファイルで、プロジェクトごとのフォルダー（~/.config/ovld の insight の中、または OVLD_INSIGHT_DIR の場所）にあります。Git リポジトリのサブフォルダーと worktree はひとつのフォルダーを共有します。軍勢が終わっても残ります。forget は --force がなければ端末で確認します。",
    },
    init: {
      usage: "[フラグ]",
      examples: [
        { input: "", brief: "足りないものを書き出す" },
        { input: "--lang ja --force", brief: "すべてを日本語で書き直す" },
      ],
      full: "すべての設定をコメントで説明した config.toml と、六つの役割のプロンプトを ~/.config/ovld（または XDG_CONFIG_HOME）に書き出します。端末では先に確認します。すでにあるファイルは --force がなければそのままです。",
    },
    doctor: {
      usage: "[フラグ]",
      examples: [{ input: "", brief: "問題がないか、あればどう直すか" }],
      full: "Node.js、Zellij（背後のセッションを実際に作って消します）、Claude Code とそのログイン、手紙のフォルダー、設定の各値とその出どころ、軍勢、端末を調べます。各行は良好、参考、問題のいずれかで、直すためのコマンドを示します。問題があれば終了コードは 1 です。",
    },
    completion: {
      usage: "bash|zsh|fish",
      examples: [
        { input: "bash >> ~/.bashrc", brief: "bash 用" },
        { input: 'zsh > "${fpath[1]}/_ovld"', brief: "zsh 用" },
        { input: "fish > ~/.config/fish/completions/ovld.fish", brief: "fish 用" },
      ],
      full: "コマンド、フラグ、役割、軍勢の名前をシェルで補完するスクリプトを出力します。",
    },
  },
};
