/**
 * `ovld status --watch` on a terminal: the status, redrawn in place, and keys to answer, to write, and to go to a pane.
 *
 * Answering and writing leave the picture for the terminal's ordinary screen, which a long request can scroll, and
 * return to the picture afterwards.
 */
import { EXIT, signalCode, type CommandContext } from "../../../command/command-context.ts";
import { formatError } from "../../../i18n/sentences.ts";
import type { ArmyMail } from "../../../summon/army.ts";
import { openRequestBox } from "../../../requests/request-box.ts";
import { requirePerson } from "../../../person/find-runner.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import { createPaint, wantsColour } from "../../../terminal/paint.ts";
import type { ArmyView } from "../../../view/describe-army.ts";
import { askForAll, requestsOf } from "../answer/ask-for-all.ts";
import { decideKey, numberedRoles, type Mode, type Step } from "./decide-key.ts";
import { goToRole } from "./go-to-role.ts";
import { notifyOfRequests } from "./notify-of-requests.ts";
import { openScreen, type WatchScreen } from "./open-screen.ts";
import { writeToRole } from "./write-to-role.ts";

export interface SeenArmy {
  army: ArmyMail;
  view: ArmyView;
}

export interface Picture {
  text: string;
  /** The army that is shown, if it is one. */
  seen: SeenArmy | undefined;
  /** The session in which the person is, if any. */
  within: string | undefined;
}

const LOOK_EVERY_MS = 1_000;

/** Runs until the person leaves; throws when the army is gone. */
export async function watchOnScreen(context: CommandContext, see: () => Promise<Picture>): Promise<number> {
  const { stop } = context;
  let picture = await see();
  let lookedAt = performance.now();
  let mode: Mode = "status";
  /** What the last key led to. */
  let note: string[] = [];
  const notify = notifyOfRequests(context);
  if (picture.seen) notify(picture.seen.view);
  const screen = openScreen(context);
  try {
    for (;;) {
      screen.draw(picture.text, printFooter(context, picture, mode, note));
      const key = await screen.nextKey(LOOK_EVERY_MS - (performance.now() - lookedAt));
      if (stop.aborted) return signalCode(stop);
      const { seen } = picture;
      if (key !== undefined) {
        note = [];
        const step = decideKey(mode, key);
        if (step.do === "leave") return EXIT.done;
        mode = step.do === "ask-where" && seen !== undefined ? "going" : "status";
        if (seen !== undefined) {
          note = await orExplain(context, () => take(context, step, { ...picture, seen }, screen));
          if (step.do === "answer" || step.do === "write") lookedAt = -Infinity;
        }
      }
      if (performance.now() - lookedAt >= LOOK_EVERY_MS) {
        picture = await see();
        lookedAt = performance.now();
        if (picture.seen) notify(picture.seen.view);
      }
    }
  } finally {
    screen.close();
    // The last picture stays on the terminal.
    context.print("stdout", picture.text);
  }
}

/** Does what a key asks for, and returns what the person is told about it. */
async function take(
  context: CommandContext,
  step: Step,
  { seen, within }: Picture & { seen: SeenArmy },
  screen: WatchScreen,
): Promise<string[]> {
  if (step.do === "answer") return answerHere(context, seen.army, screen);
  if (step.do === "write") return screen.aside(() => writeToRole(context, seen.army));
  return step.do === "go" ? goToRole(context, seen, step.role, within) : [];
}

async function answerHere(
  context: CommandContext,
  { session, relayDir }: ArmyMail,
  screen: WatchScreen,
): Promise<string[]> {
  requirePerson(context.env, "ovld status --watch");
  const asking = { session, relayDir, box: openRequestBox(relayDir) };
  if (requestsOf(asking, undefined).length === 0) return [context.texts.answer.nothing];
  return (await screen.aside(() => askForAll(context, asking, undefined))).told;
}

/** What goes wrong with one key does not end the watching. */
async function orExplain(context: CommandContext, act: () => Promise<string[]>): Promise<string[]> {
  try {
    return await act();
  } catch (error) {
    if (context.stop.aborted) return [];
    if (!(error instanceof OvldError)) throw error;
    return [formatError(error.report, context.texts)];
  }
}

function printFooter(
  { env, texts, hasScreen, hasTerminal }: CommandContext,
  { seen }: Picture,
  mode: Mode,
  note: string[],
): string {
  const { keys } = texts.status;
  const paint = createPaint(wantsColour(env, hasScreen));
  if (!hasTerminal) return "";
  const open = seen?.view.roles.flatMap(({ requests }) => requests).length ?? 0;
  const forArmy = seen === undefined ? [] : [keys.answer(open), keys.go, keys.write];
  const hints = mode === "going" ? keys.goWhere(numberedRoles()) : [...forArmy, keys.leave].join("   ");
  return ["", ...note.map((line) => paint("strong", line)), paint("faint", hints)].join("\n");
}
