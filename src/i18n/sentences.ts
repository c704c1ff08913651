/** Sentences that are made of several texts, and the parts of sentences that all texts share. */
import { cleanLine } from "../system/clean-text.ts";
import type { ErrorFacts } from "../system/ovld-error.ts";
import type { Texts } from "./texts.ts";
import { MOST_MAIL, USUAL_BRAKE, type RitualWait, type Language } from "../army/words.ts";
import type { RitualClause } from "./en/agents.ts";

export type ErrorTexts = { [Code in keyof ErrorFacts]: (facts: ErrorFacts[Code]) => string };

/** On one line: a path that contains a newline must not look like another line of output. */
export function formatError<Code extends keyof ErrorFacts>(
  { code, facts }: { code: Code; facts: ErrorFacts[Code] },
  { errors }: { errors: ErrorTexts },
): string {
  return cleanLine(errors[code](facts));
}

type FindingTexts = Record<string, (facts: never) => string>;

/** One finding of a doctor: how serious it is, the facts that its sentence needs, and the command that fixes it. */
export type FindingOf<Sentences extends FindingTexts> = {
  [Code in keyof Sentences]: {
    verdict: "good" | "note" | "wrong";
    code: Code;
    facts: Parameters<Sentences[Code]> extends [infer Facts] ? Facts : Record<string, never>;
    fix?: string;
  };
}[keyof Sentences];

/** On one line, too. */
export function formatFinding<Facts, Code extends keyof Facts>(
  { code, facts }: { code: Code; facts: Facts[Code] },
  sentences: { [Each in keyof Facts]: (facts: Facts[Each]) => string },
): string {
  return cleanLine(sentences[code](facts));
}

/** Why a ritual waits, as a clause. The pane's own words, if known, say more than ours. */
export function formatWait(
  waits: RitualWait,
  words: string | undefined,
  { rituals, holds }: Pick<Texts, "rituals" | "holds">,
): string {
  if (words !== undefined) return rituals.asks(words);
  return isWait(waits, rituals.waiting) ? rituals.waiting[waits] : holds[waits];
}

function isWait(word: string, waiting: Texts["rituals"]["waiting"]): word is RitualClause {
  return word in waiting;
}

/** Why a turn failed, and until when: `until` is in ISO 8601, and shown in this machine's local time. */
export function formatFailure(
  error: string,
  until: string | null,
  { failures }: Pick<Texts, "failures">,
): string {
  const { kinds, unknown, until: formatUntil } = failures;
  const sentence = isKnown(error, failures) ? kinds[error] : unknown(error);
  return until === null ? sentence : formatUntil(sentence, clockOf(new Date(until)));
}

function isKnown(error: string, failures: Texts["failures"]): error is keyof Texts["failures"]["kinds"] {
  return error in failures.kinds;
}

function clockOf(moment: Date): string {
  const [month, day, hours, minutes] = [
    moment.getMonth() + 1,
    moment.getDate(),
    moment.getHours(),
    moment.getMinutes(),
  ].map((part) => String(part).padStart(2, "0"));
  return `${month}-${day} ${hours}:${minutes}`;
}

/** Every setting of the configuration file, with its default or an example. The texts of each language say what it means. */
export function listSettings(language: Language): Record<keyof Texts["configNotes"], string> {
  return {
    beginning: "",
    session: 'session = "overlord"',
    agent: 'agent = "claude"',
    wake: 'wake = "auto"',
    language: `language = "${language}"`,
    zellij: 'zellij = "~/bin/zellij"',
    agents: `[agents]
may_unsummon = false`,
    claude: `[agents.claude]
program = "~/.local/bin/claude"
model = "opus"
permission_mode = "acceptEdits"
args = ["--add-dir", "/srv/data"]`,
    role: `[roles.inferno]
model = "sonnet"
permission_mode = "acceptEdits"
args = []`,
    bell: `[bell]
carry = true`,
    brake: `[brake]
messages = ${USUAL_BRAKE}`,
    budget: `[budget]
army = 5_000_000
inferno = 1_000_000
[prices.claude-opus-5-5]
input = 5.0
cached = 0.5
output = 25.0`,
    desk: `[desk]
answer = true
notify = true
key = "Alt s"`,
    notify: `[notify]
command = "curl -s --data-binary @- https://ntfy.sh/your-topic"`,
    rituals: `[rituals]
folder = "~/.config/ovld/rituals"
focus = true`,
    trees: `[trees]
on = true
check = "npm test"
check_minutes = 30
setup = "npm ci"
folder = "~/.local/state/ovld/trees"
into_mine = false`,
    limits: `[limits]
unread_per_inbox = ${MOST_MAIL.unreadPerInbox}
body_bytes = ${MOST_MAIL.bodyBytes}
journal_mb = ${MOST_MAIL.journalMegabytes}`,
    command: `[command]
overlord = ["strategist"]
strategist = ["overlord", "inferno", "glacier", "shadow", "storm"]
inferno = ["strategist"]
read_only = ["overlord", "strategist"]`,
    archive: `[archive]
days = 30`,
    hub: `[hub]
url = "tls://nats.example.com:4222"
creds = "~/nats"
ca = "~/nats/ca.pem"
replicas = 3`,
  };
}

/** Quotes a word that the person wrote. */
export function quote(text: string): string {
  return `"${text.trim()}"`;
}

/** How long ago, in the largest unit that fits, rounded down. */
export function formatAge(seconds: number, [s, m, h, d]: readonly [string, string, string, string]): string {
  if (seconds < 60) return `${Math.max(0, Math.floor(seconds))}${s}`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}${m}`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3_600)}${h}` : `${Math.floor(seconds / 86_400)}${d}`;
}

/** A number with its noun, in English: "1 waiting message", "2 waiting messages". */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
