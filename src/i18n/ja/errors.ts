/** The errors in Japanese. */
import { MOST_MAIL } from "../../army/words.ts";
import { ROLES } from "../../army/roles.ts";
import { TREES_PROBLEMS } from "./work.ts";
import type { FileProblem } from "../../system/read-file.ts";
import type {
  DownloadProblem,
  Expectation,
  ForeignProblem,
  JoinFileProblem,
  RitualProblem,
  UnfitFacts,
  VerdictProblem,
} from "../../army/errors.ts";
import { shellWord } from "../../system/text.ts";
import { quote, type ErrorTexts } from "../sentences.ts";

export const ERROR_TEXTS: ErrorTexts = {
  "env-missing": ({ variable }) =>
    `環境変数 ${variable} が設定されていません。${
      variable === "HOME"
        ? "ホームフォルダーを設定してください。"
        : "エージェントの MCP 設定で指定する必要があります。"
    }`,
  "env-wrong": ({ variable, value, expected }) =>
    `環境変数 ${variable} の値 ${quote(value)} は${EXPECTATIONS[expected]}ではありません。`,
  "store-gone": ({ path }) =>
    `手紙のフォルダー ${path} がなくなりました。軍勢は解散したようです。召喚し直してください。`,
  "store-newer": ({ path, found, known }) =>
    `手紙のフォルダー ${path} の形式は ${found} ですが、この ovld が扱えるのは ${known} までです。ovld を更新してください。`,
  "store-foreign": ({ path }) =>
    `${path} は ovld が作ったものではないか、読み取れません。移動してからやり直してください。`,
  "folder-taken": ({ path }) =>
    `${path} は空ではなく、ovld の手紙のフォルダーでもありません。中身は何も変更していません。OVLD_RELAY_DIR に新しいフォルダーか空のフォルダーを指定してください。`,
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
  "inbox-full": ({ role, limit, from }) =>
    from !== undefined
      ? `${role} がまだ読んでいない ${from} からの手紙が ${limit} 通あり、これ以上は受け取れません。いくつか読まれるまで待ってください。`
      : `${role} の受信箱の未読の手紙が上限の ${limit} 通に達しています。${role} が読むまで待ってください。`,
  "to-oneself": ({ role }) => `あなたは ${role} です。自分宛てには送れません。ほかの宛先を選んでください。`,
  "out-of-command": ({ role, to, instead }) =>
    `この軍勢では ${role} から ${to} へは送れません。${instead.length > 0 ? `${instead.join(" か ")} に送ってください。` : ""}`,
  "zellij-missing": ({ oldest }) =>
    `Zellij が見つかりません。--yes を付けると（ovld summon --yes または ovld practice --yes）、ovld がダウンロードします。Zellij ${oldest} 以降を自分でインストールすることもできます。`,
  "zellij-not-provided": ({ version, why, said, cargo, command }) =>
    `Zellij ${version} をダウンロードできませんでした。${DOWNLOAD_PROBLEMS[why](said)}。${
      cargo === ""
        ? "ビルドに使う cargo もありません。"
        : `cargo でのビルドにも失敗しました。最後の出力:\n${cargo}\n`
    }次のコマンドでインストールしてください: ${command}`,
  "zellij-too-old": ({ program, version, oldest }) =>
    `${program} は Zellij ${version} ですが、${oldest} 以降が必要です。更新するか、--yes を付けて（ovld summon --yes または ovld practice --yes）ovld にダウンロードさせてください。`,
  "zellij-hangs": ({ seconds, command }) =>
    `Zellij が ${seconds} 秒以内に応答しませんでした（zellij ${command}）。やり直してください。それでも応答しなければ、Zellij のサーバーを終了してください。`,
  "sockets-foreign": ({ path, owner }) =>
    `${path} は別のユーザー（uid ${owner}）のもので、Zellij を止められたり、なりすまされたりするおそれがあります。ZELLIJ_SOCKET_DIR に自分のフォルダーの短いパス（例: ~/.zellij-sockets）を指定してからやり直してください。`,
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
    `軍勢 ${session} はまだ動いていますが、接続できません（Zellij の一覧にありません）。ovld unsummon --army ${shellWord(session)} で解散してください。`,
  "zellij-refused": ({ command, said }) => `Zellij がエラーを返しました（${command}）: ${said}`,
  "agent-missing": ({ program }) =>
    `プログラム ${program} が見つかりません。入手方法は ovld doctor で確認できます。ovld summon --agent practice なら、なくても試せます。`,
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
    `${flag} は軍勢を始めるときにだけ使えますが、軍勢 ${session} はすでに動いています。このフラグを付けずに接続するか、--army NAME で別の軍勢を開くか、先に ovld unsummon --army ${shellWord(session)} で解散してください。`,
  "name-taken": ({ session }) =>
    `${session} という名前は、ほかの Zellij セッションか軍勢の手紙に使われています。別の名前にするか、その軍勢を ovld unsummon --army ${shellWord(session)} で解散してください。`,
  "not-an-army": ({ session }) =>
    `Zellij セッション ${session} は ovld が召喚したものではありません。zellij kill-session で終了するか、--force を使ってください。`,
  "agent-may-not-end": ({ command, path }) =>
    `${command} を実行できるのはユーザーだけで、エージェントにはできません。ユーザーに頼み、ユーザー自身のシェルで実行してもらってください。エージェントにも許可するには ${path} の [agents] に may_unsummon = true と書きます。`,
  "agent-may-not-answer": ({ command }) =>
    `${command} を実行できるのはユーザーだけで、エージェントにはできません。ユーザーの回答を待ってください。`,
  "army-running": ({ session }) =>
    `軍勢 ${session} は動いています。先に ovld unsummon --army ${shellWord(session)} で解散してください（--forget を付けるとアーカイブに何も残しません）。`,
  "no-army": ({ session }) =>
    `${session} という軍勢はありません。ovld summon --army ${shellWord(session)} で召喚するか、ovld armies で一覧を確認してください。`,
  "army-file": ({ problem, path }) =>
    problem === "newer"
      ? `軍勢のファイル ${path} は、より新しい ovld が書いたものです。ovld を更新するか、ovld summon --fresh で新しく始めてください（ファイルはアーカイブに残ります）。`
      : `軍勢のファイル ${path} が壊れているため、作業場所とエージェントが分かりません。直すか、ovld summon --fresh で新しく始めてください（ファイルはアーカイブに残ります）。`,
  "army-crashed": ({ session, folder }) =>
    `軍勢 ${session} は ${folder} で作業中に中断しました。--resume を付けて呼び戻すか、--fresh を付けて新しく始めてください（前の軍勢はアーカイブに残ります）。`,
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
    `${quote(name)} という軍勢はアーカイブにありません。ovld armies で一覧を確認してください。`,
  "archive-unreadable": ({ name, path }) =>
    `アーカイブの軍勢 ${name} を読み取れません。${path} の所有者と権限を確認するか、そのフォルダーを別の場所へ移してください。`,
  "empty-message": ({ role }) => `${role} への手紙が空です。本文を引数か標準入力で渡してください。`,
  "no-such-message": ({ id }) => `手紙 ${quote(id)} は記録にありません。ID は ovld log で確認できます。`,
  "nothing-to-answer": () =>
    "返事を待っている手紙はありません。ovld send で手紙を書くか、返事をする手紙の ID を指定してください（ovld inbox --all で確認できます）。",
  "several-to-answer": ({ letters }) =>
    `まだ返事をしていない手紙が複数あります。返事をするものを ID で指定してください: ${letters.join("、")}`,
  "nobody-to-answer": ({ id }) => `手紙 ${id} は ovld 自身からのものなので、返事は読まれません。`,
  "army-over": ({ session }) =>
    `軍勢 ${session} は終了したため、手紙を読むエージェントがいません。ovld summon --resume --army ${shellWord(session)} で呼び戻してください。`,
  "no-answer-comes": ({ role }) =>
    `${role} のエージェントが動いていないため、返事は届きません。手紙は受信箱に残っています。ovld restart ${role} で起動し直せます。`,
  "message-ambiguous": ({ id, count, orMore, candidates }) =>
    `${quote(id)} で始まる手紙が ${count} 通${orMore ? "以上" : ""}あります: ${candidates.join(", ")}。ID をもう少し長く指定してください。`,
  "no-such-note": ({ name, folder, meant }) =>
    `ノート ${quote(name)} は ${folder} にありません。${meant ? `もしかして: ${meant}` : "名前は ovld notes で確認できます。"}`,
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
  "cwd-gone": () => "いまいるフォルダーは削除されました。別のフォルダーに移ってからやり直してください。",
  "ritual-wrong": ({ path, problem }) => `儀式 ${path} ${RITUAL_PROBLEMS[problem]}`,
  "rituals-missing": ({ path }) =>
    `${path} はフォルダーではないため、儀式を読み込めません。${ROLES.map((role) => `${role}.md`).join("、")} のあるフォルダーを指定してください。`,
  "no-such-role": ({ word }) => `${quote(word)} という役割はありません。役割は ${ROLES.join("、")} です。`,
  "answer-whom": () => `どの役割への回答かを指定してください: ${ROLES.join("、")}`,
  "no-request": ({ role }) => `${role} はそれを求めていません。要求は ovld answer で確認できます。`,
  "several-requests": ({ role, ids }) =>
    `${role} からの要求は複数あります。回答するものを --request で指定してください: ${ids.join("、")}`,
  "request-unnamed": ({ role }) =>
    `確認したものだけを許可できるように、要求を --request ID:digest で指定してください。ovld answer ${role} で要求と回答用のコマンドを表示できます。`,
  "answer-unfit": ({ problem, role }) => VERDICT_PROBLEMS[problem](role),
  "machine-failed": ({ machine, command, said }) =>
    `マシン ${machine} で ovld ${command} が失敗しました: ${said}`,
  "git-failed": ({ command, said }) => `${command} が失敗しました: ${said}`,
  "no-trees": ({ problem, detail }) => TREES_PROBLEMS[problem](detail),
  "no-budget": ({ session, spender }) =>
    `軍勢 ${session} は${spender === "army" ? "" : ` ${spender} の`}予算なしで召喚されました。設定の [budget] で指定すると、次の召喚から使われます。`,
  "budget-words": ({ words }) =>
    `ovld budget には次の指定ができません: ${words.join(" ")}。使えるのは go、raise トークン数、raise トークン数 役割 です（トークン数の例: 500k、2M、2000000）。`,
  "army-without-trees": ({ session }) =>
    `軍勢 ${session} にはツリーもタスクもありません。召喚するには: ovld summon --trees`,
  "no-tree-of-yours": () =>
    "タスクを引き受けて提出できるのは、ツリーを持つエージェント（軍師と四天王）だけです。",
  "role-without-tree": ({ role }) =>
    `${role} はこのマシンにツリーを持たないので、タスクを引き受けられません。仕事は手紙で伝えてください。`,
  "tree-broken": ({ path }) =>
    `${path} はもうこのリポジトリのツリーではなく、作業が残っている可能性があります。必要なものを保存し、フォルダーを削除してからやり直してください。`,
  "board-elsewhere": () =>
    "この操作は魔王と軍師のマシンで行います。このマシンにあるのは、タスクの写しだけです。",
  "board-silent": () => "タスクのある、魔王と軍師のマシンが応答しません。あとでやり直してください。",
  "hand-in-refused": ({ id, said }) => `${id} を軍師のマシンに提出できませんでした: ${said}`,
  "hand-in-too-large": ({ id, kilobytes, limit, branch }) =>
    `${id} の変更は ${kilobytes} KB あり、送れる上限の ${limit} KB を超えています。ここで git push REMOTE ${branch}、軍師のマシンで git fetch を実行してから、もう一度 ovld task done を実行してください。`,
  "tree-dirty": ({ file, others, command }) =>
    `${others === 0 ? file : `${file} ほか ${others} 件`}がコミットされていません。次に: git add -A && git commit -m "…" && ${command}`,
  "target-in-use": ({ branch, path }) =>
    `${branch} が ${path} でチェックアウトされているため、何も取り込めません。そこで別のブランチに切り替えてください: git switch BRANCH`,
  "no-such-task": ({ id }) =>
    id === "" ? "いま引き受けられるタスクはありません。" : `タスク ${id} はありません。一覧: ovld task`,
  "task-of-another": ({ id, role }) => `${id} は ${role} のタスクです。`,
  "task-waits": ({ id, tasks }) => `${id} は、${tasks} が取り込まれるまで待つ必要があります。`,
  "task-state": ({ id, state, role }) =>
    `${id} の状態は ${state}${role === "" ? "" : `（${role}）`} なので、いまはこの操作ができません。`,
  "no-task-here": ({ branch }) =>
    `${branch === "" ? "あなたのツリーはどのブランチにもいません" : `ブランチ ${branch} はどのタスクのものでもありません`}。次に: ovld task take`,
  "nothing-committed": ({ id, branch }) =>
    `${branch} には、まだ取り込まれていないコミットがありません。作業をコミットしてから ovld task done を実行してください。やることがなければ: ovld task drop ${id}`,
  "wrong-arguments": ({ tool, problems }) => `${tool} の引数が正しくありません: ${problems.join("; ")}`,
  "hub-no-server": ({ reason, oldest }) =>
    `ハブに必要な nats-server がなく、ビルドもできませんでした: ${reason}。nats-server ${oldest} 以降をインストールするか（Homebrew なら brew install nats-server。または https://github.com/nats-io/nats-server/releases のプログラムを PATH に置く）、ビルドに使う Go（https://go.dev/dl）をインストールしてから、もう一度実行してください。`,
  "hub-server-old": ({ program, version, oldest }) =>
    `${program} は nats-server ${version} ですが、ハブには ${oldest} 以降が必要です（古い版は設定の一部を無視します）。更新してください。`,
  "hub-none": () => "このマシンにハブはありません。ovld hub start で起動してください。",
  "hub-not-started": ({ reason, log }) =>
    `ハブのサーバーが起動しませんでした: ${reason}。ログは ${log} にあります。`,
  "hub-not-stopped": ({ pid }) =>
    `ハブのプロセス ${pid} を強制終了しましたが、まだ終わっていません（ディスクが応答しないなどの理由で、システムが止めています）。時間をおいて、もう一度 ovld hub stop を実行してください。`,
  "hub-port-taken": ({ listen }) =>
    `${listen} では別のプログラムがすでに待ち受けています。そのプログラムを終了するか、--listen 127.0.0.1:14222 のように、ハブに別のポートを指定してください。`,
  "hub-stopped": () =>
    "ハブが動いていないため、何も変更していません。ovld hub start で起動してから、もう一度実行してください。",
  "hub-address": ({ listen }) =>
    `${quote(listen)} は待ち受けるアドレスではありません。127.0.0.1:4222 のように ADDRESS:PORT の形で書いてください。`,
  "hub-validity": ({ text }) =>
    `${quote(text)} は参加ファイルの有効期間として使えません。30m、24h、7d のように、1 年以内で書いてください。`,
  "hub-certificate": ({ reason }) =>
    `証明書を作れないか、読み取れません: ${reason}。openssl をインストールするか、--tls-cert で証明書、--tls-key で鍵、--tls-ca で認証局を指定してください。`,
  "hub-no-army": ({ session }) =>
    `ハブに ${session} という軍勢はありません。--army で軍勢を指定してください（ovld hub status で一覧できます）。`,
  "hub-no-machine": ({ session, machine, known }) =>
    `軍勢 ${session} に ${quote(machine)} というマシンはありません。${
      known.length > 0 ? `マシン: ${known.join("、")}。` : "まだどのマシンも招待されていません。"
    }`,
  "hub-machine-taken": ({ session, machine }) =>
    `軍勢 ${session} には ${machine} というマシンがすでにあります。--machine で別の名前を選ぶか、先に ovld hub revoke ${machine} --army ${session} で外してください。`,
  "hub-joined-already": ({ machine, session, path }) =>
    `このマシンはすでに ${machine} として軍勢 ${session} に参加しており、このままでは自分の役割を失います。参加ファイルは別のマシンで使ってください。このマシンを参加し直させるには、先にハブで ${machine} を取り消してください。そのハブがもうない場合は ${path} を削除してください。`,
  "hub-join-file": ({ path, problem }) => `${path} ${JOIN_FILE_PROBLEMS[problem]}`,
  "hub-unreachable": ({ servers, reason }) =>
    `${servers.join("、")} のハブが応答しません: ${reason}。ハブが動いていること（そのマシンで ovld hub status）と、このマシンから接続できることを確認してください。`,
  "hub-refused": ({ servers, machine }) =>
    `${servers.join("、")} のハブはマシン ${machine} の鍵を受け付けません。その後に取り消されたか、招待し直されています。新しい参加ファイルをもらってください。`,
  "hub-person-only": ({ command }) =>
    `${command} を実行できるのはあなただけで、エージェントは実行できません。自分のシェルで実行してください。`,
  "hub-unknown": ({ reason }) =>
    `手紙が保存されたかどうか分かりません。ハブが確認せず、このマシンにも置けませんでした（${reason}）。送り直す前に相手に確かめてください。`,
  "hub-role-taken": ({ role, machine }) =>
    `${role} はすでに別のマシン ${machine} にいます。役割はひとつのマシンにしか置けません。先にそこで解散するか、このマシンを招待し直してください。`,
  "hub-newer": ({ machine, found, known }) =>
    `マシン ${machine} の ovld はこのマシンのものより新しい版です（形式 ${found}、ここで扱えるのは ${known} まで）。このマシンの ovld を更新してください。`,
  "hub-foreign": ({ problem, what }) => FOREIGN_PROBLEMS[problem](what),
  "hub-unfit": formatUnfit,
  "hub-full": ({ reason }) =>
    `ハブにはこれ以上手紙を置く余地がありません: ${reason}。ハブのディスクを空けてください。残りはそのマシンの ovld hub doctor で確認できます。`,
};

const VERDICT_PROBLEMS: Record<VerdictProblem, (role: string) => string> = {
  "only-in-the-pane": (role) =>
    `${role} からの要求は大きすぎてここに全部を表示できないため、ペインでのみ回答できます。`,
  "needs-answers": (role) => `${role} は質問しています。質問ごとに選択肢を選ぶか、回答を書いてください。`,
  "not-a-question": (role) => `${role} が求めているのは許可です。allow か deny で答えてください。`,
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
  "a folder for notes alone": "ホームやプロジェクト、ovld 自身のファイルを含まない、ノート専用のフォルダー",
  "a folder to write in": "書き込み可能な既存のフォルダー",
  "a path": "絶対パスか ~/ で始まるパス",
  "a text": "引用符で囲んだ文字列",
  "prices of models":
    "モデルごとの 100 万トークンあたりの価格の表（例: claude-opus-5-5 = { input = 5, cached = 0.5, output = 25 }）",
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

export const DOWNLOAD_PROBLEMS: Record<DownloadProblem, (said: string) => string> = {
  "no-release": (machine) => `${machine} 向けに公開されたプログラムはありません`,
  "not-reached": (said) => said,
  "wrong-sum": () => "ダウンロードしたものは公開されたプログラムではありません（チェックサムが違います）",
  "no-program": () => "アーカイブにプログラムが入っていません",
  "does-not-run": () => "ダウンロードしたプログラムはこのマシンで動きません",
};

/** What is wrong with a file, as the end of a sentence that begins with its path, and what to do. */
const FILE_PROBLEMS: Record<FileProblem, string> = {
  "not-a-file":
    "は通常のファイルではなく、フォルダー、パイプ、デバイスのどれかです。ファイルを指定するか、移動してからやり直してください。",
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

const JOIN_FILE_PROBLEMS: Record<JoinFileProblem, string> = {
  missing: "がありません。ovld hub invite が出力したファイルを指定してください。",
  damaged:
    "は参加ファイルではないか、欠けています。ovld hub invite が出力したとおりのファイルを使ってください。",
  expired: "は期限が切れています。ハブのマシンで ovld hub invite を実行し、新しいものをもらってください。",
  newer: "はより新しい ovld で作られています。このマシンの ovld を更新してください。",
  used: "はもうハブに受け付けられません。すでに使われたか（使えるのは一度だけです）、取り消されたか、期限が切れています。ハブのマシンで ovld hub invite を実行し、新しいものをもらってください。",
  "no-authority":
    "にはハブの証明書がないため、同じポートを使う別のプログラムがハブになりすませます。ハブのマシンでは ovld hub start を実行してください。ほかのマシンでは、新しい参加ファイルをもらい（ハブのマシンで ovld hub revoke と ovld hub invite）、ovld hub join を実行してください。",
  plain:
    "は、ほかのマシンの NATS サーバーを TLS なしで指定しているため、通信経路上の誰でもそのサーバーになりすませます。アドレスが tls:// で始まる参加ファイルをもらってください。",
};

const FOREIGN_PROBLEMS: Record<ForeignProblem, (what: string) => string> = {
  address: (what) =>
    `設定の [hub] url は NATS サーバーのアドレスではありません: ${what}。tls://nats.example.com:4222 のように書いてください。`,
  plain: (what) =>
    `${what} は別のマシンにありますが、[hub] url のアドレスが暗号化を求めていません。tls://${what} と書いてください。証明書が独自の認証局のものなら、その認証局の証明書を ca で指定してください。`,
  "needs-creds": () =>
    "[hub] url には creds（NATS サーバーの管理者が作った鍵のフォルダー）が必要です。何を頼むかは ovld hub requirements が出力します。",
  "needs-url": () =>
    "[hub] creds と ca はほかの人が動かす NATS サーバーのための設定ですが、[hub] url がありません。アドレスを書くか、これらを消してください。",
  ca: (what) => `[hub] ca に指定された ${what} がありません。サーバーの認証局の証明書を指定してください。`,
  missing: (what) =>
    `鍵のファイルがありません: ${what}。NATS サーバーの管理者に、それぞれのユーザーの鍵を頼んでください。何を頼むかは ovld hub requirements が出力します。`,
  readable: (what) =>
    `秘密鍵の入った ${what} をほかのユーザーが読めるか変更できます。chmod -R go= ${what} を実行してください。`,
  damaged: (what) =>
    `${what} は NATS のユーザーの鍵ではないか、欠けています。.creds には JWT とそのシードが、.nk にはシードが入っています。`,
  "own-hub": (what) =>
    `軍勢 ${what} はこのマシンのハブが扱っていますが、設定に [hub] url があります。--army で別の名前を選ぶか、設定から url を消してください。`,
  elsewhere: (what) =>
    `軍勢 ${what} は、このマシンが参加した別のハブにあります。--army で別の名前を選んでください。`,
  shared: (what) =>
    `軍勢 ${what} が同じ鍵を使っています。2 つの軍勢が手紙を共有してはいけません。軍勢ごとに別のアカウントを NATS サーバーの管理者に頼んでください。`,
  given: (what) =>
    `次の役割は別のマシンにあり、その鍵はまだ使えます: ${what}。NATS サーバーの管理者に、その鍵を取り消して新しく作るよう頼み、[hub] creds のフォルダーに置いて ovld hub start をもう一度実行してください。役割はこのマシンに戻ります。`,
  stop: () =>
    "このハブの NATS サーバーはほかの人が動かしているため、ovld では停止できません。軍勢は ovld unsummon --everywhere で解散し、サーバーは管理者が停止します。",
  service: () =>
    "このハブの NATS サーバーはほかの人が動かしているため、このマシンで起動するものはありません。自動起動は管理者が設定します。",
  revoke: (what) =>
    `このハブの NATS サーバーはほかの人が動かしているため、ovld では ${what} を取り消せません。管理者に、そのマシンのユーザーの鍵を取り消して新しく作るよう頼み、[hub] creds のフォルダーに置いて ovld hub start をもう一度実行してください。役割はこのマシンに戻ります。`,
  valid: () =>
    "このハブの NATS サーバーはほかの人が動かしているため、ovld では参加ファイルの期限を設定できません。期限のある鍵を管理者に頼み、--valid を付けずに実行してください。",
  listen: () =>
    "このハブの NATS サーバーはほかの人が動かしているため（設定の [hub] url）、--listen と --tls は使えません。",
};

export function formatUnfit({ servers, problem, who, what }: UnfitFacts): string {
  return `${servers.join("、")} の NATS サーバーは${UNFIT[problem](who, what)}`;
}

const ACCOUNTS =
  "ovld hub requirements が出力するとおり、ユーザーごとにアカウントを分けるよう管理者に頼んでください。";

const UNFIT: Record<UnfitFacts["problem"], (who: string, what: string) => string> = {
  silent: (_who, what) =>
    `応答しません: ${what}。[hub] url と、このマシンから接続できることを確認するか、動いているかどうかを管理者に尋ねてください。`,
  "no-tls": () =>
    "TLS を使えません。TLS のあるアドレスを管理者に尋ねるか、ssh -L を使って 127.0.0.1 で接続してください。",
  old: (_who, what) =>
    ` nats-server ${what} ですが、軍勢には 2.12.0 以降が必要です（古い版は必要な設定の一部を無視します）。更新を管理者に頼んでください。`,
  small: (_who, what) =>
    `${what} バイトまでのメッセージしか受け付けませんが、軍勢の手紙は 600000 バイトになることがあります。max_payload を 1MB などに増やすよう管理者に頼んでください。`,
  expired: (who, what) =>
    ` ${who} の鍵を受け付けません。${what} に期限が切れました。新しい鍵を管理者に頼んでください。`,
  refused: (who) =>
    ` ${who} の鍵を受け付けません。そのユーザーがあり、取り消されていないかどうかを管理者に尋ねてください。`,
  "no-streams": (_who, what) =>
    "、post が軍勢のストリームを作ることを許しません: " +
    `${what}。ovld hub requirements が出力する制限にするよう管理者に頼んでください。`,
  unreached: (who, what) =>
    `、${who} に必要なものへの接続を許しません: ${what}。ovld hub requirements が出力するエクスポートとインポートを管理者に頼んでください。`,
  "not-apart": (who, what) =>
    `役割を分けていません。${who} がほかの役割のもの（${what}）に届き、その名前で書けます。${ACCOUNTS}`,
};
