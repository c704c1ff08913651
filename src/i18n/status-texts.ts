/** What `ovld status` says. */
import type { AgentName } from "../army/agent-names.ts";
import type { AgentState, BellState, Evidence, Language, SessionState, StatusWord } from "../army/words.ts";

export interface StatusTexts {
  sessions: Record<SessionState, (session: string) => string>;
  works(folder: string, agent: AgentName, isUp: boolean): string;
  goneNext(flag: string): string;
  damaged(sentence: string): string;
  needsYou: string;
  allQuiet: string;
  needs: {
    asking(role: string, what: string | null): string;
    suspended(role: string): string;
    gone(role: string, closed: boolean): string;
    cutOff(role: string): string;
    ritual(role: string, clause: string): string;
    failed(role: string, sentence: string): string;
    held(role: string, sentence: string): string;
    unanswered(role: string, attempts: number): string;
    blocked(role: string, task: string): string;
  };
  goThere(key: string, tab: string): string;
  attachFirst(command: string, key: string, tab: string): string;
  beginAnew(flag: string): string;
  columns: { role: string; agent: string; mail: string; bell: string; place: string; says: string };
  states: Record<AgentState | "suspended", string>;
  statuses: Record<StatusWord, string>;
  bells: Record<BellState, string>;
  evidence: Record<Evidence, string>;
  unread(count: number, age: string): string;
  age(seconds: number): string;
  place(tab: string | null, pane: number | null): string;
  says(status: string, task: string): string;
  neverSaid: string;
  allColumns: { session: string; state: string; needs: string; mail: string; works: string; folder: string };
  noArmies: string;
  sessionWords: Record<SessionState, string>;
}

export const STATUS_TEXTS: Record<Language, StatusTexts> = {
  en: {
    sessions: {
      live: (session) => `The army ${session} is running.`,
      starting: (session) => `The army ${session} is starting.`,
      gone: (session) => `The session ${session} is not running.`,
      unknown: (session) => `Whether the session ${session} is running is unknown: Zellij did not answer.`,
    },
    works: (folder, agent, isUp) => `It ${isUp ? "runs" : "ran"} ${PROGRAMS.en[agent]} in ${folder}.`,
    goneNext: (flag) =>
      `Open it again with ovld summon${flag}, or remove what is left with ovld unsummon${flag}.`,
    damaged: (sentence) => `Its mail store is damaged: ${sentence}`,
    needsYou: "Needs you:",
    allQuiet: "Nothing needs you.",
    needs: {
      asking: (role, what) => `${role} is asking you${what ? `: ${what}` : ""}`,
      suspended: (role) => `${role} is suspended (Ctrl-Z)`,
      gone: (role, closed) =>
        closed ? `${role}'s pane was closed` : `${role}'s agent is not running; look at its pane`,
      cutOff: (role) =>
        `${role}'s relay has ended, so mail does not reach it; reconnect the relay with /mcp in its pane`,
      ritual: (role, clause) => `${role} has no ritual yet: ${clause}`,
      failed: (role, sentence) => `${role}'s last turn failed: ${sentence}`,
      held: (role, sentence) => `${role} cannot be woken for its mail: ${sentence}`,
      unanswered: (role, attempts) =>
        `${role} has been rung ${attempts === 1 ? "once" : `${attempts} times`} and does not answer`,
      blocked: (role, task) => `${role} says it is blocked${task ? `: ${task}` : ""}`,
    },
    goThere: (key, tab) => `${key} (tab ${tab})`,
    attachFirst: (command, key, tab) => `${command}, then ${key} (tab ${tab})`,
    beginAnew: (flag) => `ovld unsummon${flag}, then ovld summon${flag}`,
    columns: { role: "role", agent: "agent", mail: "unread", bell: "bell", place: "pane", says: "says" },
    states: {
      starting: "starting",
      idle: "idle",
      busy: "working",
      asking: "asking you",
      suspended: "suspended",
      failed: "failed",
      gone: "gone",
      unknown: "unknown",
    },
    statuses: { idle: "idle", working: "working", blocked: "blocked", done: "done" },
    bells: { quiet: "–", rung: "rung", begun: "begun", held: "held", unanswered: "unanswered" },
    evidence: { hook: "hook", registry: "registry", screen: "screen", none: "no evidence" },
    unread: (count, age) => (count === 0 ? "–" : age === "" ? `${count}` : `${count}, for ${age}`),
    age: (seconds) => ageIn(seconds, ["s", "m", "h", "d"]),
    place: (tab, pane) => [tab ?? "–", pane].filter((part) => part !== null).join(" "),
    says: (status, task) => (task === "" ? status : `${status}: ${task}`),
    neverSaid: "–",
    allColumns: {
      session: "army",
      state: "session",
      needs: "needs you",
      mail: "unread",
      works: "works in",
      folder: "mail in",
    },
    noArmies: "There are no armies. Open one with ovld summon.",
    sessionWords: { live: "running", starting: "starting", gone: "not running", unknown: "unknown" },
  },
  ja: {
    sessions: {
      live: (session) => `軍勢 ${session} は動いています。`,
      starting: (session) => `軍勢 ${session} は起動中です。`,
      gone: (session) => `セッション ${session} は動いていません。`,
      unknown: (session) =>
        `セッション ${session} が動いているかどうか分かりません。Zellij が応答しませんでした。`,
    },
    works: (folder, agent, isUp) =>
      `${folder} で${PROGRAMS.ja[agent]}を${isUp ? "動かしています" : "動かしていました"}。`,
    goneNext: (flag) =>
      `開き直すには ovld summon${flag}、残ったものを片付けるには ovld unsummon${flag} を実行してください。`,
    damaged: (sentence) => `手紙の保管場所が壊れています: ${sentence}`,
    needsYou: "あなたの対応が必要です:",
    allQuiet: "対応が必要なことはありません。",
    needs: {
      asking: (role, what) => `${role} があなたに尋ねています${what ? `: ${what}` : ""}`,
      suspended: (role) => `${role} は一時停止しています（Ctrl-Z）`,
      gone: (role, closed) =>
        closed
          ? `${role} のペインは閉じられました`
          : `${role} のエージェントが動いていません。ペインを確認してください`,
      cutOff: (role) =>
        `${role} の relay が終了し、手紙が届きません。そのペインの /mcp で relay を再接続してください`,
      ritual: (role, clause) => `${role} にはまだ儀式が与えられていません: ${clause}`,
      failed: (role, sentence) => `${role} の直前のターンが失敗しました: ${sentence}`,
      held: (role, sentence) => `${role} に手紙を通知できません: ${sentence}`,
      unanswered: (role, attempts) => `${role} に ${attempts} 回通知しましたが、応答がありません`,
      blocked: (role, task) => `${role} は行き詰まっていると申告しています${task ? `: ${task}` : ""}`,
    },
    goThere: (key, tab) => `${key}（タブ ${tab}）`,
    attachFirst: (command, key, tab) => `${command} の後に ${key}（タブ ${tab}）`,
    beginAnew: (flag) => `ovld unsummon${flag} の後に ovld summon${flag}`,
    columns: {
      role: "役割",
      agent: "エージェント",
      mail: "未読",
      bell: "通知",
      place: "ペイン",
      says: "自己申告",
    },
    states: {
      starting: "起動中",
      idle: "待機",
      busy: "作業中",
      asking: "質問中",
      suspended: "一時停止",
      failed: "失敗",
      gone: "不在",
      unknown: "不明",
    },
    statuses: { idle: "待機", working: "作業中", blocked: "行き詰まり", done: "完了" },
    bells: { quiet: "–", rung: "通知済み", begun: "ターン開始", held: "保留", unanswered: "応答なし" },
    evidence: { hook: "フック", registry: "レジストリ", screen: "画面", none: "根拠なし" },
    unread: (count, age) => (count === 0 ? "–" : age === "" ? `${count}` : `${count}（${age}）`),
    age: (seconds) => ageIn(seconds, ["秒", "分", "時間", "日"]),
    place: (tab, pane) => [tab ?? "–", pane].filter((part) => part !== null).join(" "),
    says: (status, task) => (task === "" ? status : `${status}: ${task}`),
    neverSaid: "–",
    allColumns: {
      session: "軍勢",
      state: "セッション",
      needs: "要対応",
      mail: "未読",
      works: "作業場所",
      folder: "手紙の場所",
    },
    noArmies: "軍勢はありません。ovld summon で開けます。",
    sessionWords: { live: "稼働中", starting: "起動中", gone: "停止", unknown: "不明" },
  },
};

const PROGRAMS: Record<Language, Record<AgentName, string>> = {
  en: { claude: "Claude Code", practice: "practice agents" },
  ja: { claude: " Claude Code ", practice: "演習用エージェント" },
};

/** In the largest unit that fits, rounded down. */
function ageIn(seconds: number, [s, m, h, d]: readonly [string, string, string, string]): string {
  if (seconds < 60) return `${Math.max(0, Math.floor(seconds))}${s}`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}${m}`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3_600)}${h}` : `${Math.floor(seconds / 86_400)}${d}`;
}
