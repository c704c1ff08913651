/** What agents are told by mail about tasks, in English, because models read it. */
import type { Role, Sender } from "../army/roles.ts";
import type { Mail } from "../mail/mail.ts";
import type { MessageDraft } from "../mail/store/message.ts";
import { cleanLine, shorten } from "../system/clean-text.ts";
import type { Outcome, TaskPlace } from "./board.ts";
import type { LandingNews } from "./land.ts";
import type { Work } from "./work.ts";

/** After this many returns of one task its planner hears of it. */
const TIMES_UNTIL_PLANNER = 2;
const PLANNER: Role = "strategist";

/** File names and tasks may be without number, but mail has a limit. */
export const MOST_SUBJECT = 150;
const MOST_BODY = 15_000;

export function mailAbout(work: Work, news: LandingNews): MessageDraft[] {
  // Those who can help read about it in their own languages.
  if ("red" in news) return [];
  const drafts = "landed" in news ? aboutLanded(work, news) : aboutReturned(work, news);
  return drafts.map((draft) => ({
    ...draft,
    subject: shorten(cleanLine(draft.subject), MOST_SUBJECT),
    body: shorten(draft.body, MOST_BODY),
  }));
}

function aboutReturned(
  work: Work,
  { returned, outcome, times }: Extract<LandingNews, { returned: TaskPlace }>,
): MessageDraft[] {
  const { id, owner } = returned;
  if (owner === undefined) return [];
  const subject = `${id} came back: ${reasonOf(outcome)}`;
  const draft = { from: "ovld", subject, priority: "normal" } as const;
  const body = `${nextStep(work, id, outcome)}\n\n${detailsOf(work, outcome)}`;
  const mine = { ...draft, to: owner, body };
  if (times < TIMES_UNTIL_PLANNER || owner === PLANNER) return [mine];
  const again = `${id} has come back to ${owner} ${times} times. ovld task show ${id} says why.`;
  return [mine, { ...draft, to: PLANNER, body: again }];
}

function reasonOf(outcome: Outcome): string {
  switch (outcome.is) {
    case "conflict":
      return outcome.files.length === 0
        ? "git cannot merge it"
        : `conflict in ${outcome.files.slice(0, 3).join(", ")}`;
    case "red":
      return "its check is red on what has landed";
    case "words":
      return `returned by ${outcome.by}`;
    case "landed":
      return "landed";
  }
}

function detailsOf(work: Work, outcome: Outcome): string {
  switch (outcome.is) {
    case "conflict":
      return `It conflicts with what has landed on ${work.target}:\n${outcome.files.join("\n")}\n${outcome.said}`;
    case "red":
      return `$ ${outcome.command}\n${outcome.said}\n\nAll of it: ${outcome.log}`;
    case "words":
      return outcome.said;
    case "landed":
      return "";
  }
}

function nextStep(work: Work, id: string, outcome: Outcome): string {
  const first = `ovld task take ${id}`;
  const merge = outcome.is === "words" ? "" : ` && git merge ${work.target}`;
  return `Next: ${first}${merge}, mend it, commit, ovld task done.`;
}

function aboutLanded(
  work: Work,
  { landed, checked }: Extract<LandingNews, { landed: TaskPlace[] }>,
): MessageDraft[] {
  const places = work.board.list();
  const ids = landed.map(({ id }) => id);
  const left = places.filter(
    ({ id, state }) => !ids.includes(id) && state !== "landed" && state !== "dropped",
  );
  const how = checked ? "" : " without a check";
  const rest = left.map(
    ({ id, state, owner }) => `${id} ${state}${owner === undefined ? "" : ` (${owner})`}`,
  );
  const draft = { from: "ovld", priority: "normal" } as const;
  const planner = {
    ...draft,
    to: PLANNER,
    subject: `${ids.join(", ")} landed${how}${left.length === 0 ? ": nothing is left" : ""}`,
    body: left.length === 0 ? `Everything has landed on ${work.target}.` : `Still there: ${rest.join(", ")}.`,
  };
  const isDone = (id: string): boolean =>
    ids.includes(id) || places.some((each) => each.id === id && each.state === "landed");
  const free = left
    .filter(({ state }) => state === "open")
    .flatMap(({ id }) => {
      const task = work.board.look(id);
      const isFreed = task.after.some((each) => ids.includes(each)) && task.after.every(isDone);
      return isFreed && task.to !== undefined ? [{ ...draft, to: task.to, ...orderFor(id, task.title) }] : [];
    });
  return [planner, ...free];
}

/** For whoever works on a task that is dropped; a copy of the board does not know by whom. */
export function aboutDropped(work: Work, { id, owner }: TaskPlace, by?: Sender): MessageDraft[] {
  if (owner === undefined || owner === by) return [];
  const subject = `${id} was dropped${by === undefined ? "" : ` by ${by}`}`;
  const body = `Stop working on it. What was committed stays on ${work.branchOf(id)}; what was not is kept in a ref.`;
  return [{ from: "ovld", to: owner, subject, body, priority: "normal" }];
}

/**
 * On several machines each tells its own agents; the others learn it with their copy of the board. With `complainOf`,
 * somebody's full inbox keeps nobody else from hearing.
 */
export function deliverHere(
  mail: Pick<Mail, "army" | "deliver">,
  drafts: MessageDraft[],
  complainOf?: (error: unknown) => void,
): void {
  const here = mail.army()?.roles;
  for (const draft of drafts) {
    if (here && draft.to !== "human" && !here.includes(draft.to)) continue;
    try {
      mail.deliver(draft);
    } catch (error) {
      if (complainOf === undefined) throw error;
      complainOf(error);
    }
  }
}

/** What tells a role that a task is for it; its goal comes with the task. */
export function orderFor(id: string, title: string): Pick<MessageDraft, "subject" | "body"> {
  return { subject: `${id}: ${title}`, body: `Take it with: ovld task take ${id}` };
}
