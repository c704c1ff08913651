/** The sentences for each error: what is wrong, and what to do next. */
import { ROLES } from "../army/roles.ts";
import { cleanLine } from "../system/clean-text.ts";
import type { ErrorReport } from "../system/ovld-error.ts";
import { shellWord } from "../system/shell-word.ts";
import { countOf } from "./count-of.ts";
import { EXPECTATIONS } from "./expectations.ts";
import { FILE_PROBLEMS } from "./file-problems.ts";
import type { Language } from "../army/words.ts";
import { RITUAL_PROBLEMS } from "./ritual-problems.ts";

/** The search for a message by the beginning of its id counts no further. */
const MOST_COUNTED = 100;

/** One or two sentences, always on one line: a path with a newline in it must not look like another line of ours. */
export function describeError(report: ErrorReport, language: Language): string {
  return cleanLine(language === "ja" ? inJapanese(report) : inEnglish(report));
}

function inEnglish({ code, facts }: ErrorReport): string {
  switch (code) {
    case "env-missing":
      return `The environment variable ${facts.variable} is not set. ${
        facts.variable === "HOME"
          ? "Set it to your home folder."
          : "The agent's MCP configuration has to set it."
      }`;
    case "env-wrong":
      return `The environment variable ${facts.variable} is ${quote(facts.value)}, which is not ${EXPECTATIONS.en[facts.expected]}.`;
    case "store-gone":
      return `The relay folder ${facts.path} is gone. Its session has probably been ended; summon the army again.`;
    case "store-newer":
      return `The relay folder ${facts.path} has format ${facts.found}; this version of ovld supports formats up to ${facts.known}. Update ovld.`;
    case "store-foreign":
      return `${facts.path} was not created by ovld or cannot be read. Move it somewhere else and try again.`;
    case "folder-taken":
      return `${facts.path} is not empty and is not an ovld relay folder. Nothing in it was changed. Set OVLD_RELAY_DIR to a new or empty folder.`;
    case "disk-full":
      return `The disk is full (${facts.path}). Free some space and try again.`;
    case "file-size-limit":
      return `The file-size limit of this process is too small for ${facts.path}. Raise the limit (ulimit -f) and try again.`;
    case "not-writable":
      return `${facts.path} cannot be written to. Check its permissions and whether the disk is mounted read-only, then try again.`;
    case "file-trouble":
      return `The file system reported an error: ${facts.reason}.`;
    case "file-wrong":
      return `${facts.path} cannot be used: ${facts.reason}. Correct it and try again.`;
    case "file-unfit":
      return `${facts.path} ${FILE_PROBLEMS.en[facts.problem]}`;
    case "too-long":
      return `The ${facts.field} has ${facts.length} ${facts.unit}; the limit is ${facts.limit} ${facts.unit}. Write it to a file and send the path.`;
    case "inbox-full":
      return `The inbox of ${facts.role} is full: it already holds ${countOf(facts.limit, "unread message")}, which is the limit. Wait until ${facts.role} has read them.`;
    case "to-oneself":
      return `You are ${facts.role}, and you cannot message yourself. Choose another recipient.`;
    case "zellij-missing":
      return `Zellij was not found. Install Zellij ${facts.oldest} or newer, or run npm start in a clone of ovld, which downloads or builds one.`;
    case "zellij-too-old":
      return `${facts.program} is Zellij ${facts.version}, but ovld needs ${facts.oldest} or newer. Update Zellij.`;
    case "zellij-hangs":
      return `Zellij did not answer within ${countOf(facts.seconds, "second")} (zellij ${facts.command}). Try again; if that does not help, end its server.`;
    case "sockets-foreign":
      return `${facts.path} belongs to another user (uid ${facts.owner}), who could stop your Zellij or answer in its place. Set ZELLIJ_SOCKET_DIR to a folder of your own with a short path, such as ~/.zellij-sockets, and try again.`;
    case "session-silent":
      return `The Zellij session ${facts.session} did not answer within ${countOf(facts.seconds, "second")}. ${
        facts.pid === null
          ? "Find its server (zellij --server) and resume or end it."
          : `Its server is process ${facts.pid}. If it was stopped, resume it with kill -CONT ${facts.pid}; if it hangs, kill -KILL ${facts.pid} ends it and every program in it.`
      }`;
    case "output-failed":
      return `The output could not be written: ${facts.reason}. Check where the output goes.`;
    case "session-elsewhere":
      return `The army ${facts.session} is running, but its session is in a different Zellij socket folder from yours. Attach to it with ZELLIJ_SOCKET_DIR=${shellWord(facts.folder)} ovld summon --session ${shellWord(facts.session)}.`;
    case "session-lost":
      return `The army ${facts.session} is still running, but its session can no longer be reached: Zellij does not list it. End it with ovld unsummon --session ${shellWord(facts.session)}.`;
    case "zellij-refused":
      return `Zellij reported an error (${facts.command}): ${facts.said}`;
    case "agent-missing":
      return `The program ${facts.program} was not found. Install it, or try the army with ovld summon --agent practice.`;
    case "no-terminal":
      return `ovld ${facts.command} needs a terminal to open the session on, and there is none. Use --detached to open it in the background.`;
    case "session-name-wrong":
      return `${quote(facts.name)} is not a valid session name. Use letters, digits, - and _, and start with a letter or digit.`;
    case "session-name-too-long":
      return `The session name ${facts.name} is too long for the path of its socket: the limit here is ${countOf(facts.limit, "character")}. Choose a shorter name, or set ZELLIJ_SOCKET_DIR to a folder with a shorter path.`;
    case "session-live":
      return `The session ${facts.session} is already running. Attach to it from a terminal with ovld summon --session ${shellWord(facts.session)}.`;
    case "army-elsewhere":
      return `The army ${facts.session} is already running, and works in ${facts.folder}, not in this folder. Open another army here with --session NAME, or attach to that one from a terminal with ovld summon --session ${shellWord(facts.session)}.`;
    case "flag-too-late":
      return `The army ${facts.session} is already running, so ${facts.flag} comes too late. Attach to it without that flag, open another army with --session NAME, or end it first with ovld unsummon --session ${shellWord(facts.session)}.`;
    case "name-taken":
      return `The name ${facts.session} is already used by another session or by an army's mail. Choose another name, or end that army with ovld unsummon --session ${shellWord(facts.session)}.`;
    case "not-an-army":
      return `The session ${facts.session} was not summoned by ovld. End it with zellij kill-session, or use --force.`;
    case "agent-may-not-end":
      return `Only the person may end an army, not an agent. Ask them to run ovld unsummon in their own shell. They can allow agents to do it with may_unsummon = true under [agents] in ${facts.path}.`;
    case "no-army":
      return `There is no army called ${facts.session}. Summon it with ovld summon --session ${shellWord(facts.session)}, or list the armies with ovld status --all.`;
    case "empty-message":
      return `The message to ${facts.role} is empty. Give its text as an argument or on stdin.`;
    case "no-such-message":
      return `There is no message ${quote(facts.id)} in the journal. See the ids with ovld log.`;
    case "message-ambiguous":
      return `${facts.count}${facts.count < MOST_COUNTED ? "" : " or more"} messages begin with ${quote(facts.id)}: ${facts.candidates.join(", ")}. Give more of the id.`;
    case "no-such-note":
      return `There is no note ${quote(facts.name)} in ${facts.folder}. ${facts.meant ? `Did you mean ${facts.meant}?` : "See the names with ovld insight."}`;
    case "no-moment":
      return `${quote(facts.text)} is not a valid time. Write 10m, 2h or 1d for how long ago, 14:30 for today, or a date such as 2026-11-15.`;
    case "config-syntax":
      return `${facts.path}, line ${facts.line}, is not valid TOML: ${facts.reason}. Correct the line, or write a new file with ovld init --force.`;
    case "config-key":
      return `${facts.path}, line ${facts.line}: there is no setting ${quote(facts.key)}. ${
        facts.meant ? `Did you mean ${facts.meant}?` : `Settings there: ${facts.known.join(", ")}.`
      }`;
    case "config-value":
      return `${facts.path}, line ${facts.line}: ${facts.key} must be ${EXPECTATIONS.en[facts.expected]}${facts.choices.length > 0 ? `: ${facts.choices.join(", ")}` : ""}.`;
    case "cwd-gone":
      return "The folder you are in has been removed. Go to another one and try again.";
    case "ritual-wrong":
      return `The ritual ${facts.path} ${RITUAL_PROBLEMS.en[facts.problem]}`;
    case "rituals-missing":
      return `${facts.path} is not a folder, so it contains no rituals. Name a folder that contains ${ROLES.map((role) => `${role}.md`).join(", ")}.`;
    case "no-such-role":
      return `${quote(facts.word)} is not a role. The roles are ${ROLES.join(", ")}.`;
    case "wrong-arguments":
      return `Wrong arguments for ${facts.tool}: ${facts.problems.join("; ")}.`;
  }
}

function inJapanese({ code, facts }: ErrorReport): string {
  switch (code) {
    case "env-missing":
      return `環境変数 ${facts.variable} が設定されていません。${
        facts.variable === "HOME"
          ? "ホームフォルダーを設定してください。"
          : "エージェントの MCP 設定で指定する必要があります。"
      }`;
    case "env-wrong":
      return `環境変数 ${facts.variable} の値 ${quote(facts.value)} は${EXPECTATIONS.ja[facts.expected]}ではありません。`;
    case "store-gone":
      return `relay フォルダー ${facts.path} がなくなりました。セッションが終了したようです。軍勢を召喚し直してください。`;
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
      return `${facts.path} ${FILE_PROBLEMS.ja[facts.problem]}`;
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
    case "output-failed":
      return `出力を書き込めませんでした: ${facts.reason}。出力先を確認してください。`;
    case "session-elsewhere":
      return `軍勢 ${facts.session} は動いていますが、セッションは別のソケットフォルダーにあります。ZELLIJ_SOCKET_DIR=${shellWord(facts.folder)} ovld summon --session ${shellWord(facts.session)} で接続できます。`;
    case "session-lost":
      return `軍勢 ${facts.session} はまだ動いていますが、セッションに接続できません（Zellij の一覧にありません）。ovld unsummon --session ${shellWord(facts.session)} で終えてください。`;
    case "zellij-refused":
      return `Zellij がエラーを返しました（${facts.command}）: ${facts.said}`;
    case "agent-missing":
      return `プログラム ${facts.program} が見つかりません。インストールするか、ovld summon --agent practice で試してください。`;
    case "no-terminal":
      return `ovld ${facts.command} は端末にセッションを開きますが、端末がありません。バックグラウンドで開くには --detached を使ってください。`;
    case "session-name-wrong":
      return `${quote(facts.name)} はセッション名に使えません。英数字で始まる英数字、-、_ を使ってください。`;
    case "session-name-too-long":
      return `セッション名 ${facts.name} はソケットのパスに対して長すぎます。ここでは ${facts.limit} 文字までです。短い名前にするか、ZELLIJ_SOCKET_DIR に短いフォルダーを指定してください。`;
    case "session-live":
      return `セッション ${facts.session} はすでに動いています。端末から ovld summon --session ${shellWord(facts.session)} で接続してください。`;
    case "army-elsewhere":
      return `軍勢 ${facts.session} はすでに動いていますが、作業場所はこのフォルダーではなく ${facts.folder} です。ここで別の軍勢を開くには --session NAME を付けてください。その軍勢に接続するには、端末から ovld summon --session ${shellWord(facts.session)} を実行してください。`;
    case "flag-too-late":
      return `軍勢 ${facts.session} はすでに動いているため、${facts.flag} はもう使えません。このフラグなしで接続するか、--session NAME で別の軍勢を開くか、先に ovld unsummon --session ${shellWord(facts.session)} で終えてください。`;
    case "name-taken":
      return `${facts.session} という名前は、ほかのセッションか軍勢の手紙に使われています。別の名前にするか、その軍勢を ovld unsummon --session ${shellWord(facts.session)} で終えてください。`;
    case "not-an-army":
      return `セッション ${facts.session} は ovld が召喚したものではありません。zellij kill-session で終えるか、--force を使ってください。`;
    case "agent-may-not-end":
      return `軍勢を終えられるのはユーザーだけで、エージェントにはできません。ユーザーに頼み、ユーザー自身のシェルで ovld unsummon を実行してもらってください。エージェントにも許可するには ${facts.path} の [agents] に may_unsummon = true と書きます。`;
    case "no-army":
      return `${facts.session} という軍勢はありません。ovld summon --session ${shellWord(facts.session)} で召喚するか、ovld status --all で一覧を確認してください。`;
    case "empty-message":
      return `${facts.role} への手紙が空です。本文を引数か標準入力で渡してください。`;
    case "no-such-message":
      return `手紙 ${quote(facts.id)} は記録にありません。ID は ovld log で確認できます。`;
    case "message-ambiguous":
      return `${quote(facts.id)} で始まる手紙が ${facts.count} 通${facts.count < MOST_COUNTED ? "" : "以上"}あります: ${facts.candidates.join(", ")}。ID をもう少し長く指定してください。`;
    case "no-such-note":
      return `ノート ${quote(facts.name)} は ${facts.folder} にありません。${facts.meant ? `もしかして: ${facts.meant}` : "名前は ovld insight で確認できます。"}`;
    case "no-moment":
      return `${quote(facts.text)} は時刻として読めません。10m、2h、1d（どれだけ前か）、14:30（今日）、または 2026-11-15 のような日付で書いてください。`;
    case "config-syntax":
      return `${facts.path} の ${facts.line} 行目は TOML として読めません: ${facts.reason}。直すか、ovld init --force で書き直してください。`;
    case "config-key":
      return `${facts.path} の ${facts.line} 行目: 設定 ${quote(facts.key)} はありません。${
        facts.meant ? `もしかして: ${facts.meant}` : `使える設定: ${facts.known.join(", ")}`
      }`;
    case "config-value":
      return `${facts.path} の ${facts.line} 行目: ${facts.key} には${EXPECTATIONS.ja[facts.expected]}を指定してください${facts.choices.length > 0 ? `: ${facts.choices.join(", ")}` : "。"}`;
    case "cwd-gone":
      return "今いるフォルダーは削除されました。別のフォルダーに移ってからやり直してください。";
    case "ritual-wrong":
      return `儀式 ${facts.path} ${RITUAL_PROBLEMS.ja[facts.problem]}`;
    case "rituals-missing":
      return `${facts.path} はフォルダーではないため、儀式を読み込めません。${ROLES.map((role) => `${role}.md`).join("、")} のあるフォルダーを指定してください。`;
    case "no-such-role":
      return `${quote(facts.word)} という役割はありません。役割は ${ROLES.join("、")} です。`;
    case "wrong-arguments":
      return `${facts.tool} の引数が正しくありません: ${facts.problems.join("; ")}`;
  }
}

const UNIT_JA = { characters: "文字", bytes: "バイト" } as const;
const FIELD_JA: Record<string, string> = { subject: "件名", body: "本文", task: "作業内容" };

function quote(text: string): string {
  return `"${text.trim()}"`;
}
