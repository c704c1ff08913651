import type { Texts } from "../texts.ts";

export const COMMAND_TEXTS: Texts["commands"] = {
  summon: {
    usage: "[フラグ]",
    examples: [
      { input: "", brief: "このフォルダーで軍勢を開く、または戻る" },
      { input: "--detached --army work", brief: "work という軍勢をバックグラウンドで開く" },
      { input: "--resume", brief: "このフォルダーの前の軍勢を呼び戻す" },
      { input: "--dry-run", brief: "書き込む内容と実行するコマンドを表示するだけにする" },
    ],
    full: "Zellij セッションをひとつ開き、6 体のエージェントをそれぞれのペインで起動します。軍勢がすでに動いていれば接続します。その軍勢が別のフォルダーで働いていて、--army で名前を指定していないときは、先に確認します。\n\nこのフォルダーの前の軍勢が中断したかアーカイブにあるときは、再開できるものを示し、呼び戻すかどうかを尋ねます。--resume か --fresh を付けると尋ねません。--yes を付けると、前の軍勢をアーカイブに残して新しい軍勢を始め、フォルダーを信頼するかどうかはエージェントに任せ、別のフォルダーの軍勢には接続しません。端末がない場合、中断した軍勢にはどれかが必要です。--army にはアーカイブした軍勢の名前も使えます。\n\nエージェントは準備ができ次第、役割のプロンプト（儀式）を受け取ります。--detached ではそれを待ち、あとから受け取る役割があれば終了コード 1 で終わります。詳しくは ovld help getting-started を参照してください。",
  },
  attach: {
    usage: "[ROLE] [フラグ]",
    examples: [
      { input: "", brief: "動いている軍勢に戻る" },
      { input: "storm", brief: "さらに storm のペインへ移動する" },
    ],
    full: "動いている軍勢に接続します。新しく始めることはありません（軍勢がなければ終了コード 3）。役割を指定するとそのペインへ移動し、ほかの端末も接続しているときは行き方を示します。",
  },
  unsummon: {
    usage: "[フラグ]",
    examples: [
      { input: "", brief: "確認してから軍勢を解散する" },
      { input: "--all --yes", brief: "すべての軍勢を確認なしで解散する" },
      { input: "--everywhere --army camp", brief: "ほかのマシンでも解散する" },
      { input: "--forget", brief: "軍勢を解散し、アーカイブに何も残さない" },
    ],
    full: "何を解散するかを示し、--yes がなければ確認します。手紙、状態、会話は 30 日間（設定の [archive] の days）アーカイブに残り、ovld summon --resume で軍勢を呼び戻せます。--forget を付けると何も残しません。複数のマシンにまたがる軍勢では、--everywhere がなければこのマシンの分だけを解散します。軍勢のペインの中では、その軍勢を解散します。エージェントは、設定で許可されていなければ、--force を付けても軍勢を解散できません。--force は、ovld が召喚していない Zellij セッションも終了し、Zellij がなくても使えますが、確認は省略しません。",
  },
  rituals: {
    usage: "[edit ROLE | diff [ROLE…] | give [ROLE…]] [フラグ]",
    examples: [
      { input: "", brief: "次の軍勢に与えるプロンプトを一覧する" },
      { input: "edit storm", brief: "storm のプロンプトをエディターで開く" },
      { input: "diff", brief: "自分が変えたところを表示する" },
      { input: "give storm shadow", brief: "動いている軍勢の 2 つの役割に、プロンプトをもう一度送る" },
    ],
    full: "役割のプロンプト（儀式）を一覧します。どのファイルが使われるか、それがあなたのファイルか、ovld に付属のものと違うかを示します。edit は $VISUAL か $EDITOR で、あなたのファイルとして開き、内容を検査します。shared は 6 つに共通の部分です。diff は ovld に付属のものと比べます。\n\ngive は、動いている軍勢のエージェントに、最初のプロンプト（召喚したときのもの、なければあなたのもの）をもう一度送ります。エージェントは準備ができ次第受け取り、このコマンドはそれを待って結果を知らせます。終了コード 1 はまだ待っている役割があること、3 はその軍勢がないことを示します。",
  },
  practice: {
    usage: "[WISH] [フラグ]",
    examples: [
      { input: "", brief: "演習軍が願いを叶えるのを見る" },
      { input: '"城を建てて" --json', brief: "自分の願いを使い、JSON で出力する" },
      { input: "--resume", brief: "中断した演習を続ける" },
      { input: "--trees", brief: "衝突や検査の失敗が差し戻され、最後にすべてが取り込まれるのを見る" },
      { input: "--machines 3", brief: "3 台のマシンを模擬して行う" },
    ],
    full: "アカウントもネットワークもトークンもいらない演習用エージェントの軍勢（演習軍）を召喚し、魔王に願いを告げ、その結果を知らせます。端末では軍勢が開いて様子を見られ、離れると解散します。それ以外では手紙の送信と既読を順に表示します。--resume では、エージェントは済んだことを覚えており、同じことを繰り返しません。",
  },
  send: {
    usage: "ROLE [TEXT|-] [フラグ]",
    examples: [
      { input: 'overlord "テストが遅い理由を調べて"', brief: "役割に手紙を送る" },
      { input: "storm - --subject notes < notes.txt", brief: "標準入力の内容を送る" },
      { input: 'overlord "どこまで進んだ？" --wait', brief: "返事も待つ" },
    ],
    full: "手紙を役割の受信箱に入れ、最大 2 秒待って、エージェントが起きたかどうかを知らせます。手紙が受信箱に入った時点で成功です。役割の relay が終了していれば、安全な場合に限り、send 自身がそのペインに入力します。--wait は返事を待って表示します。先に ovld から、エージェントが止まった、失敗した、ペインで尋ねているという知らせが届いた場合は、それを表示して失敗します。途中で Ctrl-C を押しても、返事は ovld inbox で読めます。エージェントが動いていなければ、--wait はエラーになります。",
  },
  inbox: {
    usage: "[フラグ]",
    examples: [
      { input: "", brief: "新しい手紙を読む" },
      { input: "--all", brief: "以前に読んだ手紙も表示する" },
    ],
    full: "エージェントからあなたへの手紙を表示し、既読にします。途中で止まった場合、その手紙は次回に印を付けてもう一度表示します。--all はアーカイブした軍勢にも使えます。エージェントはこのコマンドを実行できません。",
  },
  reply: {
    usage: "[ID] TEXT|- [フラグ]",
    examples: [
      { input: '"ポートは 8080"', brief: "返事を待っている質問に答える" },
      { input: '0mabc "ポートは 8080"', brief: "この手紙に返事をする（ID は先頭部分だけでもよい）" },
    ],
    full: "手紙をくれたエージェントに、ovld send と同じように返事を送り、その手紙を既読にします。ID を省くと、返事を待っているエージェントに、いなければまだ返事をしていない最後の手紙に答えます。該当する手紙が複数あれば、一覧を表示して何も送りません。エージェントはこのコマンドを実行できません。",
  },
  log: {
    usage: "[ID] [フラグ]",
    examples: [
      { input: "--follow", brief: "手紙の行き来を見続ける" },
      { input: "--role inferno --since 10m", brief: "この 10 分間の inferno に関すること" },
      { input: "-n 20", brief: "最新の二十件" },
      { input: "0mabc", brief: "ID の先頭で選んだ手紙ひとつの全経過" },
      { input: "--army overlord@20261116-031200", brief: "アーカイブした軍勢で起こったこと" },
    ],
    full: "手紙に起きたこと（未読、通知、ターン開始、保留、応答なし、既読）、儀式、状態、隔離した壊れたファイルを順に表示します。絞り込むと、選ばれた手紙のその後の経過も一緒に表示します。--follow は Ctrl-C か軍勢の終わりまで続きます。--after を付けると、その手紙についての最初の記録より後をすべて表示します。--army にはアーカイブした軍勢の名前も使えます。--json では 1 行にひとつのオブジェクト、ID を付けると文書ひとつを出力します。",
  },
  restart: {
    usage: "ROLE… | --continue [ROLE…] [フラグ]",
    examples: [
      { input: "storm", brief: "このエージェントを終了し、同じ会話で起動し直す" },
      { input: "inferno glacier", brief: "順に起動し直す" },
      { input: "--continue", brief: "Ctrl-Z で一時停止したエージェントをすべて再開する" },
    ],
    full: "指定したエージェントを終了し、同じペインと会話で起動し直します。会話を再開できないときは新しい会話を始め、その理由を表示します。終了した、応答しない、または relay が終了したエージェントに使います。エージェントはほかのエージェントを起動し直せません（設定で軍勢の解散を許可している場合を除きます）。\n\nCtrl-Z を押すとエージェントは一時停止しますが、そのペインには再開できるシェルがありません。--continue は何も終了せず、一時停止したエージェントに再開のシグナル（SIGCONT）を送ります。ほかのエージェントには触れません。",
  },
  status: {
    usage: "[フラグ]",
    examples: [
      { input: "", brief: "各エージェントの状態と、対応が必要なこと" },
      { input: "--watch", brief: "同じ場所に描き直し、キーで回答、手紙、ペインへの移動ができる" },
    ],
    full: "まず対応が必要なことと、そこへの行き方を表示します。続いて役割ごとに、エージェントの状態とその経過時間と根拠、未読の手紙、通知、タブとペイン、作業内容を表示します。端末では --watch にキーがあります。a はエージェントの質問に答え、g と番号はその役割のペインへ移動し、w は手紙を書き、q は終了します。パイプでは --watch は変化のたびに出力します。",
  },
  answer: {
    usage: "[ROLE] [allow|deny] [フラグ]",
    examples: [
      { input: "", brief: "要求に順に答える" },
      { input: 'inferno deny --why "先にテストを実行して"', brief: "inferno の要求を、理由を添えて拒否する" },
      { input: "storm --choose 1", brief: "質問の最初の選択肢、または最初の提案を選ぶ" },
    ],
    full: "エージェントからの要求（許可、質問、計画の承認）に答えます。端末では、それぞれの全文を表示して尋ねます。Enter だけでは何も答えません。それ以外では一覧を表示します。役割と allow か deny、または --choose か --text を指定すると、その内容で答えます。許可と計画では、エージェント自身のダイアログが提案する今後の許可を、--choose の番号で選べます。それ以外は許可できません。見ていないものを許可しないように、先に要求を表示して確認するか、一覧にある名前を省略せずに --request で指定する必要があります（deny には不要です）。ダイアログはペインにも残り、先に届いた答えが有効です（あなたの答えが間に合わなければ終了コード 5）。エージェントはこのコマンドを実行できません。サブエージェントの要求と、エージェントの最初のプロンプトより前の質問には、ペインでのみ答えられます。",
  },
  task: {
    usage:
      "[list | show ID] [フラグ]\nadd 題 [目標] [フラグ]\ntake [ID] | done | return ID 理由 | drop ID [フラグ]",
    examples: [
      { input: "", brief: "終わっていないタスク" },
      { input: 'add "日付を解析する" --to inferno --check "npm test"', brief: "役割を指定して追加する" },
      { input: "take T7", brief: "エージェントが自分のツリーのブランチで引き受ける" },
      { input: "done", brief: "エージェントがコミット済みの作業を提出する" },
      { input: 'return T7 "うるう年も扱うこと"', brief: "取り込みを待つタスクを差し戻す" },
    ],
    full: "--trees で召喚した軍勢のタスクです。状態は、未着手、作業中、提出済み、検査中、差し戻し、取り込み済み、取りやめのいずれかです。done はコミット済みの作業を提出します。その後は自動で取り込まれます。そのコミット自体が検査に通ればブランチ ovld/ARMY にマージし、通らなければ手紙で担当者に差し戻します。取り込まれていないものが削除されることはありません。詳しくは ovld help trees を参照してください。",
  },
  land: {
    usage: "[フラグ]",
    examples: [
      { input: "", brief: "いまのブランチに取り込む" },
      { input: "--dry-run", brief: "できるかどうかを表示する" },
    ],
    full: "ovld/ARMY を、あなたのチェックアウトのブランチに早送り（fast-forward）で取り込みます。変更中のファイルに触れる場合、Git はこれを拒みます。コミットしていない内容は、先に ref に保存します。あなたのブランチに新しいコミットがあれば、まず ovld/ARMY に取り込んで検査します。できない場合は理由を表示し、何も変更しません（終了コード 5）。",
  },
  budget: {
    usage: "[go | raise トークン数 [役割]] [フラグ]",
    examples: [
      { input: "", brief: "軍勢と各役割の使用量と残り" },
      { input: "raise 2M", brief: "軍勢の予算を 200 万トークン増やす" },
      { input: "go", brief: "使い切った予算の 1 割だけ、一度続けさせる" },
    ],
    full: "軍勢と各役割のトークン数（エージェントとそのサブエージェントの全会話の入力、キャッシュからの入力、出力）を、会話記録から数えて表示します。予算は設定の [budget] で指定します。80 % であなたに手紙が届きます。使い切ると、進行中のターンは最後まで続きますが、予算を増やすか続けさせるまで、誰も起こしません。トークン数を 1 分間数えられなければ、予算を使い切ったものとして扱います。設定に [prices] があれば費用も表示します。",
  },
  desk: {
    usage: "[フラグ]",
    examples: [
      { input: "", brief: "リンクを表示し、ブラウザーで開く" },
      { input: "--export campaign.html --no-bodies", brief: "作戦をひとつのファイルに書き出す" },
    ],
    full: "ブラウザー用のページを、このマシンの中だけに向けて、Ctrl-C を押すまで提供します。対応が必要なこと、会話、タスク、役割、作戦の図を表示します。リンクは 5 分以内に一度だけ使えます。Enter を押すと新しいリンクを表示します。端末がない場合は、標準入力に 1 行を書くと表示します。--json ではリンクごとにひとつのオブジェクトを表示します。軍勢は動いていなくてもかまいません。エージェントはこのコマンドを実行できません。詳しくは ovld help desk を参照してください。",
  },
  armies: {
    usage: "[rm NAME…] [フラグ]",
    examples: [
      { input: "", brief: "すべての軍勢を一覧する" },
      { input: "rm overlord@20261116-031200", brief: "確認してから、アーカイブした軍勢を削除する" },
    ],
    full: "動いている軍勢、中断した軍勢（クラッシュや再起動）、アーカイブした軍勢を、経過時間、対応を待つ役割、未読の手紙、再開できる会話の数、フォルダーとともに一覧します。--watch は一覧を表示し続けます。rm は動いていない軍勢を完全に削除します。--yes がなければ確認します。端末がない場合と --json の場合は --yes が必要です。エージェントは、設定で許可されていなければ軍勢を削除できません。",
  },
  hub: {
    usage:
      "start|status|stop|doctor|service|requirements [フラグ]\ninvite ROLE… | join FILE | revoke MACHINE [フラグ]",
    examples: [
      { input: "start --army camp", brief: "ハブを起動し、軍勢 camp を扱う" },
      { input: "invite --army camp inferno glacier > b.join", brief: "2 つの役割を別のマシンに任せる" },
      { input: "join b.join", brief: "もう一方のマシンで、ファイルに書かれた軍勢に参加する" },
      { input: "status", brief: "ハブと、その軍勢とマシンを見る" },
      { input: "revoke machine-2 --army camp", brief: "マシンから役割を取り戻す" },
      { input: "service", brief: "システムにハブを起動させるファイルを出力する" },
      {
        input: "requirements --army camp",
        brief: "ほかの人の NATS サーバーで軍勢に必要なものを出力する",
      },
    ],
    full: "ハブは軍勢の手紙をマシンの間で運びます。中身は nats-server（2.12 以降）で、PATH かキャッシュにあるものを使い、なければ Go でビルドします。start は鍵と証明書（openssl を使用）を作り、サーバーをバックグラウンドで監視します。--listen がなければ 127.0.0.1 だけで待ち受けます。invite は、指定した役割の鍵の入った参加ファイルを出力します。その役割は、このマシンでは動かなくなります。join はそのファイルの鍵をこのマシンだけの鍵と交換します。ファイルは使用済みになり、以後、--army でその軍勢の名前を指定したコマンドはハブを使います。revoke は鍵を取り消します。マシンの名前は status で確認できます。stop はハブを停止しますが、手紙は保存されたままです。ほかの人が動かす NATS サーバーを使う場合（設定の [hub] の url と creds）、requirements は管理者に頼むことを出力し、start は先にサーバーを検査します。エージェントは start、stop、invite、join、revoke を実行できません。詳しくは ovld help several-machines を参照してください。",
  },
  notes: {
    usage: "[show NAME] [フラグ]",
    examples: [
      { input: "", brief: "このプロジェクトのノートを一覧する" },
      { input: "show build", brief: "build というノートを読む" },
    ],
    full: "軍勢がこのプロジェクトについて残したノート（ビルドとテストの方法、決定事項、落とし穴）を、経過時間、サイズ、1 行目とともに一覧します。軍師が命令の終わりに書きます。ノートは ~/.config/ovld/insight（または OVLD_INSIGHT_DIR）の Markdown ファイルで、軍勢を解散しても残ります。消すには、そのファイルを削除します。",
  },
  init: {
    usage: "[フラグ]",
    examples: [
      { input: "", brief: "足りないものを書き出す" },
      { input: "--lang ja --force", brief: "確認してから、すべてを日本語で書き直す" },
    ],
    full: "すべての設定をコメントで説明した config.toml、6 つの役割のプロンプト、その共通部分の shared.md を ~/.config/ovld（または XDG_CONFIG_HOME）に書き出します。--yes がなければ端末で先に確認します。すでにあるファイルは --force がなければそのままです。端末がない場合、置き換えるには --yes も必要です。プロンプトの書き換え方は ovld help rituals にあります。",
  },
  doctor: {
    usage: "[フラグ]",
    examples: [{ input: "", brief: "環境を調べ、直し方を示す" }],
    full: "Node.js、Zellij、Claude Code とそのログイン、手紙のフォルダー、設定、軍勢、端末を調べます。自分で指定した設定は、値の出どころとともに一覧します。--json ではすべての設定を出力します。各行は良好、参考、問題のいずれかで、直すためのコマンドがあれば示します。問題があれば終了コードは 1 です。",
  },
  update: {
    usage: "[フラグ]",
    examples: [{ input: "", brief: "この ovld を更新するコマンドを表示する" }],
    full: "この ovld のインストールの仕方（npm、Homebrew、npx、クローンのどれか）と、更新するコマンドを表示します。何も変更せず、通信もしません。",
  },
  completion: {
    usage: "bash|zsh|fish|nushell",
    examples: [
      { input: "bash", brief: "~/.bashrc に書く: source <(ovld completion bash)" },
      { input: "zsh", brief: "~/.zshrc に書く: source <(ovld completion zsh)" },
      { input: "fish > ~/.config/fish/completions/ovld.fish", brief: "fish 用" },
      { input: "nushell | save -f ($nu.user-autoload-dirs.0)/ovld.nu", brief: "nushell 用" },
    ],
    full: "コマンド、フラグ、役割、軍勢の名前をシェルで補完するスクリプトを出力します。zsh では compinit のあとに読み込みます。fish と nushell のフォルダーは先に作っておきます。",
  },
  relay: {
    usage: "",
    examples: [],
    full: "役割ひとつの手紙を、標準入出力の MCP サーバーとしてエージェントに提供します。環境変数 OVLD_ROLE、OVLD_RELAY_DIR、OVLD_SESSION が必要です。",
  },
};
