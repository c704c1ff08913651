/** What is said about a NATS server that somebody else runs, in Japanese. */
import type { ForeignProblem, UnfitFacts } from "../../army/hub-errors.ts";

export const FOREIGN_PROBLEMS: Record<ForeignProblem, (what: string) => string> = {
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

export function describeUnfit({ servers, problem, who, what }: UnfitFacts): string {
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
