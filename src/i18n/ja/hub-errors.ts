/** The errors of an army over several machines, in Japanese. */
import type { JoinFileProblem } from "../../army/hub-errors.ts";
import type { HubErrorReport } from "../sentences.ts";
import { quote } from "../sentences.ts";
import { describeUnfit, FOREIGN_PROBLEMS } from "./foreign-hub.ts";

export function formatHubError({ code, facts }: HubErrorReport): string {
  switch (code) {
    case "hub-no-server":
      return `ハブに必要な nats-server がなく、取得もできませんでした: ${facts.reason}。nats-server ${facts.oldest} 以降をインストールするか（Homebrew なら brew install nats-server。または https://github.com/nats-io/nats-server/releases のプログラムを PATH に置く）、ビルドに使う Go（https://go.dev/dl）をインストールしてから、もう一度実行してください。`;
    case "hub-server-old":
      return `${facts.program} は nats-server ${facts.version} ですが、ハブには ${facts.oldest} 以降が必要です（古い版は設定の一部を無視します）。更新してください。`;
    case "hub-none":
      return "このマシンにハブはありません。ovld hub start で始めてください。";
    case "hub-not-started":
      return `ハブのサーバーが起動しませんでした: ${facts.reason}。ログは ${facts.log} にあります。`;
    case "hub-not-stopped":
      return `ハブのプロセス ${facts.pid} を強制終了しましたが、まだ終わっていません（ディスクが応答しないなどの理由で、システムが止めています）。時間をおいて、もう一度 ovld hub stop を実行してください。`;
    case "hub-port-taken":
      return `${facts.listen} では別のプログラムがすでに待ち受けています。そのプログラムを終了するか、--listen 127.0.0.1:14222 のように、ハブに別のポートを指定してください。`;
    case "hub-stopped":
      return "ハブが動いていないため、何も変更していません。ovld hub start で起動してから、もう一度実行してください。";
    case "hub-needs-tls":
      return `${facts.listen} のハブには証明書がないため、同じポートを使う別のプログラムがハブになりすませます。ovld hub start を実行すると証明書が作られます。自分の証明書は --tls-cert、--tls-key、--tls-ca で指定できます。`;
    case "hub-address":
      return `${quote(facts.listen)} は待ち受けるアドレスではありません。127.0.0.1:4222 のように ADDRESS:PORT の形で書いてください。`;
    case "hub-validity":
      return `${quote(facts.text)} は参加ファイルの有効期間として使えません。30m、24h、7d のように、1 年以内で書いてください。`;
    case "hub-certificate":
      return `証明書を作れないか、読み取れません: ${facts.reason}。openssl をインストールするか、--tls-cert で証明書、--tls-key で鍵、--tls-ca で認証局を指定してください。`;
    case "hub-no-army":
      return `ハブに ${facts.session} という軍勢はありません。--army で軍勢を指定してください（ovld hub status で一覧できます）。`;
    case "hub-no-machine":
      return `軍勢 ${facts.session} に ${quote(facts.machine)} というマシンはありません。${
        facts.known.length > 0
          ? `マシン: ${facts.known.join("、")}。`
          : "まだどのマシンも招待されていません。"
      }`;
    case "hub-machine-taken":
      return `軍勢 ${facts.session} には ${facts.machine} というマシンがすでにあります。--machine で別の名前を選ぶか、先に ovld hub revoke ${facts.machine} --army ${facts.session} で外してください。`;
    case "hub-joined-already":
      return `このマシンはすでに ${facts.machine} として軍勢 ${facts.session} に参加しており、このままでは自分の役割を失います。参加ファイルは別のマシンで使ってください。このマシンを参加し直させるには、先にハブで ${facts.machine} を取り消してください。そのハブがもうない場合は ${facts.path} を削除してください。`;
    case "hub-join-file":
      return `${facts.path} ${JOIN_FILE_PROBLEMS[facts.problem]}`;
    case "hub-unreachable":
      return `${facts.servers.join("、")} のハブが応答しません: ${facts.reason}。ハブが動いていること（そのマシンで ovld hub status）と、このマシンから接続できることを確認してください。`;
    case "hub-refused":
      return `${facts.servers.join("、")} のハブはマシン ${facts.machine} の鍵を受け付けません。その後に取り消されたか、招待し直されています。新しい参加ファイルをもらってください。`;
    case "hub-person-only":
      return `${facts.command} を実行できるのはあなただけで、エージェントは実行できません。自分のシェルで実行してください。`;
    case "hub-unknown":
      return `手紙が保存されたかどうか分かりません。ハブが確認せず、このマシンにも置けませんでした（${facts.reason}）。送り直す前に相手に確かめてください。`;
    case "hub-role-taken":
      return `${facts.role} はすでに別のマシン ${facts.machine} にいます。役割はひとつのマシンにしか置けません。先にそこで終えるか、このマシンを招待し直してください。`;
    case "hub-newer":
      return `マシン ${facts.machine} の ovld はこのマシンのものより新しい版です (形式 ${facts.found}、ここで扱えるのは ${facts.known} まで)。このマシンの ovld を更新してください。`;
    case "hub-foreign":
      return FOREIGN_PROBLEMS[facts.problem](facts.what);
    case "hub-unfit":
      return describeUnfit(facts);
    case "hub-full":
      return `ハブにはこれ以上手紙を置く余地がありません: ${facts.reason}。ハブのディスクを空けてください。残りはそのマシンの ovld hub doctor で確認できます。`;
  }
}

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
