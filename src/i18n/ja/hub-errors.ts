import type { JoinFileProblem, ForeignProblem, UnfitFacts, HUB_ERRORS } from "../../army/hub-errors.ts";
import { quote, type ErrorTexts } from "../sentences.ts";

export const HUB_ERROR_TEXTS: Pick<ErrorTexts, keyof typeof HUB_ERRORS> = {
  "hub-no-server": ({ reason, oldest }) =>
    `ハブに必要な nats-server がなく、取得もできませんでした: ${reason}。nats-server ${oldest} 以降をインストールするか（Homebrew なら brew install nats-server。または https://github.com/nats-io/nats-server/releases のプログラムを PATH に置く）、ビルドに使う Go（https://go.dev/dl）をインストールしてから、もう一度実行してください。`,
  "hub-server-old": ({ program, version, oldest }) =>
    `${program} は nats-server ${version} ですが、ハブには ${oldest} 以降が必要です（古い版は設定の一部を無視します）。更新してください。`,
  "hub-none": () => "このマシンにハブはありません。ovld hub start で始めてください。",
  "hub-not-started": ({ reason, log }) =>
    `ハブのサーバーが起動しませんでした: ${reason}。ログは ${log} にあります。`,
  "hub-not-stopped": ({ pid }) =>
    `ハブのプロセス ${pid} を強制終了しましたが、まだ終わっていません（ディスクが応答しないなどの理由で、システムが止めています）。時間をおいて、もう一度 ovld hub stop を実行してください。`,
  "hub-port-taken": ({ listen }) =>
    `${listen} では別のプログラムがすでに待ち受けています。そのプログラムを終了するか、--listen 127.0.0.1:14222 のように、ハブに別のポートを指定してください。`,
  "hub-stopped": () =>
    "ハブが動いていないため、何も変更していません。ovld hub start で起動してから、もう一度実行してください。",
  "hub-needs-tls": ({ listen }) =>
    `${listen} のハブには証明書がないため、同じポートを使う別のプログラムがハブになりすませます。ovld hub start を実行すると証明書が作られます。自分の証明書は --tls-cert、--tls-key、--tls-ca で指定できます。`,
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
    `${role} はすでに別のマシン ${machine} にいます。役割はひとつのマシンにしか置けません。先にそこで終えるか、このマシンを招待し直してください。`,
  "hub-newer": ({ machine, found, known }) =>
    `マシン ${machine} の ovld はこのマシンのものより新しい版です (形式 ${found}、ここで扱えるのは ${known} まで)。このマシンの ovld を更新してください。`,
  "hub-foreign": ({ problem, what }) => FOREIGN_PROBLEMS[problem](what),
  "hub-unfit": formatUnfit,
  "hub-full": ({ reason }) =>
    `ハブにはこれ以上手紙を置く余地がありません: ${reason}。ハブのディスクを空けてください。残りはそのマシンの ovld hub doctor で確認できます。`,
};

const JOIN_FILE_PROBLEMS: Record<JoinFileProblem, string> = {
  missing: "がありません。ovld hub invite が出力したファイルを指定してください。",
  damaged:
    "は参加ファイルではないか、欠けています。ovld hub invite が出力したとおりのファイルを使ってください。",
  expired: "は期限が切れています。ハブのマシンで ovld hub invite を実行し、新しいものをもらってください。",
  newer: "はより新しい ovld で作られています。このマシンの ovld を更新してください。",
  used: "はもうハブに受け付けられません。すでに使われたか（使えるのは一度だけです）、取り消されたか、期限が切れています。ハブのマシンで ovld hub invite を実行し、新しいものをもらってください。",
  "no-authority":
    "にはハブの証明書がないため、同じポートを使う別のプログラムがハブになりすませます。ハブのマシンでは ovld hub start を実行してください。ほかのマシンでは、新しい参加ファイルをもらい（ハブのマシンで ovld hub revoke と ovld hub invite）、ovld join を実行してください。",
  plain:
    "は、ほかのマシンの NATS サーバーを TLS なしで指定しているため、途中の誰でもそのサーバーになりすませます。アドレスが tls:// で始まる参加ファイルをもらってください。",
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
    "このハブの NATS サーバーはほかの人が動かしているため、ovld では停止できません。軍勢は ovld unsummon --everywhere で終わり、サーバーは管理者が停止します。",
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
