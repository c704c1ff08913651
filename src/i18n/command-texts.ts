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
      full: "Opens one Zellij session with three tabs and six panes, each with its agent and its mail. Everything that could fail is checked first, and all problems are reported at once, before anything is created. If the session is already running, summon attaches to it; if its army works in another folder and you did not name it with --session, summon asks first. For an army that is running, --rituals, --no-rituals and another --agent come too late and are errors. Whatever Zellij kept of a dead session is deleted first; unread mail and statuses that an earlier army left are listed and taken over. Inside Zellij, summon opens the army in the background and switches to it. When Zellij returns, you have either detached, and the army is still running, or the session has ended, and everything it kept is removed except mail that nobody has read. A session that was renamed is found by its old name and by its new one. In the background the panes are small (50 columns for a whole tab) until somebody attaches.\n\nEach agent that is ready is given its ritual as its first prompt. Nothing is typed into an agent that is asking something or has not started: the other agents continue, and this one gets its ritual after you have answered, however long that takes. In the background, summon waits for the rituals as long as there is progress, and ends with exit code 1 if a role has no ritual yet; that role still gets its ritual later, by itself. The rituals are in the rituals folder of ~/.config/ovld, which the first summon fills, unless --rituals or the configuration names another folder; a folder that merely exists in the project is not used. On a terminal, summon asks before it tells Claude Code to trust a folder; elsewhere it says that each agent will ask.",
    },
    unsummon: {
      usage: "[flags]",
      examples: [
        { input: "", brief: "end the army, after asking" },
        { input: "--all --force", brief: "end all armies without asking" },
      ],
      full: "Says what it will end, mentions unread mail, and asks on a terminal unless you use --force. In a pane of an army it ends that army, unless --session names another. An agent may not end an army, not even with --force, unless the configuration allows it. A process that does not end with its session is ended by its recorded pid and start time. A session that ovld did not summon is left alone, and without Zellij nothing is touched, unless you use --force. Leftovers of a dead session are removed too.",
    },
    ritual: {
      usage: "[ROLE…] [flags]",
      examples: [
        { input: "", brief: "give every role its ritual" },
        { input: "storm shadow", brief: "give it to these two" },
      ],
      full: "Gives the roles of a running army the prompt they start with: the one the army was summoned with, or else your own. Each role's relay types it into its pane as soon as its agent is ready, however long that takes; this command waits and reports. Exit code 1 means that a role is still waiting, 3 that there is no such army.",
    },
    practice: {
      usage: "[WISH] [flags]",
      examples: [
        { input: "", brief: "watch a practice army carry out a wish" },
        { input: '"Build me a castle" --json', brief: "use a wish of your own, and print JSON" },
      ],
      full: "Summons an army of practice agents, which need no account, no network and no tokens, asks the overlord for something, and reports the result. On a terminal the session opens for you to watch, and ends when you leave it; elsewhere each message is shown when it is stored and when it is read, and the army is ended afterwards.",
    },
    send: {
      usage: "ROLE [TEXT|-] [flags]",
      examples: [
        { input: 'overlord "Find out why the tests are slow"', brief: "write to a role" },
        { input: "storm - --subject notes < notes.txt", brief: "send what comes in on stdin" },
      ],
      full: "Stores a message from human in the role's inbox, then waits up to two seconds to say whether the agent was woken: rung, begun, taken out of the inbox, held and why, or that no agent is running. If the role's relay has ended and its agent is running, send rings the agent by typing into its pane, as a sender's relay does, provided that this can do no harm. The command succeeds as soon as the message is stored, whether or not the agent was woken.",
    },
    log: {
      usage: "[ID] [flags]",
      examples: [
        { input: "--follow", brief: "watch the mail as it is sent and read" },
        { input: "--role inferno --since 10m", brief: "what concerned inferno in the last ten minutes" },
        { input: "0mabc", brief: "one message's whole history, by the beginning of its id" },
      ],
      full: "Shows what the journal holds, in order: messages stored, rung for, begun, held, unanswered and read; rituals, statuses, and broken files that were set aside. If you filter, everything that happened to a selected message is shown with it. --follow continues until Ctrl-C or until the army ends. With --json each line is an object as docs/store-format.md describes it; with ID, one document.",
    },
    continue: {
      usage: "[ROLE…] [flags]",
      examples: [
        { input: "", brief: "resume every suspended agent" },
        { input: "storm", brief: "only this one" },
      ],
      full: "Ctrl-Z suspends an agent, and its pane has no shell that could resume it. This command sends its process the signal to continue (SIGCONT). Agents that are not suspended are left alone.",
    },
    status: {
      usage: "[flags]",
      examples: [
        { input: "", brief: "the state of each agent, and what needs you" },
        { input: "--watch", brief: "the same, redrawn in place" },
        { input: "--all", brief: "all armies" },
      ],
      full: "Shows first what needs you, and how to get there; then for each role its agent's state (idle, working, asking you, suspended, starting, gone) with its age and where that was read, its unread mail and the age of the oldest, its bell, its tab and pane, and the status it has set for itself. The command changes nothing. It also reports a session that is not running and a damaged store. In a pipe, --watch prints the status again whenever it changes.",
    },
    insight: {
      usage: "[show|forget NAME] [flags]",
      examples: [
        { input: "", brief: "list the notes on this project" },
        { input: "show build", brief: "read the note called build" },
        { input: "forget build", brief: "delete it, after asking" },
      ],
      full: "Lists the notes your armies have kept on this project (how to build and test it, decisions, traps), with the age, size and first line of each note. The strategist writes these notes at the end of an order and reads them at the start of the next. They are Markdown files in one folder per project, in insight under ~/.config/ovld or in the folder that OVLD_INSIGHT_DIR names; subfolders and worktrees of a Git repository share one folder. The notes stay when the army ends. forget asks on a terminal unless you use --force.",
    },
    init: {
      usage: "[flags]",
      examples: [
        { input: "", brief: "write what is missing" },
        { input: "--lang ja --force", brief: "write everything again, in Japanese" },
      ],
      full: "Writes config.toml with every setting explained in comments, and the six role prompts, into ~/.config/ovld (or XDG_CONFIG_HOME). On a terminal it asks first. Existing files are kept unless you use --force.",
    },
    doctor: {
      usage: "[flags]",
      examples: [{ input: "", brief: "check your setup and suggest fixes" }],
      full: "Checks Node.js, Zellij (a background session is really created and removed), Claude Code and its login, the mail folder, the configuration, the armies and the terminal. Settings that you have set are listed with where each value came from; --json lists all settings. Each line is good, a note or wrong, with the command that fixes it where there is one. The exit code is 1 if something is wrong.",
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
        { input: "--detached --session work", brief: "work という軍勢をバックグラウンドで開く" },
        { input: "--dry-run", brief: "書き込む内容と実行するコマンドを表示するだけにする" },
      ],
      full: "三つのタブと六つのペインからなる Zellij セッションをひとつ開き、それぞれにエージェントと手紙を用意します。失敗しうることは何かを作る前にすべて調べ、問題をまとめて知らせます。セッションがすでに動いていれば接続します。軍勢の作業場所が別のフォルダーで、--session で名前を指定していないときは先に確認します。動いている軍勢に対しては、別の --agent、--rituals、--no-rituals はもう使えず、エラーになります。終わったセッションについて Zellij が残したものは先に削除し、以前の軍勢が残した未読の手紙と状態は一覧にして引き継ぎます。Zellij の中ではバックグラウンドで開いて切り替えます。Zellij から戻ったとき、離れただけなら軍勢は動き続けています。セッションが終わっていれば、未読の手紙を除いて残ったものを片付けます。名前を変えたセッションは、元の名前でも新しい名前でも見つかります。バックグラウンドのペインは、誰かが接続するまで小さいまま（タブ全体で 50 桁）です。\n\n準備のできたエージェントには、最初のプロンプトとして儀式を与えます。何かを尋ねているエージェントやまだ起動していないエージェントには何も入力しません。ほかのエージェントは先に進み、そのエージェントには、どれだけ時間がかかっても、あなたが答えたあとに与えます。バックグラウンドで開いたときは、進展があるあいだ儀式を待ち、まだ受け取っていない役割があれば終了コード 1 で終わります。その儀式もあとから自動で与えられます。儀式は ~/.config/ovld の rituals フォルダーにあり、最初の召喚で作られます。--rituals か設定で別のフォルダーを指定できます。プロジェクトに置かれているだけのフォルダーは使いません。端末では、Claude Code にフォルダーを信頼させる前に確認します。端末がなければ、各エージェントが尋ねることを知らせます。",
    },
    unsummon: {
      usage: "[フラグ]",
      examples: [
        { input: "", brief: "確認してから軍勢を終える" },
        { input: "--all --force", brief: "すべての軍勢を確認なしで終える" },
      ],
      full: "何を終えるかと未読の手紙を知らせ、--force がなければ端末で確認します。軍勢のペインの中では、--session で別の名前を指定しないかぎり、その軍勢を終えます。エージェントは、設定で許可されていなければ、--force を付けても軍勢を終えられません。セッションとともに終わらなかったプロセスは、記録した pid と開始時刻で確かめて終了させます。ovld が召喚していないセッションには触れず、Zellij がなければ何もしません（--force を付けた場合を除きます）。終わったセッションの残りも片付けます。",
    },
    ritual: {
      usage: "[ROLE…] [フラグ]",
      examples: [
        { input: "", brief: "すべての役割に儀式を与える" },
        { input: "storm shadow", brief: "この二つの役割に与える" },
      ],
      full: "動いている軍勢の役割に、最初のプロンプト（召喚したときのもの、なければあなたのもの）を与えます。どれだけ時間がかかっても、エージェントの準備ができ次第、それぞれの relay がペインに入力します。このコマンドはそれを待って結果を知らせます。終了コード 1 はまだ待っている役割があること、3 はその軍勢がないことを示します。",
    },
    practice: {
      usage: "[WISH] [フラグ]",
      examples: [
        { input: "", brief: "演習軍が願いを叶えるのを見る" },
        { input: '"城を建てて" --json', brief: "自分の願いを使い、JSON で出力する" },
      ],
      full: "アカウントもネットワークもトークンもいらない演習用エージェントの軍勢（演習軍）を召喚し、魔王に願いを告げ、その結果を知らせます。端末ではセッションが開いて様子を見られ、離れると終わります。それ以外では手紙の保存と既読を順に表示し、最後に軍勢を終えます。",
    },
    send: {
      usage: "ROLE [TEXT|-] [フラグ]",
      examples: [
        { input: 'overlord "テストが遅い理由を調べて"', brief: "役割に手紙を送る" },
        { input: "storm - --subject notes < notes.txt", brief: "標準入力の内容を送る" },
      ],
      full: "human からの手紙として役割の受信箱に保存し、最大二秒待って、エージェントが起こされたかどうか（通知済み、ターン開始、受信箱から取り出し、保留とその理由、エージェント不在）を知らせます。役割の relay が終了していてもエージェントが動いていれば、害のない場合に限り、送り手の relay と同じようにそのペインに入力して通知します。通知の結果にかかわらず、手紙を保存できた時点で成功です。",
    },
    log: {
      usage: "[ID] [フラグ]",
      examples: [
        { input: "--follow", brief: "手紙の行き来を見続ける" },
        { input: "--role inferno --since 10m", brief: "この十分間に inferno に関わったこと" },
        { input: "0mabc", brief: "ID の先頭で選んだ手紙ひとつの全経過" },
      ],
      full: "記録の内容を順に表示します: 手紙の保存、通知、ターン開始、保留、応答なし、既読、儀式、状態、隔離した壊れたファイル。絞り込むと、選ばれた手紙のその後の経過も一緒に表示します。--follow は Ctrl-C か軍勢の終わりまで続きます。--json では docs/store-format.md のとおりのオブジェクトを一行にひとつ、ID を付けると文書ひとつを出力します。",
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
        { input: "", brief: "各エージェントの状態と、対応が必要なこと" },
        { input: "--watch", brief: "同じ場所に描き直して表示し続ける" },
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
      full: "軍勢がこのプロジェクトについて残したノート（ビルドとテストの方法、決定事項、落とし穴）を、経過時間、サイズ、一行目とともに一覧します。軍師が命令の終わりに書き、次の命令の始めに読みます。ノートは Markdown ファイルで、プロジェクトごとのフォルダー（~/.config/ovld の insight の中、または OVLD_INSIGHT_DIR の場所）にあります。Git リポジトリのサブフォルダーと worktree はひとつのフォルダーを共有します。ノートは軍勢が終わっても残ります。forget は --force がなければ端末で確認します。",
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
      examples: [{ input: "", brief: "環境を調べ、直し方を示す" }],
      full: "Node.js、Zellij（バックグラウンドのセッションを実際に作って消します）、Claude Code とそのログイン、手紙のフォルダー、設定、軍勢、端末を調べます。自分で指定した設定は、値の出どころとともに一覧します。--json ではすべての設定を出力します。各行は良好、参考、問題のいずれかで、直すためのコマンドがあれば示します。問題があれば終了コードは 1 です。",
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
