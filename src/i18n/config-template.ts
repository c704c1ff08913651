/** The configuration file as `ovld init` writes it: every setting explained, none of them set but the language. */
import { MOST_MAIL } from "../army/mail-limits.ts";
import type { Language } from "../army/words.ts";

/** With a language, that one is set in it; otherwise the system decides. */
export function configTemplate(language: Language, set: Language | undefined): string {
  const line = set === undefined ? `# language = "${language}"` : `language = "${set}"`;
  return TEMPLATES[language].replace("LANGUAGE_LINE", line);
}

const TEMPLATES: Record<Language, string> = {
  en: `# The configuration of ovld. A line that begins with # has no effect: it shows the default, or an example.
# Flags take precedence over environment variables (OVLD_SESSION, OVLD_AGENT, OVLD_WAKE, OVLD_ZELLIJ, OVLD_RITUALS,
# OVLD_LIMITS, OVLD_LANG), and environment variables take precedence over this file.

# The army that a command works on if you do not use --session.
# session = "overlord"

# What the panes run: "claude" for Claude Code, "practice" for an army that needs no account and costs nothing.
# agent = "claude"

# How an agent is woken for its mail: "auto" uses the gentlest way that works, "pane" only types into its pane.
# wake = "auto"

# The language that ovld uses: "en" or "ja". Without it, your system's language decides.
LANGUAGE_LINE

# The Zellij to use. Without it: the one on your PATH, or the one that npm start downloaded or built.
# zellij = "~/bin/zellij"

# Whether an agent may end an army with ovld unsummon. If not, only you can.
# [agents]
# may_unsummon = false

# How every Claude Code of the army is started: its program, the model, how it asks for permission
# ("manual", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions"), and any other arguments.
# [agents.claude]
# program = "~/.local/bin/claude"
# model = "opus"
# permission_mode = "acceptEdits"
# args = ["--add-dir", "/srv/data"]

# The same for one role: overlord, strategist, inferno, glacier, shadow or storm. Its model and permission mode
# replace those above; its arguments are added after those above.
# [roles.inferno]
# model = "sonnet"
# permission_mode = "acceptEdits"
# args = []

# The bell that wakes an agent for its mail. Short mail (6 KB in all) comes with the bell, so that the agent need not
# ask for it; with false, the bell only says that there is mail.
# [bell]
# carry = true

# The role prompts: the folder they are in, and whether giving them moves the focus from pane to pane.
# [rituals]
# folder = "~/.config/ovld/rituals"
# focus = true

# How much mail is accepted: the number of unread messages in an inbox, and the bytes in a message's text. A message
# beyond that is refused, and the sender is told. journal_mb is how much of the journal is kept; the oldest is deleted
# first. You can lower these limits, but not raise them. An army keeps the limits it was summoned with.
# [limits]
# unread_per_inbox = ${MOST_MAIL.unreadPerInbox}
# body_bytes = ${MOST_MAIL.bodyBytes}
# journal_mb = ${MOST_MAIL.journalMegabytes}
`,
  ja: `# ovld の設定ファイルです。# で始まる行は無効で、既定値または例を示します。
# フラグは環境変数（OVLD_SESSION、OVLD_AGENT、OVLD_WAKE、OVLD_ZELLIJ、OVLD_RITUALS、OVLD_LIMITS、
# OVLD_LANG）に優先し、環境変数はこのファイルに優先します。

# --session を省略したときに、コマンドの対象となる軍勢の名前です。
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
`,
};
