/** The errors in Japanese. */
import { MOST_MAIL } from "../../army/words.ts";
import { ROLES } from "../../army/roles.ts";
import type { FileProblem } from "../../system/read-file.ts";
import type { Expectation, RitualProblem, VerdictProblem } from "../../army/errors.ts";
import { shellWord } from "../../system/text.ts";
import { quote, type ErrorTexts } from "../sentences.ts";
import { HUB_ERROR_TEXTS } from "./hub-errors.ts";

export const ERROR_TEXTS: ErrorTexts = {
  ...HUB_ERROR_TEXTS,
  "env-missing": ({ variable }) =>
    `環境変数 ${variable} が設定されていません。${
      variable === "HOME"
        ? "ホームフォルダーを設定してください。"
        : "エージェントの MCP 設定で指定する必要があります。"
    }`,
  "env-wrong": ({ variable, value, expected }) =>
    `環境変数 ${variable} の値 ${quote(value)} は${EXPECTATIONS[expected]}ではありません。`,
  "store-gone": ({ path }) =>
    `relay フォルダー ${path} がなくなりました。軍勢が終了したようです。召喚し直してください。`,
  "store-newer": ({ path, found, known }) =>
    `relay フォルダー ${path} の形式は ${found} ですが、この ovld が扱えるのは ${known} までです。ovld を更新してください。`,
  "store-foreign": ({ path }) =>
    `${path} は ovld が作ったものではないか、読み取れません。移動してからやり直してください。`,
  "folder-taken": ({ path }) =>
    `${path} は空ではなく、ovld の relay フォルダーでもありません。中身は何も変更していません。OVLD_RELAY_DIR に新しいフォルダーか空のフォルダーを指定してください。`,
  "disk-full": ({ path }) =>
    `ディスクに空きがありません（${path}）。空き容量を作ってからやり直してください。`,
  "file-size-limit": ({ path }) =>
    `このプロセスのファイルサイズ制限では ${path} を書き込めません。制限（ulimit -f）を上げてからやり直してください。`,
  "not-writable": ({ path }) =>
    `${path} に書き込めません。権限と、読み取り専用でマウントされていないかを確認してからやり直してください。`,
  "file-trouble": ({ reason }) => `ファイルシステムのエラーです: ${reason}`,
  "file-wrong": ({ path, reason }) => `${path} は使えません（${reason}）。直してからやり直してください。`,
  "file-unfit": ({ path, problem }) => `${path} ${FILE_PROBLEMS[problem]}`,
  "too-long": ({ field, length, unit, limit }) =>
    `${FIELD_JA[field] ?? field}は ${length} ${UNIT_JA[unit]}ですが、上限は ${limit} ${UNIT_JA[unit]}です。ファイルに書き、そのパスを送ってください。`,
  "inbox-full": ({ role, limit }) =>
    `${role} の受信箱の未読の手紙が上限の ${limit} 通に達しています。${role} が読むまで待ってください。`,
  "to-oneself": ({ role }) => `あなたは ${role} です。自分宛てには送れません。ほかの宛先を選んでください。`,
  "zellij-missing": ({ oldest }) =>
    `Zellij が見つかりません。Zellij ${oldest} 以降をインストールするか、ovld のクローンで npm start を実行してください（ダウンロードかビルドをします）。`,
  "zellij-too-old": ({ program, version, oldest }) =>
    `${program} は Zellij ${version} ですが、${oldest} 以降が必要です。Zellij を更新してください。`,
  "zellij-hangs": ({ seconds, command }) =>
    `Zellij が ${seconds} 秒以内に応答しませんでした（zellij ${command}）。やり直してください。それでも応答しなければ、Zellij のサーバーを終了してください。`,
  "sockets-foreign": ({ path, owner }) =>
    `${path} は別のユーザー（uid ${owner}）のもので、Zellij を止められたり、成り済まされたりするおそれがあります。ZELLIJ_SOCKET_DIR に自分のフォルダーの短いパス（例: ~/.zellij-sockets）を指定してからやり直してください。`,
  "session-silent": ({ session, seconds, pid }) =>
    `Zellij のセッション ${session} が ${seconds} 秒以内に応答しませんでした。${
      pid === null
        ? "そのサーバー（zellij --server）を探して、再開するか終了してください。"
        : `サーバーはプロセス ${pid} です。停止しているだけなら kill -CONT ${pid} で再開できます。固まっているなら kill -KILL ${pid} で、中のプログラムごと終了します。`
    }`,
  "port-taken": ({ port }) =>
    `ポート ${port} は使用中か、許可されていません。--port で別のポートを指定するか、--port を省いてください。`,
  "output-failed": ({ reason }) => `出力を書き込めませんでした: ${reason}。出力先を確認してください。`,
  "session-elsewhere": ({ session, folder }) =>
    `軍勢 ${session} は動いていますが、セッションは別のソケットフォルダーにあります。ZELLIJ_SOCKET_DIR=${shellWord(folder)} ovld summon --army ${shellWord(session)} で接続できます。`,
  "session-lost": ({ session }) =>
    `軍勢 ${session} はまだ動いていますが、接続できません（Zellij の一覧にありません）。ovld unsummon --army ${shellWord(session)} で終えてください。`,
  "zellij-refused": ({ command, said }) => `Zellij がエラーを返しました（${command}）: ${said}`,
  "agent-missing": ({ program }) =>
    `プログラム ${program} が見つかりません。インストールするか、ovld summon --agent practice で試してください。`,
  "agent-too-old": ({ program, agent, version, oldest, update }) =>
    `${program} は ${agent} ${version} ですが、${oldest} 以降が必要です。${update} で更新してください。`,
  "no-terminal": ({ command }) =>
    `ovld ${command} は端末に軍勢を開きますが、端末がありません。バックグラウンドで開くには --detached を使ってください。`,
  "session-name-wrong": ({ name }) =>
    `${quote(name)} は軍勢の名前に使えません。英数字で始まる英数字、-、_ を使ってください。`,
  "session-name-too-long": ({ name, limit }) =>
    `軍勢の名前 ${name} はソケットのパスに対して長すぎます。ここでは ${limit} 文字までです。短い名前にするか、ZELLIJ_SOCKET_DIR に短いフォルダーを指定してください。`,
  "session-live": ({ session }) =>
    `軍勢 ${session} はすでに動いています。端末から ovld summon --army ${shellWord(session)} で接続してください。`,
  "army-elsewhere": ({ session, folder }) =>
    `軍勢 ${session} はすでに動いていますが、作業場所はこのフォルダーではなく ${folder} です。ここで別の軍勢を開くには --army NAME を付けてください。その軍勢に接続するには、端末から ovld summon --army ${shellWord(session)} を実行してください。`,
  "flag-too-late": ({ session, flag }) =>
    `軍勢 ${session} はすでに動いているため、${flag} はもう使えません。このフラグなしで接続するか、--army NAME で別の軍勢を開くか、先に ovld unsummon --army ${shellWord(session)} で終えてください。`,
  "name-taken": ({ session }) =>
    `${session} という名前は、ほかの Zellij セッションか軍勢の手紙に使われています。別の名前にするか、その軍勢を ovld unsummon --army ${shellWord(session)} で終えてください。`,
  "not-an-army": ({ session }) =>
    `Zellij セッション ${session} は ovld が召喚したものではありません。zellij kill-session で終えるか、--force を使ってください。`,
  "agent-may-not-end": ({ command, path }) =>
    `${command} を実行できるのはユーザーだけで、エージェントにはできません。ユーザーに頼み、ユーザー自身のシェルで実行してもらってください。エージェントにも許可するには ${path} の [agents] に may_unsummon = true と書きます。`,
  "agent-may-not-answer": ({ command }) =>
    `${command} を実行できるのはユーザーだけで、エージェントにはできません。ユーザーの回答を待ってください。`,
  "army-running": ({ session }) =>
    `軍勢 ${session} は動いています。先に ovld unsummon --army ${shellWord(session)} で終えてください（--forget を付けると何も保管しません）。`,
  "no-army": ({ session }) =>
    `${session} という軍勢はありません。ovld summon --army ${shellWord(session)} で召喚するか、ovld armies で一覧を確認してください。`,
  "army-file": ({ problem, path }) =>
    problem === "newer"
      ? `軍勢のファイル ${path} は、より新しい ovld が書いたものです。ovld を更新するか、ovld summon --fresh で新しく始めてください（ファイルは保管庫に残ります）。`
      : `軍勢のファイル ${path} が壊れているため、作業場所とエージェントがわかりません。直すか、ovld summon --fresh で新しく始めてください（ファイルは保管庫に残ります）。`,
  "army-crashed": ({ session, folder }) =>
    `軍勢 ${session} は ${folder} で作業中に途切れました。--resume を付けて呼び戻すか、--fresh を付けて新しく始めてください（前の軍勢は保管されます）。`,
  "army-worked-elsewhere": ({ session, folder }) =>
    `前の軍勢 ${session} の作業場所は ${folder} でした。そこで実行するか、このフォルダーで呼び戻すには ovld summon --resume --army ${shellWord(session)} を実行してください。`,
  "army-agent": ({ session, was, asked }) =>
    `前の軍勢 ${session} は ${was} で動いており、${asked} はその会話を再開できません。--agent を付けずに呼び戻すか、--fresh で新しく始めてください。`,
  "army-roles": ({ session, roles }) =>
    `軍勢 ${session} の役割（${roles.join("、")}）はこの ovld のものと異なります。召喚した ovld を使うか、--fresh で新しく始めてください。`,
  "nothing-to-resume": ({ folder, session }) =>
    `${folder} で働いていた、呼び戻せる軍勢 ${session} はありません。ovld armies で一覧を確認し、--army で指定してください。`,
  "needs-yes": ({ command }) =>
    `${command} のこの操作は元に戻せません。端末がない場合と --json の場合は確認できないので、実行するには --yes を付けてください。`,
  "resume-or-fresh": () => "--resume と --fresh は同時に使えません。どちらかひとつを使ってください。",
  "wish-and-resume": () => "--resume は前に告げた願いを続けます。新しい願いは付けないでください。",
  "no-archive": ({ name }) =>
    `${quote(name)} という軍勢は保管庫にありません。ovld armies で一覧を確認してください。`,
  "archive-unreadable": ({ name, path }) =>
    `保管された軍勢 ${name} を読み取れません。${path} の所有者と権限を確認するか、そのフォルダーを別の場所へ移してください。`,
  "empty-message": ({ role }) => `${role} への手紙が空です。本文を引数か標準入力で渡してください。`,
  "no-such-message": ({ id }) => `手紙 ${quote(id)} は記録にありません。ID は ovld log で確認できます。`,
  "message-ambiguous": ({ id, count, orMore, candidates }) =>
    `${quote(id)} で始まる手紙が ${count} 通${orMore ? "以上" : ""}あります: ${candidates.join(", ")}。ID をもう少し長く指定してください。`,
  "no-such-note": ({ name, folder, meant }) =>
    `ノート ${quote(name)} は ${folder} にありません。${meant ? `もしかして: ${meant}` : "名前は ovld insight で確認できます。"}`,
  "invalid-time": ({ text }) =>
    `${quote(text)} は時刻として読めません。10m、2h、1d（どれだけ前か）、14:30（今日）、または 2026-11-15 のような日付で書いてください。`,
  "config-syntax": ({ path, line, reason }) =>
    `${path} の ${line} 行目は TOML として読めません: ${reason}。直すか、ovld init --force で書き直してください。`,
  "config-key": ({ path, line, key, meant, known }) =>
    `${path} の ${line} 行目: 設定 ${quote(key)} はありません。${
      meant ? `もしかして: ${meant}` : `使える設定: ${known.join(", ")}`
    }`,
  "config-value": ({ path, line, key, expected, choices }) =>
    `${path} の ${line} 行目: ${key} には${EXPECTATIONS[expected]}を指定してください${choices.length > 0 ? `: ${choices.join(", ")}` : "。"}`,
  "cwd-gone": () => "今いるフォルダーは削除されました。別のフォルダーに移ってからやり直してください。",
  "ritual-wrong": ({ path, problem }) => `儀式 ${path} ${RITUAL_PROBLEMS[problem]}`,
  "rituals-missing": ({ path }) =>
    `${path} はフォルダーではないため、儀式を読み込めません。${ROLES.map((role) => `${role}.md`).join("、")} のあるフォルダーを指定してください。`,
  "no-such-role": ({ word }) => `${quote(word)} という役割はありません。役割は ${ROLES.join("、")} です。`,
  "answer-whom": () => `どの役割への回答かを指定してください: ${ROLES.join("、")}`,
  "no-request": ({ role }) => `${role} はそれを質問していません。ovld answer で質問を確認できます。`,
  "several-requests": ({ role, ids }) =>
    `${role} の質問は複数あります。回答するものを --request で指定してください: ${ids.join("、")}`,
  "request-unnamed": ({ role }) =>
    `確認したものだけを許可できるように、質問を --request で指定してください。ovld answer ${role} で質問と回答用のコマンドを表示できます。`,
  "answer-unfit": ({ problem, role }) => VERDICT_PROBLEMS[problem](role),
  "machine-failed": ({ machine, command, said }) =>
    `マシン ${machine} で ovld ${command} が失敗しました: ${said}`,
  "wrong-arguments": ({ tool, problems }) => `${tool} の引数が正しくありません: ${problems.join("; ")}`,
};

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
