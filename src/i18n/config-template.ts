/** The configuration file as `ovld init` writes it: every setting explained, none of them set but the language. */
import { MOST_MAIL } from "../army/mail-limits.ts";
import type { Language } from "../army/words.ts";

/** With a language, that one is set in it; otherwise the system decides. */
export function configTemplate(language: Language, set: Language | undefined): string {
  const line = set === undefined ? `# language = "${language}"` : `language = "${set}"`;
  return TEMPLATES[language].replace("LANGUAGE_LINE", line);
}

const TEMPLATES: Record<Language, string> = {
  en: `# The configuration of ovld. A line that begins with # is not in force: it shows what is usual, or an example.
# Flags go before the environment (OVLD_SESSION, OVLD_AGENT, OVLD_WAKE, OVLD_ZELLIJ, OVLD_RITUALS, OVLD_LIMITS,
# OVLD_LANG), and the environment goes before this file.

# The army that commands mean when they are not given --session.
# session = "overlord"

# What the panes run: "claude" for Claude Code, "practice" for an army that needs no account and costs nothing.
# agent = "claude"

# How an agent is woken for its mail: "auto" by the gentlest way it knows, "pane" only by typing into its pane.
# wake = "auto"

# The language ovld speaks to you: "en" or "ja". Without it, your system decides.
LANGUAGE_LINE

# The Zellij to use. Without it: the one on your PATH, or the one that npm start built.
# zellij = "~/bin/zellij"

# Whether an agent may end an army with ovld unsummon. Otherwise only you can.
# [agents]
# may_unsummon = false

# What every Claude Code of the army is started with. Its program; the model; how it asks for permission
# ("manual", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions"); and any other arguments.
# [agents.claude]
# program = "~/.local/bin/claude"
# model = "opus"
# permission_mode = "acceptEdits"
# args = ["--add-dir", "/srv/data"]

# The same for one role: overlord, strategist, inferno, glacier, shadow or storm. Model and permission mode go
# before those of all; arguments come after theirs.
# [roles.inferno]
# model = "sonnet"
# permission_mode = "acceptEdits"
# args = []

# The bell that wakes an agent for its mail. Short mail (6 KB in all) goes along with it, so that the agent need not
# ask for it; with false it only says that there is mail.
# [bell]
# carry = true

# The role prompts: the folder they are in, and whether giving them moves the focus from pane to pane.
# [rituals]
# folder = "~/.config/ovld/rituals"
# focus = true

# How much mail is taken; what goes beyond is refused, and the sender is told. Less than this is possible, more is not.
# How many unread messages an inbox holds, and how many bytes a message's text has. An army keeps what it was
# summoned with.
# [limits]
# unread_per_inbox = ${MOST_MAIL.unreadPerInbox}
# body_bytes = ${MOST_MAIL.bodyBytes}
# journal_mb = ${MOST_MAIL.journalMegabytes}
`,
  ja: `# ovld の設定ファイル。# で始まる行は無効で、既定値または例を示します。
# フラグは環境変数（OVLD_SESSION、OVLD_AGENT、OVLD_WAKE、OVLD_ZELLIJ、OVLD_RITUALS、OVLD_LIMITS、
# OVLD_LANG）に優先し、環境変数はこのファイルに優先します。

# --session を省略したときの軍勢の名前。
# session = "overlord"

# ペインで動かすもの。"claude" は Claude Code、"practice" はアカウントも費用もいらない練習用の軍勢。
# agent = "claude"

# 手紙が届いたエージェントの起こし方。"auto" は最も穏やかな方法、"pane" はペインへの入力だけを使う。
# wake = "auto"

# ovld が話す言語。"en" または "ja"。省略するとシステムの設定に従う。
LANGUAGE_LINE

# 使う Zellij。省略すると PATH にあるもの、または npm start がビルドしたもの。
# zellij = "~/bin/zellij"

# エージェントが ovld unsummon で軍勢を終えてよいかどうか。既定では、あなただけが終えられる。
# [agents]
# may_unsummon = false

# 軍勢のすべての Claude Code に渡すもの。プログラム、モデル、許可の求め方
# （"manual"、"acceptEdits"、"plan"、"auto"、"dontAsk"、"bypassPermissions"）、そのほかの引数。
# [agents.claude]
# program = "~/.local/bin/claude"
# model = "opus"
# permission_mode = "acceptEdits"
# args = ["--add-dir", "/srv/data"]

# 役割ひとつだけの設定（overlord、strategist、inferno、glacier、shadow、storm）。モデルと許可の求め方は
# 全体の設定に優先し、引数は全体の引数の後に続く。
# [roles.inferno]
# model = "sonnet"
# permission_mode = "acceptEdits"
# args = []

# 手紙を知らせるベル。短い手紙（合計 6 KB まで）はベルと一緒に届き、エージェントが取りに行く必要はありません。
# false なら、手紙があることだけを知らせます。
# [bell]
# carry = true

# 役割ごとのプロンプト（儀式）。そのフォルダーと、渡すときにペインの間でフォーカスを動かすかどうか。
# [rituals]
# folder = "~/.config/ovld/rituals"
# focus = true

# 手紙の量の上限。超える手紙は断られ、送り手に伝えられる。減らせるが、これより増やすことはできない。
# 受信箱ひとつの未読の数と、本文のバイト数。軍勢は召喚されたときの上限を使い続ける。
# [limits]
# unread_per_inbox = ${MOST_MAIL.unreadPerInbox}
# body_bytes = ${MOST_MAIL.bodyBytes}
# journal_mb = ${MOST_MAIL.journalMegabytes}
`,
};
