/**
 * `ovld status --watch` on a terminal: the status, redrawn in place, and keys to answer, to write, and to go to a pane.
 *
 * Answering and writing leave the picture for the terminal's ordinary screen, which a long request can scroll, and
 * return to the picture afterwards.
 */
import {
  lookOf,
  signalCode,
  type CommandContext,
  sayLine,
  confirm,
} from "../../../command/command-context.ts";
import { EXIT } from "../../../army/errors.ts";
import { formatError } from "../../../i18n/sentences.ts";
import { type ArmyMail, armyOf } from "../../../summon/army.ts";
import { openRequestBox } from "../../../requests/request-box.ts";
import { mailOfArmy, requirePerson } from "../../../person/find-runner.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import type { ArmyView } from "../../../view/describe-army.ts";
import { askForAnswers, requestsOf } from "../../../person/ask-for-answers.ts";
import { type Role, ROLES } from "../../../army/roles.ts";
import { readSettings } from "../../../config/settings.ts";
import { ask, askForText, discardTyped } from "../../../terminal/ask.ts";
import { listHeld } from "../../../person/held.ts";
import { formatStored, formatWoken, sendAsPerson } from "../../../person/send-as-person.ts";
import { formatWayToTab } from "../../../view/need.ts";
import { focusPaneById } from "../../../zellij/panes.ts";
import { notifierFor } from "../../../system/platform.ts";
import { summarizeRequest } from "../../../requests/describe-request.ts";
import { notifyOnTerminal, beginDrawing, beginPrinting } from "../../../terminal/redraw.ts";
import { pause } from "../../../system/async.ts";
import { listenForKeys } from "../../../terminal/listen-for-keys.ts";
import { terminalColumns, terminalRows } from "../../../terminal/terminal.ts";

interface SeenArmy {
  army: ArmyMail;
  view: ArmyView;
}

export interface StatusPicture {
  text: string;
  /** The army that is shown, if it is one. */
  seen: SeenArmy | undefined;
  /** The session in which the person is, if any. */
  within: string | undefined;
}

const LOOK_EVERY_MS = 1_000;

/** With `watch`, until the person leaves or the reader has gone. */
export async function showOrWatch(
  context: CommandContext,
  { watch, json }: { watch: boolean; json: boolean },
  see: () => Promise<StatusPicture>,
): Promise<number> {
  if (watch) return context.hasScreen && !json ? watchOnScreen(context, see) : watchInPipe(context, see);
  context.print("stdout", (await see()).text);
  return EXIT.done;
}

/** Prints each change until the process is asked to end, the reader has gone, or the army is gone. */
async function watchInPipe(context: CommandContext, see: () => Promise<StatusPicture>): Promise<number> {
  let last = "";
  for (;;) {
    const now = (await see()).text;
    if (now !== last && !context.print("stdout", now)) return EXIT.done;
    last = now;
    await pause(1_000, context.stop);
    if (context.stop.aborted) return signalCode(context.stop);
  }
}

/** Runs until the person leaves; throws when the army is gone. */
async function watchOnScreen(context: CommandContext, see: () => Promise<StatusPicture>): Promise<number> {
  const { stop } = context;
  let picture = await see();
  let lookedAt = performance.now();
  /** The next key names the role to go to. */
  let isGoing = false;
  /** What the last key led to. */
  let note: string[] = [];
  const notify = notifyOfRequests(context);
  if (picture.seen) notify(picture.seen.view);
  const screen = openScreen(context);
  try {
    for (;;) {
      screen.draw(picture.text, formatFooter(context, picture, isGoing, note));
      const key = await screen.nextKey(LOOK_EVERY_MS - (performance.now() - lookedAt));
      if (stop.aborted) return signalCode(stop);
      const { seen, within } = picture;
      if (key !== undefined) {
        const role = isGoing ? roleNumbered(key) : undefined;
        const letter: string = isGoing ? "" : key.toLowerCase();
        if (letter === "q") return EXIT.done;
        isGoing = letter === "g" && seen !== undefined;
        note = await orExplain(context, async () => {
          if (seen === undefined) return [];
          if (role !== undefined) return goToRole(context, seen, role, within);
          if (letter === "a") return answerHere(context, seen.army, screen);
          return letter === "w" ? screen.aside(() => writeToRole(context, seen.army)) : [];
        });
        if (letter === "a" || letter === "w") lookedAt = -Infinity;
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

async function answerHere(
  context: CommandContext,
  army: ArmyMail,
  screen: ReturnType<typeof openScreen>,
): Promise<string[]> {
  requirePerson(context.env, "ovld status --watch");
  const asking = { ...army, box: openRequestBox(army.relayDir) };
  if (requestsOf(asking, undefined).length + listHeld(army).length === 0)
    return [context.texts.answer.nothing];
  return (await screen.aside(() => askForAnswers(context, asking, undefined))).told;
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

function formatFooter(
  context: CommandContext,
  { seen }: StatusPicture,
  isGoing: boolean,
  note: string[],
): string {
  if (!context.hasTerminal) return "";
  const { keys } = context.texts.status;
  const { paint } = lookOf(context);
  const requests = seen?.view.roles.flatMap((role) => role.requests) ?? [];
  const open = requests.length + (seen ? listHeld(seen.army).length : 0);
  const forArmy = seen === undefined ? [] : [keys.answer(open), keys.go, keys.write];
  const hints = isGoing ? keys.goWhere(numberedRoles()) : [...forArmy, keys.leave].join("   ");
  return ["", ...note.map((line) => paint("strong", line)), paint("faint", hints)].join("\n");
}

/** Lets the person write a message, as `ovld send` does. Returns what happened to it; nothing if they wrote none. */
async function writeToRole(context: CommandContext, { session }: ArmyMail): Promise<string[]> {
  requirePerson(context.env, "ovld status --watch");
  const { keys: texts } = context.texts.status;
  const to = await askForRole(context);
  if (to === undefined) return [];
  sayLine(context, texts.text(to));
  const text = await askForText(context.stop);
  if (text.trim() === "") return [];
  const urgent = await confirm(context, texts.urgent);
  const army = mailOfArmy(context, session);
  const stored: string[] = [];
  const sent = await sendAsPerson(context, army, { to: [to], text, urgent }, (message) => {
    stored.push(formatStored(context, message));
    for (const line of stored) sayLine(context, line);
  });
  return [...stored, ...sent.flatMap((each) => formatWoken(context, each))];
}

async function askForRole(context: CommandContext): Promise<Role | undefined> {
  const { keys: texts } = context.texts.status;
  for (;;) {
    const word = (await ask(texts.toWhom(numberedRoles()), context.stop))?.trim().toLowerCase();
    if (word === undefined || word === "") return undefined;
    const role = roleNumbered(word);
    if (role !== undefined) return role;
    sayLine(context, context.texts.answer.notUnderstood);
  }
}

/**
 * Takes the person to a role's pane; returns how to get there if that fails. Zellij moves the client in which the last key was pressed: that is
 * the person's own only if they pressed it in this session.
 */
export async function goToRole(
  context: CommandContext,
  { army, view: { session, roles } }: SeenArmy,
  role: Role,
  within: string | undefined,
): Promise<string[]> {
  const { status: texts } = context.texts;
  const { pane, tab, tabNumber } = roles.find((each) => each.role === role) ?? {};
  if (typeof pane !== "number" || typeof tab !== "string" || typeof tabNumber !== "number")
    return [texts.keys.noPane(role)];
  const way = formatWayToTab({ session, tab, tabNumber, within }, texts);
  if (within !== session) return [texts.keys.elsewhere(role, way)];
  const { zellij } = await armyOf(context, army.session);
  return (await focusPaneById(zellij, army.session, pane)) ? [] : [texts.keys.notMoved(role, way)];
}

/**
 * Notifies the person through their terminal of what agents begin to ask, where nothing else can. Call it with each view,
 * the first one included: what is asked by then is on the screen.
 */
function notifyOfRequests({ env, texts, hasTerminal }: CommandContext): (view: ArmyView) => void {
  const mayNotify = hasTerminal && env["TERM"] !== "dumb" && notifierFor(env) === undefined;
  let known: Set<string> | undefined;
  return ({ session, relayDir, roles }) => {
    const open = roles.flatMap(({ requests }) => requests);
    const fresh = known === undefined ? [] : open.filter(({ id }) => !known?.has(id));
    known = new Set([...(known ?? []), ...open.map(({ id }) => id)]);
    if (fresh.length === 0 || !mayNotify || !readSettings(env).desk.notify) return;
    if (openRequestBox(relayDir).isDeskOpen()) return;
    for (const request of fresh)
      notifyOnTerminal(`${texts.answer.notification(request.role, session)}: ${summarizeRequest(request)}`);
  };
}

const size = () => ({ columns: terminalColumns(), rows: terminalRows() });

/** The terminal of `ovld status --watch`: draws on it, reads its keys, and gives it back as it was. */
function openScreen({ env, texts, stop, hasTerminal, print }: CommandContext) {
  const write = (text: string): void => void print("stdout", text);
  const more = (lines: number): string => texts.status.keys.more(lines);
  const pressed: string[] = [];
  let wake = new AbortController();
  const wakeUp = (): void => wake.abort();
  const open = () => ({
    drawing: env["TERM"] === "dumb" ? beginPrinting({ write }) : beginDrawing({ write, size, more }),
    keys: hasTerminal
      ? listenForKeys((key) => {
          pressed.push(key);
          wakeUp();
        })
      : undefined,
  });
  let on = open();
  process.stdout.on("resize", wakeUp);
  process.on("SIGCONT", wakeUp);
  const leave = (): void => {
    on.keys?.close();
    on.drawing.end();
  };
  return {
    draw: (picture: string, footer: string) => on.drawing.draw(picture, footer),
    /** Undefined if there was none in that time, or if the terminal has another size now. */
    async nextKey(withinMs: number) {
      if (pressed.length === 0) await pause(withinMs, AbortSignal.any([stop, wake.signal]));
      wake = new AbortController();
      return pressed.shift();
    },
    /** Gives the terminal to somebody who asks the person something. */
    async aside<Result>(act: () => Promise<Result>): Promise<Result> {
      leave();
      // Nothing that was typed so far was meant for the questions that come now.
      await discardTyped(stop);
      try {
        return await act();
      } finally {
        pressed.length = 0;
        on = open();
      }
    },
    close() {
      process.stdout.off("resize", wakeUp);
      process.off("SIGCONT", wakeUp);
      leave();
    },
  };
}

/** Roles are numbered from 1, in their usual order. */
function numberedRoles(): string {
  return ROLES.map((role, index) => `${index + 1} ${role}`).join("  ");
}

/** Undefined if no role has this number or name. */
function roleNumbered(word: string): Role | undefined {
  return ROLES.find((role, index) => word === String(index + 1) || word === role);
}
