/** Tells two who would conflict while they still work: once for each pair of tasks, and without touching their trees. */
import { join } from "node:path";
import * as z from "zod/mini";
import type { Role } from "../army/roles.ts";
import type { MessageDraft } from "../mail/store/message.ts";
import { readRecord, writeRecord } from "../system/record.ts";
import { cleanLine, shorten } from "../system/clean-text.ts";
import { git, splitNulls } from "./git.ts";
import { merge } from "./land.ts";
import { currentTask } from "./tasks.ts";
import { MOST_SUBJECT } from "./tell.ts";
import { placeOf, snapshot, uncommittedFiles } from "./trees.ts";
import type { Work } from "./work.ts";

interface Hand {
  id: string;
  role: Role;
  files: Set<string>;
}

const toldSchema = z.array(z.string());

/** Only files that two have changed are looked at more closely: most of those merge cleanly. */
export async function mailAboutOverlaps(work: Work): Promise<MessageDraft[]> {
  const memory = join(work.folder, "overlaps.json");
  const told = new Set(readRecord(memory, toldSchema));
  // A tree that the person has removed, or of which git knows no commit, hides nothing about the others.
  const looks = await Promise.allSettled(rolesAtWork(work).map((role) => lookAt(work, role)));
  const hands = looks.flatMap((look) => (look.status === "fulfilled" ? [look.value] : []));
  const pairs = hands.flatMap((one, at) => hands.slice(at + 1).map((other) => [one, other] as const));
  const drafts: MessageDraft[] = [];
  for (const [one, other] of pairs) {
    const key = `${one.id}+${other.id}`;
    if (told.has(key) || ![...one.files].some((file) => other.files.has(file))) continue;
    const [ours, theirs] = [await stateOf(work, one.role), await stateOf(work, other.role)];
    const merged = await merge(work, ours, theirs);
    if ("tree" in merged) continue;
    told.add(key);
    drafts.push(tell(one, other, merged.files), tell(other, one, merged.files));
  }
  if (drafts.length > 0) writeRecord(memory, [...told]);
  return drafts;
}

function rolesAtWork(work: Work): Role[] {
  const owners = work.board
    .list()
    .filter(({ state }) => state === "taken" || state === "returned")
    .flatMap(({ owner }) => owner ?? []);
  return [...new Set(owners)];
}

async function lookAt(work: Work, role: Role): Promise<Hand> {
  const place = placeOf(work, role);
  const id = await currentTask(work, role);
  const committed = await git(place, ["diff", "--name-only", "-z", `${work.targetRef}...HEAD`]);
  return { id, role, files: new Set([...splitNulls(committed), ...(await uncommittedFiles(place))]) };
}

/** Everything in the tree, committed or not. */
async function stateOf(work: Work, role: Role): Promise<string> {
  const place = placeOf(work, role);
  return (await snapshot(work, place)) ?? git(place, ["rev-parse", "HEAD"]);
}

function tell(to: Hand, other: Hand, files: string[]): MessageDraft {
  const names = cleanLine(files.slice(0, 5).join(", "));
  return {
    from: "ovld",
    to: to.role,
    priority: "normal",
    subject: shorten(`${to.id} and ${other.id} would conflict in ${names}`, MOST_SUBJECT),
    body: `${other.role} is changing the same lines for ${other.id}. Whoever lands second has to merge: agree with ${other.role} now, or keep away from these lines.`,
  };
}
