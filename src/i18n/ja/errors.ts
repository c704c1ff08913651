/** The errors in Japanese. */
import { MOST_MAIL } from "../../army/words.ts";
import { ROLES } from "../../army/roles.ts";
import type { ErrorReport } from "../../system/ovld-error.ts";
import type { FileProblem } from "../../system/read-file.ts";
import type { Expectation, RitualProblem, VerdictProblem } from "../../army/errors.ts";
import { shellWord } from "../../system/text.ts";
import { quote, isHubError } from "../sentences.ts";
import { formatHubError } from "./hub-errors.ts";

export function formatError(report: ErrorReport): string {
  if (isHubError(report)) return formatHubError(report);
  const { code, facts } = report;
  switch (code) {
    case "env-missing":
      return `環境変数 ${facts.variable} が設定されていません。${
        facts.variable === "HOME"
          ? "ホームフォルダーを設定してください。"
          : "エージェントの MCP 設定で指定する必要があります。"
      }`;
    case "env-wrong":
      return `環境変数 ${facts.variable} の値 ${quote(facts.value)} は${EXPECTATIONS[facts.expected]}ではありません。`;
    case "store-gone":
      return `relay フォルダー ${facts.path} がなくなりました。軍勢が終了したようです。召喚し直してください。`;
    case "store-newer":
      return `relay フォルダー ${facts.path} の形式は ${facts.found} ですが、この ovld が扱えるのは ${facts.known} までです。ovld を更新してください。`;
    case "store-foreign":
      return `${facts.path} は ovld が作ったものではないか、読み取れません。移動してからやり直してください。`;
    case "folder-taken":
      return `${facts.path} は空ではなく、ovld の relay フォルダーでもありません。中身は何も変更していません。OVLD_RELAY_DIR に新しいフォルダーか空のフォルダーを指定してください。`;
    case "disk-full":
      return `ディスクに空きがありません（${facts.path}）。空き容量を作ってからやり直してください。`;
    case "file-size-limit":
      return `このプロセスのファイルサイズ制限では ${facts.path} を書き込めません。制限（ulimit -f）を上げてからやり直してください。`;
    case "not-writable":
      return `${facts.path} に書き込めません。権限と、読み取り専用でマウントされていないかを確認してからやり直してください。`;
    case "file-trouble":
      return `ファイルシステムのエラーです: ${facts.reason}`;
    case "file-wrong":
      return `${facts.path} は使えません（${facts.reason}）。直してからやり直してください。`;
    case "file-unfit":
      return `${facts.path} ${FILE_PROBLEMS[facts.problem]}`;
    case "too-long":
      return `${FIELD_JA[facts.field] ?? facts.field}は ${facts.length} ${UNIT_JA[facts.unit]}ですが、上限は ${facts.limit} ${UNIT_JA[facts.unit]}です。ファイルに書き、そのパスを送ってください。`;
    case "inbox-full":
      return `${facts.role} の受信箱の未読の手紙が上限の ${facts.limit} 通に達しています。${facts.role} が読むまで待ってください。`;
    case "to-oneself":
      return `あなたは ${facts.role} です。自分宛てには送れません。ほかの宛先を選んでください。`;
    case "zellij-missing":
      return `Zellij が見つかりません。Zellij ${facts.oldest} 以降をインストールするか、ovld のクローンで npm start を実行してください（ダウンロードかビルドをします）。`;
    case "zellij-too-old":
      return `${facts.program} は Zellij ${facts.version} ですが、${facts.oldest} 以降が必要です。Zellij を更新してください。`;
    case "zellij-hangs":
      return `Zellij が ${facts.seconds} 秒以内に応答しませんでした（zellij ${facts.command}）。やり直してください。それでも応答しなければ、Zellij のサーバーを終了してください。`;
    case "sockets-foreign":
      return `${facts.path} は別のユーザー（uid ${facts.owner}）のもので、Zellij を止められたり、成り済まされたりするおそれがあります。ZELLIJ_SOCKET_DIR に自分のフォルダーの短いパス（例: ~/.zellij-sockets）を指定してからやり直してください。`;
    case "session-silent":
      return `Zellij のセッション ${facts.session} が ${facts.seconds} 秒以内に応答しませんでした。${
        facts.pid === null
          ? "そのサーバー（zellij --server）を探して、再開するか終了してください。"
          : `サーバーはプロセス ${facts.pid} です。停止しているだけなら kill -CONT ${facts.pid} で再開できます。固まっているなら kill -KILL ${facts.pid} で、中のプログラムごと終了します。`
      }`;
    case "port-taken":
      return `ポート ${facts.port} は使用中か、許可されていません。--port で別のポートを指定するか、--port を省いてください。`;
    case "output-failed":
      return `出力を書き込めませんでした: ${facts.reason}。出力先を確認してください。`;
    case "session-elsewhere":
      return `軍勢 ${facts.session} は動いていますが、セッションは別のソケットフォルダーにあります。ZELLIJ_SOCKET_DIR=${shellWord(facts.folder)} ovld summon --army ${shellWord(facts.session)} で接続できます。`;
    case "session-lost":
      return `軍勢 ${facts.session} はまだ動いていますが、接続できません（Zellij の一覧にありません）。ovld unsummon --army ${shellWord(facts.session)} で終えてください。`;
    case "zellij-refused":
      return `Zellij がエラーを返しました（${facts.command}）: ${facts.said}`;
    case "agent-missing":
      return `プログラム ${facts.program} が見つかりません。インストールするか、ovld summon --agent practice で試してください。`;
    case "agent-too-old":
      return `${facts.program} は ${facts.agent} ${facts.version} ですが、${facts.oldest} 以降が必要です。${facts.update} で更新してください。`;
    case "no-terminal":
      return `ovld ${facts.command} は端末に軍勢を開きますが、端末がありません。バックグラウンドで開くには --detached を使ってください。`;
    case "session-name-wrong":
      return `${quote(facts.name)} は軍勢の名前に使えません。英数字で始まる英数字、-、_ を使ってください。`;
    case "session-name-too-long":
      return `軍勢の名前 ${facts.name} はソケットのパスに対して長すぎます。ここでは ${facts.limit} 文字までです。短い名前にするか、ZELLIJ_SOCKET_DIR に短いフォルダーを指定してください。`;
    case "session-live":
      return `軍勢 ${facts.session} はすでに動いています。端末から ovld summon --army ${shellWord(facts.session)} で接続してください。`;
    case "army-elsewhere":
      return `軍勢 ${facts.session} はすでに動いていますが、作業場所はこのフォルダーではなく ${facts.folder} です。ここで別の軍勢を開くには --army NAME を付けてください。その軍勢に接続するには、端末から ovld summon --army ${shellWord(facts.session)} を実行してください。`;
    case "flag-too-late":
      return `軍勢 ${facts.session} はすでに動いているため、${facts.flag} はもう使えません。このフラグなしで接続するか、--army NAME で別の軍勢を開くか、先に ovld unsummon --army ${shellWord(facts.session)} で終えてください。`;
    case "name-taken":
      return `${facts.session} という名前は、ほかの Zellij セッションか軍勢の手紙に使われています。別の名前にするか、その軍勢を ovld unsummon --army ${shellWord(facts.session)} で終えてください。`;
    case "not-an-army":
      return `Zellij セッション ${facts.session} は ovld が召喚したものではありません。zellij kill-session で終えるか、--force を使ってください。`;
    case "agent-may-not-end":
      return `${facts.command} を実行できるのはユーザーだけで、エージェントにはできません。ユーザーに頼み、ユーザー自身のシェルで実行してもらってください。エージェントにも許可するには ${facts.path} の [agents] に may_unsummon = true と書きます。`;
    case "agent-may-not-answer":
      return `${facts.command} を実行できるのはユーザーだけで、エージェントにはできません。ユーザーの回答を待ってください。`;
    case "army-running":
      return `軍勢 ${facts.session} は動いています。先に ovld unsummon --army ${shellWord(facts.session)} で終えてください（--forget を付けると何も保管しません）。`;
    case "no-army":
      return `${facts.session} という軍勢はありません。ovld summon --army ${shellWord(facts.session)} で召喚するか、ovld armies で一覧を確認してください。`;
    case "army-file":
      return facts.problem === "newer"
        ? `軍勢のファイル ${facts.path} は、より新しい ovld が書いたものです。ovld を更新するか、ovld summon --fresh で新しく始めてください（ファイルは保管庫に残ります）。`
        : `軍勢のファイル ${facts.path} が壊れているため、作業場所とエージェントがわかりません。直すか、ovld summon --fresh で新しく始めてください（ファイルは保管庫に残ります）。`;
    case "army-crashed":
      return `軍勢 ${facts.session} は ${facts.folder} で作業中に途切れました。--resume を付けて呼び戻すか、--fresh を付けて新しく始めてください（前の軍勢は保管されます）。`;
    case "army-worked-elsewhere":
      return `前の軍勢 ${facts.session} の作業場所は ${facts.folder} でした。そこで実行するか、このフォルダーで呼び戻すには ovld summon --resume --army ${shellWord(facts.session)} を実行してください。`;
    case "army-agent":
      return `前の軍勢 ${facts.session} は ${facts.was} で動いており、${facts.asked} はその会話を再開できません。--agent を付けずに呼び戻すか、--fresh で新しく始めてください。`;
    case "army-roles":
      return `軍勢 ${facts.session} の役割（${facts.roles.join("、")}）はこの ovld のものと異なります。召喚した ovld を使うか、--fresh で新しく始めてください。`;
    case "nothing-to-resume":
      return `${facts.folder} で働いていた、呼び戻せる軍勢 ${facts.session} はありません。ovld armies で一覧を確認し、--army で指定してください。`;
    case "needs-yes":
      return `${facts.command} のこの操作は元に戻せません。端末がない場合と --json の場合は確認できないので、実行するには --yes を付けてください。`;
    case "resume-or-fresh":
      return "--resume と --fresh は同時に使えません。どちらかひとつを使ってください。";
    case "wish-and-resume":
      return "--resume は前に告げた願いを続けます。新しい願いは付けないでください。";
    case "no-archive":
      return `${quote(facts.name)} という軍勢は保管庫にありません。ovld armies で一覧を確認してください。`;
    case "archive-unreadable":
      return `保管された軍勢 ${facts.name} を読み取れません。${facts.path} の所有者と権限を確認するか、そのフォルダーを別の場所へ移してください。`;
    case "empty-message":
      return `${facts.role} への手紙が空です。本文を引数か標準入力で渡してください。`;
    case "no-such-message":
      return `手紙 ${quote(facts.id)} は記録にありません。ID は ovld log で確認できます。`;
    case "message-ambiguous":
      return `${quote(facts.id)} で始まる手紙が ${facts.count} 通${facts.orMore ? "以上" : ""}あります: ${facts.candidates.join(", ")}。ID をもう少し長く指定してください。`;
    case "no-such-note":
      return `ノート ${quote(facts.name)} は ${facts.folder} にありません。${facts.meant ? `もしかして: ${facts.meant}` : "名前は ovld insight で確認できます。"}`;
    case "invalid-time":
      return `${quote(facts.text)} は時刻として読めません。10m、2h、1d（どれだけ前か）、14:30（今日）、または 2026-11-15 のような日付で書いてください。`;
    case "config-syntax":
      return `${facts.path} の ${facts.line} 行目は TOML として読めません: ${facts.reason}。直すか、ovld init --force で書き直してください。`;
    case "config-key":
      return `${facts.path} の ${facts.line} 行目: 設定 ${quote(facts.key)} はありません。${
        facts.meant ? `もしかして: ${facts.meant}` : `使える設定: ${facts.known.join(", ")}`
      }`;
    case "config-value":
      return `${facts.path} の ${facts.line} 行目: ${facts.key} には${EXPECTATIONS[facts.expected]}を指定してください${facts.choices.length > 0 ? `: ${facts.choices.join(", ")}` : "。"}`;
    case "cwd-gone":
      return "今いるフォルダーは削除されました。別のフォルダーに移ってからやり直してください。";
    case "ritual-wrong":
      return `儀式 ${facts.path} ${RITUAL_PROBLEMS[facts.problem]}`;
    case "rituals-missing":
      return `${facts.path} はフォルダーではないため、儀式を読み込めません。${ROLES.map((role) => `${role}.md`).join("、")} のあるフォルダーを指定してください。`;
    case "no-such-role":
      return `${quote(facts.word)} という役割はありません。役割は ${ROLES.join("、")} です。`;
    case "answer-whom":
      return `どの役割への回答かを指定してください: ${ROLES.join("、")}`;
    case "no-request":
      return `${facts.role} はそれを質問していません。ovld answer で質問を確認できます。`;
    case "several-requests":
      return `${facts.role} の質問は複数あります。回答するものを --request で指定してください: ${facts.ids.join("、")}`;
    case "request-unnamed":
      return `確認したものだけを許可できるように、質問を --request で指定してください。ovld answer ${facts.role} で質問と回答用のコマンドを表示できます。`;
    case "answer-unfit":
      return VERDICT_PROBLEMS[facts.problem](facts.role);
    case "machine-failed":
      return `マシン ${facts.machine} で ovld ${facts.command} が失敗しました: ${facts.said}`;
    case "wrong-arguments":
      return `${facts.tool} の引数が正しくありません: ${facts.problems.join("; ")}`;
  }
}

const VERDICT_PROBLEMS: Record<VerdictProblem, (role: string) => string> = {
  "only-in-the-pane": (role) =>
    `${role} の質問は大きすぎてここに全部を表示できないため、ペインでのみ回答できます。`,
  "needs-answers": (role) => `${role} は質問しています。質問ごとに選択肢を選ぶか、回答を書いてください。`,
  "not-a-question": (role) => `${role} の求めは質問ではありません。許可または拒否してください。`,
  "one-answer-each": (role) => `${role} の質問は複数あります。それぞれに 1 つずつ回答してください。`,
  "not-offered": (role) => `${role} にその選択肢はありません。一覧から選んでください。`,
  "only-one-option": (role) => `${role} の質問で選べる選択肢は 1 つだけです。`,
};

const UNIT_JA = { characters: "文字", bytes: "バイト" } as const;
const FIELD_JA: Record<string, string> = { subject: "件名", body: "本文", task: "作業内容" };

/** What a rejected value should have been, as the end of a sentence. */
const EXPECTATIONS: Record<Expectation, string> = {
  "a role": `役割（${ROLES.join(", ")}）`,
  "a key": `Zellij の書き方のキー（"Alt s"、"Ctrl Alt o"、"F9" など）または "off"`,
  "a session name": "軍勢の名前（英数字で始まる英数字、-、_）",
  "an absolute path": "絶対パス",
  "a folder": "フォルダー",
  "a folder for notes alone": "ホームやプロジェクト、ovld 自身のファイルを含まない、メモ専用のフォルダー",
  "a folder to write in": "書き込み可能な既存のフォルダー",
  "a path": "絶対パスか ~/ で始まるパス",
  "a text": "引用符で囲んだ文字列",
  "a list of texts": '["--verbose"] のような文字列のリスト',
  "a table": "設定の表",
  "a number in this range": "次の範囲の整数",
  limits: `"unread=500,body=16384" のような上限（最大は unread=${MOST_MAIL.unreadPerInbox},body=${MOST_MAIL.bodyBytes},journal=${MOST_MAIL.journalMegabytes}）`,
  "true or false": "true か false",
  "claude or practice": "claude か practice ",
  "auto or pane": "auto か pane ",
  "a nats-server": "nats-server のパス",
  "one of these": "次のいずれか",
};

/** What is wrong with a file, as the end of a sentence that begins with its path, and what to do. */
const FILE_PROBLEMS: Record<FileProblem, string> = {
  "not-a-file":
    "は通常のファイルではなく、フォルダー、パイプ、デバイスのどれかです。移動してからやり直してください。",
  "too-large": "は大きすぎて読み込めません。短くしてからやり直してください。",
  "not-utf8": "は UTF-8 のテキストではありません。UTF-8 で保存してください。",
  "not-understood": "は想定した JSON ではありません。直してからやり直してください。",
  newer: "はより新しいバージョンの ovld が書いたものです。ovld を更新してください。",
  unreadable: "を読み取れません。権限を確認してからやり直してください。",
  "a-link": "はリンクですが、ここではリンクをたどりません。ファイルそのものを置いてください。",
  "dangling-link": "はリンク先が存在しないリンクです。リンクを直すか消してからやり直してください。",
  busy: "はほかのプログラムが書き込み中です。少し待ってからやり直してください。",
};

/** The same for a role prompt. */
const RITUAL_PROBLEMS: Record<RitualProblem, string> = {
  missing: "がありません。ファイルを置くか、別のフォルダーを指定してください。",
  unreadable: "を読み取れません。通常のファイルであることと権限を確認してください。",
  empty: "は空です。役割がすることを書いてください。",
  "too-large": "は 32 KB を超えています。短くしてください（ほかのファイルを読むよう指示できます）。",
  "not-utf8": "は UTF-8 のテキストではありません。UTF-8 で保存してください。",
  "control-characters":
    "に改行とタブ以外の制御文字があります。取り除いてください（改行は LF だけにしてください）。",
  "a-command": "は ! か / で始まっているため、エージェントがコマンドとみなします。言葉で始めてください。",
};
