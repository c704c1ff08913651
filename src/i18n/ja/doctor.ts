import type { Texts } from "../texts.ts";
import { shellWord } from "../../system/text.ts";

const SOURCES = { environment: "環境変数で指定", file: "設定ファイルで指定", default: "既定値" };

export const DOCTOR_TEXTS: Texts["doctor"] = {
  verdicts: { good: "良好", note: "参考", wrong: "問題" },
  allWell: "問題はありません。",
  asShipped: (count) => `設定: ${count} 件は既定値のまま`,
  wrong: (count) => `問題が ${count} 件あります。`,
  installed: {
    npm: (folder) => `この ovld は npm で全体にインストールされています（${folder}）。`,
    project: (folder) => `この ovld は npm でひとつのプロジェクトにインストールされています（${folder}）。`,
    npx: (folder) => `この ovld は npx が自分のキャッシュから実行しています（${folder}）。`,
    homebrew: (folder) => `この ovld は Homebrew でインストールされています（${folder}）。`,
    clone: (folder) => `この ovld はクローンから実行されています（${folder}）。`,
    unknown: (folder) =>
      `この ovld は ${folder} にあり、npm や Homebrew が置いたものではありません。置いたときと同じ方法で更新するか、npm でインストールしてください。`,
  },
  toUpdate: "更新するには、次を実行してください。",
  sentences: {
    node: ({ version, program }) => `Node.js ${version}（${program}）`,
    zellij: ({ version, program }) => `Zellij ${version}（${program}）`,
    "zellij-missing": ({ oldest }) => `Zellij が見つかりません。${oldest} 以降が必要です`,
    "temp-folder": ({ folder }) => `TMPDIR の ${folder} がないか書き込めないため、Zellij が起動しません`,
    "zellij-too-old": ({ version, program, oldest }) =>
      `Zellij ${version} は古すぎます（${program}）。${oldest} 以降が必要です`,
    "zellij-session": ({ milliseconds }) =>
      `バックグラウンドの Zellij セッションを作って消しました（${milliseconds} ミリ秒）`,
    "desk-key": ({ key }) => `軍勢では ${key} で状態を開けます`,
    "desk-key-later": ({ key }) => `${key} で状態を開けるのは、Zellij を一度実行してからです`,
    "desk-key-taken": ({ key, by }) =>
      `ショートカットは無効です: ${key} は ${by} が使っています。[desk] の key で別のキーを指定してください`,
    "desk-key-unknown": ({ key, why }) =>
      `ショートカットは無効です: ${why} のキーを読み取れず、${key} と重なるかどうか分かりません`,
    "zellij-session-failed": ({ reason }) =>
      `バックグラウンドの Zellij セッションを作れませんでした: ${reason}`,
    agent: ({ agent, version, program }) => `${agent} ${version}（${program}）`,
    "agent-missing": ({ agent, program }) => `${agent} が見つかりません（${program}）`,
    "agent-mute": ({ program }) => `${program} のバージョンが分かりません`,
    "agent-too-old": ({ agent, version, program, oldest }) =>
      `${agent} ${version} は古すぎます（${program}）。${oldest} 以降が必要です`,
    "agent-not-used": ({ agent }) => `${agent} は見つかりませんが、演習軍を使う設定なので不要です`,
    "login-environment": ({ agent, variable }) => `${agent} は ${variable} でモデルに接続します`,
    "login-key-unapproved": ({ agent, variable }) =>
      `${variable} がありますが、${agent} での使用はまだ許可されていません。各エージェントが尋ねます`,
    "login-settings": ({ agent, setting, path }) => `${agent} は ${path} の ${setting} でモデルに接続します`,
    "login-stored": ({ agent, path }) => `${agent} のログイン情報があります（${path}）`,
    "login-unknown": ({ agent }) =>
      `${agent} がログイン済みかどうかは分かりません（キーチェーンは読めません）。エージェントが尋ねたら、一度 /login でログインしてください`,
    "login-none": ({ agent }) =>
      `${agent} にログインしていません。各エージェントが尋ねます。一度 /login でログインしてください`,
    "wake-socket": () => "エージェントは専用のソケットで起こします",
    "wake-held": ({ value, path }) =>
      `${path} の crossSessionInbound が "${value}" のため、エージェントは専用のソケットではなく入力で起こします`,
    "wake-pane": () => 'wake = "pane": エージェントは入力だけで起こします',
    "rituals-differ": ({ roles }) => `${roles} の儀式が、このバージョンに付属するものと異なります`,
    "folder-trusted": ({ agent, folder }) => `${agent} は ${folder} を信頼しています`,
    "folder-untrusted": ({ agent, folder }) =>
      `${agent} はまだ ${folder} を信頼していません。各エージェントが始める前に尋ねます`,
    "folder-gone": () => "いまいるフォルダーは削除されました",
    "config-none": ({ path }) => `設定ファイルはありません（${path}）。既定値を使います`,
    "config-read": ({ path }) => `設定ファイル ${path}`,
    "config-wrong": ({ sentence }) => sentence,
    "agent-state": ({ sentence }) => sentence,
    setting: ({ name, value, source }) => `${name} = ${value}（${SOURCES[source]}）`,
    "mail-none": ({ path }) => `手紙のフォルダーはまだありませんが、作れます（${path}）`,
    "mail-blocked": ({ path }) => `手紙のフォルダーを作れません。${path} に書き込めません`,
    "mail-sound": ({ session, path, unread }) => `${session} の手紙は正常です。未読 ${unread} 通（${path}）`,
    "mail-damaged": ({ session, sentence }) => `${session} の手紙の保存場所が壊れています: ${sentence}`,
    "mail-open": ({ path }) => `このマシンのほかのユーザーが ${path} にアクセスできます`,
    "mail-leftovers": ({ session, count }) =>
      `${session} の手紙に、途中で終了した書き手の未完成のファイルが ${count} 個あります。次に読むときに削除されます`,
    "mail-quarantined": ({ count, path }) =>
      `壊れたファイル ${count} 個を ${path} に隔離しています。確認してください`,
    "disk-space": ({ megabytes, path }) => `手紙に使える空き容量 ${megabytes} MB（${path}）`,
    "disk-nearly-full": ({ megabytes, path }) => `手紙に使える空き容量は ${megabytes} MB だけです（${path}）`,
    "army-live": ({ session }) => `軍勢 ${session} は動いています`,
    "army-dead": ({ session }) =>
      `軍勢 ${session} は中断しましたが、呼び戻せます。削除するには ovld armies rm ${shellWord(session)} を実行してください`,
    "army-empty": ({ session }) => `軍勢 ${session} は動いておらず、呼び戻せるものもありません`,
    "army-unknown": ({ session }) => `軍勢 ${session} が動いているかどうか、いまは分かりません`,
    "no-armies": () => "軍勢はありません",
    terminal: ({ term, columns }) => `端末 ${term}、${columns} 桁`,
    "no-terminal": () => "端末がありません。ovld summon には端末か --detached が必要です",
    "terminal-dumb": ({ term }) => `端末は ${term} です。Zellij をうまく表示できません`,
    "inside-zellij": ({ session }) =>
      `Zellij セッション ${session} の中です。summon は軍勢をバックグラウンドで開いて切り替えます`,
    "locale-not-utf8": ({ locale }) =>
      `ロケールは ${locale} で、UTF-8 ではありません。ペインに表示できない文字があるかもしれません`,
  },
};
