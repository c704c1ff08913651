import type { Texts } from "../texts.ts";
import { MOST_MAIL } from "../../army/words.ts";

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

# 使う Zellij です。省略すると、PATH にあるもの、または npm start がダウンロードかビルドしたものを使います。
# zellij = "~/bin/zellij"

# エージェントが ovld unsummon で軍勢を終えてよいかどうかです。false なら、あなただけが終えられます。
# [agents]
# may_unsummon = false

# 軍勢のすべての Claude Code の起動方法です。プログラム、モデル、許可の求め方
# （"manual"、"acceptEdits"、"plan"、"auto"、"dontAsk"、"bypassPermissions"）、そのほかの引数を指定します。
# [agents.claude]
# program = "~/.local/bin/claude"
# model = "opus"
# permission_mode = "acceptEdits"
# args = ["--add-dir", "/srv/data"]

# 役割ひとつだけの設定です（overlord、strategist、inferno、glacier、shadow、storm）。モデルと許可の求め方は
# 上の設定に優先し、引数は上の引数の後に続きます。
# [roles.inferno]
# model = "sonnet"
# permission_mode = "acceptEdits"
# args = []

# 手紙が届いたエージェントを起こす通知です。短い手紙（合計 6 KB まで）は通知と一緒に届き、エージェントが取りに行く
# 必要はありません。false なら、手紙があることだけを通知します。
# [bell]
# carry = true

# ペインの外での操作です。エージェントの質問にペインの外（ovld answer）で回答できるかどうかと、エージェントが
# あなたを待ち始めたときにデスクトップ通知を出すかどうかを指定します。key は、軍勢の中で ovld status --watch
# をフローティングペインに開くキーです。あなたや Zellij がすでに使っているキーなら無効になります。"off" でなくします。
# [desk]
# answer = true
# notify = true
# key = "Alt s"

# 役割のプロンプト（儀式）です。そのフォルダーと、与えるときにペインの間でフォーカスを動かすかどうかを指定します。
# [rituals]
# folder = "~/.config/ovld/rituals"
# focus = true

# 手紙の量の上限です（受信箱ひとつの未読の数と、本文のバイト数）。超える手紙は断られ、送り手に伝えられます。
# journal_mb は記録を残す量で、古いものから削除されます。上限は減らせますが、これより増やすことはできません。
# 軍勢は召喚されたときの上限を使い続けます。
# [limits]
# unread_per_inbox = ${MOST_MAIL.unreadPerInbox}
# body_bytes = ${MOST_MAIL.bodyBytes}
# journal_mb = ${MOST_MAIL.journalMegabytes}

# 終わった軍勢（未読の手紙、状態、記録、会話）を保管する日数です。そのあいだ ovld summon --resume で呼び戻せます。
# 0 にすると何も保管しません。
# [archive]
# days = 30

# 複数のマシンにまたがる軍勢（docs/several-machines.md）が、ほかの人が動かす NATS サーバーを使う場合の設定です。
# サーバーのアドレス、その鍵のフォルダー、独自の認証局ならその証明書。replicas は、クラスターの中でそれぞれの手紙を
# 保存するサーバーの数です。
# [hub]
# url = "tls://nats.example.com:4222"
# creds = "~/nats"
# ca = "~/nats/ca.pem"
# replicas = 3
`;
