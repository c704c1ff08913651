import type { Texts } from "../texts.ts";
import { MOST_MAIL, USUAL_BRAKE } from "../../army/words.ts";

export const INIT_TEXTS: Texts["init"] = {
  willWrite: "書き込むファイル:",
  willReplace: (path) => `${path}（今あるファイルを置き換えます）`,
  willKeep: (path) => `${path} はすでにあるため、そのままにします。`,
  askToWrite: "書き込みますか? [Y/n] ",
  no: /^\s*(no?|いいえ)\s*$/i,
  wroteNothing: "何も書き込んでいません。",
  wrote: (path) => `書き込みました: ${path}`,
  kept: (path) => `そのままです: ${path}（--force で置き換え）`,
  nothingToDo: "すべて揃っています。",
  next: "次は: ovld doctor で環境を調べ、ovld summon で軍勢を開きます。",
};

export const CONFIG_TEMPLATE = `# ovld の設定ファイルです。# で始まる行は無効で、既定値または例を示します。
# フラグは環境変数（OVLD_SESSION、OVLD_AGENT、OVLD_WAKE、OVLD_ZELLIJ、OVLD_RITUALS、OVLD_LIMITS、
# OVLD_LANG）に優先し、環境変数はこのファイルに優先します。

# --army を省略したときに、コマンドの対象となる軍勢の名前です。
# session = "overlord"

# ペインで動かすものです。"claude" は Claude Code、"practice" はアカウントも費用もいらない演習軍です。
# agent = "claude"

# 手紙が届いたエージェントの起こし方です。"auto" は使える中で最も穏やかな方法、"pane" はペインへの入力だけを使います。
# wake = "auto"

# ovld が使う言語です（"en" または "ja"）。省略するとシステムの言語に従います。
LANGUAGE_LINE

# 使う Zellij です。省略すると、PATH にあるもの、または ovld がダウンロードかビルドしたものを使います。
# zellij = "~/bin/zellij"

# エージェントが ovld unsummon で軍勢を解散してよいかどうかです。false なら、あなただけが解散できます。
# [agents]
# may_unsummon = false

# 軍勢のすべての Claude Code の起動方法です。プログラム、モデル、許可モード
# （"manual"、"acceptEdits"、"plan"、"auto"、"dontAsk"、"bypassPermissions"）、そのほかの引数を指定します。
# [agents.claude]
# program = "~/.local/bin/claude"
# model = "opus"
# permission_mode = "acceptEdits"
# args = ["--add-dir", "/srv/data"]

# 役割ひとつだけの設定です（overlord、strategist、inferno、glacier、shadow、storm）。モデルと許可モードは
# 上の設定に優先し、引数は上の引数の後に続きます。
# [roles.inferno]
# model = "sonnet"
# permission_mode = "acceptEdits"
# args = []

# 手紙が届いたエージェントを起こす通知です。短い手紙（合計 6 KB まで）は通知と一緒に届き、エージェントが取りに行く
# 必要はありません。false なら、手紙があることだけを通知します。
# [bell]
# carry = true

# ブレーキです。エージェント同士がこの数だけ手紙をやり取りし、その間ほかに何もしていないと、次の手紙は保存される
# だけで通知されません。続けさせるかどうかはあなたが決めます（ovld answer）。0 にすると何も止めません。
# [brake]
# messages = ${USUAL_BRAKE}

# 軍勢と役割ごとの予算（トークン数）です（ovld budget）。新しく読んだもの、キャッシュから読んだもの、書いたものを
# すべて数えます。使い切ると、あなたが決めるまで誰にも通知しません。[prices] に 100 万トークンあたりの価格を書くと、
# 費用も表示します。
# [budget]
# army = 5_000_000
# inferno = 1_000_000
# [prices.claude-opus-5-5]
# input = 5.0
# cached = 0.5
# output = 25.0

# ペインの外での操作です。エージェントの質問にペインの外（ovld answer）で回答できるかどうかと、エージェントが
# あなたを待ち始めたときにデスクトップ通知を出すかどうかを指定します。key は、軍勢の中で ovld status --watch
# をフローティングペインに開くキーです。あなたや Zellij がすでに使っているキーなら無効になります。"off" でなくします。
# [desk]
# answer = true
# notify = true
# key = "Alt s"

# デスクトップ通知の代わりに実行する、あなた自身のコマンドです（あなた宛ての手紙も対象）。通知の文は標準入力で渡します。
# [notify]
# command = "curl -s --data-binary @- https://ntfy.sh/your-topic"

# 役割のプロンプト（儀式）です。そのフォルダーと、与えるときにペインの間でフォーカスを動かすかどうかを指定します。
# [rituals]
# folder = "~/.config/ovld/rituals"
# focus = true

# Git リポジトリで、エージェントごとに専用のワークツリーを使うための設定です（ovld help trees）。使うかどうか、作業が
# 取り込む前に成功しなければならないコマンドとその制限時間（分）、新しいツリーを使えるようにするコマンド、ツリーの
# フォルダー、取り込まれた作業を安全なときに自動であなたのブランチに取り込むかどうかを指定します。
# [trees]
# on = true
# check = "npm test"
# check_minutes = 30
# setup = "npm ci"
# folder = "~/.local/state/ovld/trees"
# into_mine = false

# 手紙の量の上限です（受信箱ひとつの未読の数と、本文のバイト数）。超える手紙は断られ、送り手に伝えられます。
# journal_mb は記録を残す量で、古いものから削除されます。上限は減らせますが、これより増やすことはできません。
# 軍勢は召喚されたときの上限を使い続けます。
# [limits]
# unread_per_inbox = ${MOST_MAIL.unreadPerInbox}
# body_bytes = ${MOST_MAIL.bodyBytes}
# journal_mb = ${MOST_MAIL.journalMegabytes}

# 指揮系統です。それぞれの役割が誰に手紙を送れるかを指定します（"human" はあなたです）。書かれていない役割は誰にでも、
# overlord はいつでもあなたに、あなたは誰にでも送れます。これに反する手紙は断られ、誰に送ればよいかが送り手に伝えられます。read_only の役割は、Claude Code の
# ファイル操作ではプロジェクトのファイルを変更できません（.ovld/ の中は除きます）。軍勢は召喚されたときの設定を使い続けます。
# [command]
# overlord = ["strategist"]
# strategist = ["overlord", "inferno", "glacier", "shadow", "storm"]
# inferno = ["strategist"]
# read_only = ["overlord", "strategist"]

# 終わった軍勢（未読の手紙、状態、記録、会話）をアーカイブに残す日数です。そのあいだ ovld summon --resume で呼び戻せます。
# 0 にすると何も残しません。
# [archive]
# days = 30

# 複数のマシンにまたがる軍勢（ovld help several-machines）が、ほかの人が動かす NATS サーバーを使う場合の設定です。
# サーバーのアドレス、その鍵のフォルダー、独自の認証局ならその証明書。replicas は、クラスターの中でそれぞれの手紙を
# 保存するサーバーの数です。
# [hub]
# url = "tls://nats.example.com:4222"
# creds = "~/nats"
# ca = "~/nats/ca.pem"
# replicas = 3
`;
