/** What `ovld hub` say, in Japanese. */
import type { HubRestart } from "../en/machines.ts";
import type { Texts } from "../texts.ts";
import { formatUnfit } from "./errors.ts";

const RESTARTS: Record<HubRestart, string> = {
  ended: "終了していた",
  silent: "何も保存しなくなっていた",
  "disk-was-full": "ディスクがいっぱいになっていた",
};

export const MACHINE_TEXTS: Texts["machines"] = {
  building: (version, seconds) => `nats-server ${version} を Go でビルドしています… ${seconds} 秒`,
  started: (listen, session) => `ハブは ${listen} で動いており、軍勢 ${session} の手紙を扱います。`,
  startedNext: (session) =>
    `次は: ovld hub invite --army ${session} ROLE… > FILE、そしてほかのマシンで ovld hub join FILE`,
  stopped:
    "ハブを停止しました。手紙は保存されたままです。ほかのマシンは、再開するまで自分の手紙を手元に置きます。",
  wasNotRunning: "ハブは動いていませんでした。",
  invited: (machine, roles, until) =>
    `${machine} は ${until} まで次の役割で参加できます: ${roles}。ここではもう使えません。`,
  inviteSecret:
    "参加ファイルは秘密です。持っている人は誰でも、一度だけ、そのマシンとして参加できます。内容は標準出力に出力しました。",
  foreignSecret:
    "参加ファイルは秘密です。持っている人は誰でもこれらの役割になれます。そのマシンが参加したら削除してください。内容は標準出力に出力しました。",
  revoked: (machine) => `${machine} はもうハブを使えません。`,
  cameHome: (roles) => `次の役割はこのマシンに戻りました: ${roles}。`,
  joined: (session, machine, roles) =>
    `このマシンは ${machine} として軍勢 ${session} に参加しました。役割: ${roles}。`,
  joinedNext: (session) => `次は: ovld summon --army ${session}`,
  joinedLater: (session) =>
    `このマシンでは ${session} という軍勢がハブなしで動いていて、そのまま単独で動き続けます。次は: ovld unsummon --army ${session} のあとに ovld summon --army ${session}`,
  here: (machine, roles) => `このマシン（${machine}）の役割: ${roles}。`,
  elsewhere: (role, machine) => `${role} は ${machine} にいます。`,
  notHeard: (role) => `${role} はまだ一度も接続していません。`,
  mailWaits: "ほかのマシンの役割への手紙は、ハブが応答するまでこのマシンに置いておきます。",
  endedEverywhere: "ほかのマシンに、それぞれの軍勢を解散するよう伝えました。",
  outboxDeleted: (count) => `まだ届けられていない、ほかのマシンへの手紙 ${count} 通が削除されます。`,
  outboxKept: (count) =>
    `ほかのマシンへの手紙 ${count} 通をまだ届けられていません。この軍勢を呼び戻したときに届けます。`,
  serviceHint: {
    systemd:
      "~/.config/systemd/user/ovld-hub.service に保存し、systemctl --user enable --now ovld-hub を実行してください。loginctl enable-linger とすると、ログアウトしても動き続けます。",
    launchd:
      "~/Library/LaunchAgents/ovld.hub.plist に保存し、launchctl load ~/Library/LaunchAgents/ovld.hub.plist を実行してください。",
  },
  notRunning: "ハブは動いていません。ovld hub start で起動してください。",
  running: (listen) => `ハブは ${listen} で動いています。`,
  silent: (listen) => `${listen} のハブのサーバーは動いていますが、応答しません。`,
  notSupervised:
    "サーバーを監視するプロセスがなく、終了しても起動し直されません。ovld hub start を実行してください。",
  noRoom: "ディスクがいっぱいです。空きができるまで何も保存できません。",
  columns: { army: "軍勢", machine: "マシン", roles: "役割", unread: "未読" },
  hubMark: "（ハブ）",
  noArmies: "まだどの軍勢も扱っていません。",
  foreignStarted: (servers, version, session) =>
    `軍勢 ${session} は、ほかの人が動かす ${servers} の NATS サーバー（nats-server ${version}）を使います。ストリームがあり、どの役割も必要なものに届き、ほかの役割の名前では書けません。`,
  foreignState: (servers, problem) =>
    problem === null
      ? `ほかの人が動かす ${servers} の NATS サーバーは応答しています。`
      : `ほかの人が動かす ${servers} の NATS サーバーが応答しません: ${problem}`,
  foreignInvited: (machine, roles) =>
    `${machine} は次の役割で参加できます: ${roles}。ここではもう使えません。このファイルは、NATS サーバーの管理者が鍵を取り消すまで使えます。`,
  requirements: ({ session, oldest, payload, post, streams }) => [
    `軍勢 ${session} が、ほかの人が動かす NATS サーバーで必要とするもの。`,
    "",
    `1. nats-server ${oldest} 以降。JetStream はファイルに保存し、sync_interval: always（停電でも失われない手紙だけが保存済みになります）、max_payload: ${payload} 以上、TLS。`,
    `2. 下のアカウント。ストリームを持つ ${post} と、それぞれの役割とあなたのアカウント。エクスポートは、それぞれに書かれたアカウントだけのものです。オペレーター（JWT）を使う場合は private にし、書かれたアカウントそれぞれにアクティベーショントークンを渡してください。ひとつのアカウントと権限の設定だけでは足りません。`,
    `3. JetStream は ${post} だけに必要です: ストリーム ${streams}、メモリーなし。`,
    "4. それぞれのアカウントにユーザーをひとつ。オペレーターを使う場合は、JWT とシードの入った USER.creds（post.creds、overlord.creds …）。下のようにサーバーの設定にアカウントを書く場合は、シードの入った USER.nk と、PUBLIC_KEY_OF_USER の代わりにその公開鍵。",
    `5. これらのファイルを、所有者だけが読める ${session} という名前のフォルダーに置いてください。その親フォルダーを、ovld の設定の [hub] url の隣に [hub] creds として書きます。参加するマシンには human-MACHINE.creds（なければ human.creds）を渡します。`,
  ],
  findings: {
    server: ({ version, program }) => `nats-server ${version}: ${program}`,
    "no-server": ({ oldest }) => `nats-server ${oldest} 以降がありません。`,
    answers: ({ listen }) => `ハブは ${listen} で応答しています。`,
    silent: ({ listen, reason }) => `ハブのサーバーは動いていますが、${listen} で応答しません: ${reason}`,
    "not-running": () => "ハブは動いていません。",
    "not-kept": () => "サーバーを監視するプロセスがなく、終了しても起動し直されません。",
    stores: ({ restarts }) => `ハブは手紙を保存しています。サーバーを起動し直した回数: ${restarts}。`,
    "does-not-store": () => "ハブはいま、手紙を保存していません。",
    restarted: ({ at, why }) => `サーバーを最後に起動し直したのは ${at} で、理由は「${RESTARTS[why]}」です。`,
    disk: ({ folder, megabytes }) => `${folder} の空きは ${megabytes} MB です。`,
    readable: ({ path }) => `秘密鍵の入った ${path} をほかのユーザーが読めます。`,
    "foreign-fit": ({ servers, version }) =>
      `${servers} の NATS サーバー（nats-server ${version}）は軍勢に必要なことができ、役割を分けています。`,
    "foreign-unfit": formatUnfit,
    "foreign-sync": () =>
      "そのサーバーが手紙をディスクに書いてから確認を返すかどうか、ovld には分かりません。sync_interval が always かどうかを管理者に尋ねてください。そうでなければ、サーバーの停電で、ovld が保存したと伝えた手紙が失われることがあります。",
    "foreign-plain": () =>
      "そのサーバーとの接続には TLS がありません。サーバーやトンネルが止まっている間に、このマシンの別のユーザーが同じポートを使ってなりすませます。サーバーに tls:// のアドレスがあれば、それを使ってください。",
    "foreign-expires": ({ who, at }) =>
      `${who} の鍵は ${at} に期限が切れます。新しい鍵を NATS サーバーの管理者に頼んでください。`,
  },
};
