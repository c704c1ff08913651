/** What is said about tasks, trees and landing, in Japanese. */
import type { HomeProblem, TreesProblem } from "../../army/errors.ts";
import type { Home, ShownOutcome, ShownTask, TakenTask, WORK_TEXTS as ENGLISH } from "../en/work.ts";

export const WORK_TEXTS: typeof ENGLISH = {
  columns: { id: "タスク", state: "状態", role: "役割", title: "題" },
  states: {
    open: "未着手",
    taken: "作業中",
    ready: "提出済み",
    landing: "検査中",
    returned: "差し戻し",
    landed: "取り込み済み",
    dropped: "取りやめ",
  },
  after: (ids: string) => `${ids} のあと`,
  count: (shown: number, landed: number) => `${shown} 件を表示、${landed} 件を取り込み済み。`,
  ended: (landed: number, dropped: number) => `取り込み済み ${landed} 件、取りやめ ${dropped} 件。`,
  trees: (folder, roles) => `${folder} のツリー: ${roles}`,
  shown: ({ id, title, state, owner, goal, check, branch, tries }: ShownTask) => [
    `${id} ${title}`,
    `${state}${owner === undefined ? "" : `、${owner}`}、ブランチ ${branch}`,
    ...(goal === "" ? [] : [goal]),
    ...(check === undefined ? [] : [`検査: ${check}`]),
    ...tries.map(
      ({ number, commit, outcome }) => `${number} 回目: ${commit.slice(0, 10)} ${formatOutcome(outcome)}`,
    ),
  ],
  taken: ({ id, title, goal, check, branch, tree }: TakenTask) =>
    [
      `${id} はあなたのタスクです: ${title}`,
      ...(goal === "" ? [] : [goal]),
      `${tree} のブランチ ${branch} で作業し、コミットしてから ovld task done を実行してください。`,
      check === undefined ? "検査は設定されていません。" : `この検査に通れば取り込まれます: ${check}`,
    ].join("\n"),
  outcome: formatOutcome,
  handedIn: (id: string) =>
    `${id} を提出しました。自動で取り込まれ、できない場合は手紙で戻ってきます。次のタスクに進んでください。`,
  keptHere: (id: string) =>
    `軍師のマシンが応答しないため、提出した ${id} はこのマシンに保存しました。応答があれば自動で送ります。`,
  behind: (target: string) =>
    `${target} は、送れる量を超えて先に進んでいます。軍師のマシンから push されたあと、ここで git fetch を実行すると、自動で追いつきます。`,
  returned: (id: string) => `${id} を担当者に差し戻しました。`,
  dropped: (id: string, branch: string) =>
    `${id} を取りやめました。コミットした内容は ${branch} に残ります。`,
  home: (result: Home, target: string, dry: boolean) => {
    if (result.is === "nothing") return `${target} の作業は、すべてあなたのブランチにあります。`;
    if (result.is === "refused") return HOME_PROBLEMS[result.problem](result.said, target);
    const saved =
      result.saved === undefined ? "" : `コミットしていなかった内容は ${result.saved} にも保存されています。`;
    return dry
      ? `${target} の ${result.commits} 件のコミットを ${result.branch} に取り込めます: ovld land`
      : `${result.branch} に ${target} の ${result.commits} 件のコミットを取り込みました。${result.unchecked ? "あなた自身のコミットとのマージは検査されていません。" : ""}${saved}`;
  },
  notes: {
    shallow: "このクローンは浅いため、エージェントには短い履歴しか見えません。",
    submodules:
      "このリポジトリにはサブモジュールがあります。[trees] setup で取得しないかぎり、ツリーでは空のフォルダーになります。",
    lfs: "このリポジトリは Git LFS を使っています。ツリーごとにファイルを取得し直します。",
    sparse: "このチェックアウトはスパースです。ツリーにも同じ部分だけが置かれます。",
  },
  hint: "Git リポジトリでは ovld summon --trees を使うと、エージェントごとに専用のチェックアウトができ、検査に通った作業だけが取り込まれます。",
  away: (roles) =>
    `次の役割は別のマシンにいます。このあと、そのマシンでも --trees を付けて召喚すると、ツリーを持てます: ${roles}`,
  boardAway: {
    silent:
      "このマシンのエージェントは、ツリーもタスクも使わずに働きます。魔王と軍師の両方がいるマシンが応答しないか、そこにツリーがありません。先にそのマシンで --trees を付けて召喚してください。",
    "no-base":
      "このマシンのエージェントは、ツリーを使わずに働きます。作業の起点になるコミットがこのクローンになく、不足分はハブで送るには大きすぎます。git push と git fetch で両方のクローンを同じコミットにそろえ、召喚し直してください。",
  },
  making: (tree: string) => `${tree} のツリーを作成中…`,
  settingUp: (tree: string, command: string) => `${tree} のツリーを準備中: ${command}`,
  setupFailed: (tree: string, log: string) => `${tree} のツリーの準備に失敗しました。出力: ${log}`,
  saved: (tree: string, ref: string) =>
    `以前の軍勢が ${tree} のツリーでコミットしていなかった内容は ${ref} に保存しました。`,
  kept: (path: string) => `まだ取り込まれていない作業があるため残しました: ${path}`,
  redTarget: (target, { command, said, log }) => ({
    subject: `${target} そのものが検査に通らないため、何も取り込めません`,
    body: `原因はタスクではありません。タスクを加えなくても ${command} が失敗します。直すタスクが取り込まれるまで、提出済みのものはそのまま待ちます。原因がリポジトリの外にあるなら、それを直してから実行してください: ovld land --now\n\n${said}\n\n出力全体: ${log}`,
  }),
  notLanded: (tasks) =>
    `提出済みでまだ取り込まれていないタスク: ${tasks}。コミットは ovld の ref に残っており、ovld summon --resume で続きから再開できます。`,
  ahead: ({ target, commits, branch, command }) =>
    `${target} には ${branch} にないコミットが ${commits} 件あります。取り込むには: ${command}`,
};

function formatOutcome(outcome: ShownOutcome | undefined): string {
  switch (outcome?.is) {
    case undefined:
      return "提出済み";
    case "landed":
      return outcome.checked ? "取り込み済み" : "検査なしで取り込み済み";
    case "conflict":
      return `差し戻し: ${outcome.files.join(", ")} で衝突`;
    case "red":
      return `差し戻し: ${outcome.command} が失敗、詳細は ${outcome.log}`;
    case "words":
      return `${outcome.by} が差し戻し: ${outcome.said}`;
  }
}

const HOME_PROBLEMS: Record<HomeProblem, (said: string, target: string) => string> = {
  "no-branch": () =>
    "チェックアウトがどのブランチにもいません。取り込み先に切り替えてください: git switch BRANCH",
  unfinished: (said) =>
    `チェックアウトに終わっていない操作があります（${said}）。先に完了または中止してください。方法は git status で確認できます。`,
  diverged: (said, target) =>
    `${said} が先に進んでいます。ovld land はまず ${target} に取り込んで検査します。`,
  conflict: (said, target) =>
    `あなたのブランチと ${target} が次のファイルで衝突します:\n${said}\n手で取り込むには: git merge ${target}`,
  red: (said) => `あなたのブランチと軍勢の作業は衝突なく合わさりますが、結果が検査に通りません:\n${said}`,
  "in-the-way": (said) =>
    `変更中のファイルに触れる必要があるため、何もしませんでした:\n${said}\nコミットするか移動してから、もう一度 ovld land を実行してください。`,
};

export const TREES_PROBLEMS: Record<TreesProblem, (detail: string) => string> = {
  "no-git": () => "ツリーには Git が必要ですが、PATH に git がありません。",
  "old-git": (detail) => `ツリーには Git 2.38 以降が必要です。見つかったのは ${detail} です。`,
  "no-repository": () =>
    "ツリーには Git リポジトリが必要ですが、このフォルダーはリポジトリの中にありません。作成するには: git init",
  bare: () =>
    "このリポジトリはベアで、作業用のチェックアウトがありません。クローンして、そこで召喚してください。",
  "no-commit": () =>
    "このリポジトリにはまだコミットがないため、ツリーを作れません。最初のコミットを作るには: git commit",
  "no-branch": () =>
    "このチェックアウトはどのブランチにもいないか、リベースの途中です。先にブランチへ切り替えてください: git switch BRANCH",
  "name-taken": (detail) =>
    `${detail} という名前のブランチがあるため、軍勢用のブランチを作れません。名前を変えるには: git branch -m ${detail} NEW`,
};
