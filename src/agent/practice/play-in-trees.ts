/**
 * The play of an army with trees: the strategist adds a task for each general, they commit and hand in, two of them
 * change the same line, and one hands in work that the check refuses. Pure.
 */
import type { Texts } from "../../i18n/texts.ts";
import { shellWord } from "../../system/text.ts";
import type { General, PlayStep } from "./play.ts";

/** The file that two generals change in one place, and the word that the check refuses. */
const SHARED_FILE = "castle.txt";
export const REFUSED = "UNFINISHED";
const WHO_SHARES: readonly General[] = ["inferno", "glacier"];
const WHO_HURRIES: General = "shadow";

/** Otherwise one might begin with what another has landed, and there would be no conflict to see. */
const ALL_TAKEN =
  'n=0; while [ $n -lt 60 ] && ovld task list --json | grep -q \'"state": *"open"\'; do n=$((n+1)); sleep 0.5; done';

export function addTask(to: General, { subject, body }: { subject: string; body: string }): PlayStep {
  // For whom it is stands beside it in the plan.
  const title = subject.replace(/^[^:]*: /, "");
  return run(`ovld task add ${shellWord(title)} ${shellWord(body)} --to ${to}`);
}

/** What a general does about mail that names its task; none if the mail names none. */
export function doTask(
  general: General,
  body: string,
  { work, result }: Texts["play"]["crafts"][General],
): PlayStep[] {
  const [, taking] = /^Take it with: (ovld task take T\d+)$/m.exec(body) ?? [];
  const [, mending] = /^Next: (.*), mend it/m.exec(body) ?? [];
  if (taking !== undefined)
    return [
      run(taking),
      ...work.map((text): PlayStep => ({ do: "work", text })),
      run(write(general, general === WHO_HURRIES ? REFUSED : result, general)),
      run(ALL_TAKEN),
      run("ovld task done"),
    ];
  if (mending === undefined) return [];
  // Git leaves the merge open where two have changed the same line.
  return [
    run(mending.replace(/ && (git merge .*)$/, " && { $1 || true; }")),
    run(write(general, result, WHO_SHARES.join(" & "))),
    run("ovld task done"),
  ];
}

/** With the time, so that the same work for another order is a change as well. */
function write(general: General, result: string, shared: string): string {
  const files = [
    `echo "$(date +%T)" ${shellWord(result)} > ${general}.txt`,
    ...(WHO_SHARES.includes(general) ? [`echo ${shellWord(shared)} > ${SHARED_FILE}`] : []),
  ];
  return `${files.join(" && ")} && git add -A && git commit -q -m ${shellWord(result)}`;
}

function run(command: string): PlayStep {
  return { do: "run", command };
}
