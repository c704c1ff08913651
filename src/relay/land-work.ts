/** The relay's part in landing: whichever relay is free lands what is ready, and tells those whom it concerns. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import type { Recipient, Role } from "../army/roles.ts";
import type { RelayPlace } from "../bell/create-bell.ts";
import { formatError } from "../i18n/sentences.ts";
import type { Texts } from "../i18n/texts.ts";
import type { TaskBoard, TaskCopy } from "../mail/other-machines.ts";
import type { MessageDraft } from "../mail/store/message.ts";
import { WORK_FOLDER } from "../mail/store/paths.ts";
import { watchFolder } from "../mail/store/watch-folder.ts";
import { lazily } from "../system/async.ts";
import { shorten } from "../system/clean-text.ts";
import { isLocked } from "../system/lock-file.ts";
import { readRecord, writeRecord } from "../system/record.ts";
import type { Environment } from "../system/run-program.ts";
import { answerCopy, exchange } from "../work/copies.ts";
import { bringHome } from "../work/home.ts";
import { landReady } from "../work/land.ts";
import { mailAboutOverlaps } from "../work/overlap.ts";
import { deliverHere, mailAbout } from "../work/tell.ts";
import { openWork, type Work } from "../work/work.ts";
import type { AgentPart } from "./agent-session.ts";

const fromUs = { from: "ovld", priority: "normal" } as const;
const MOST_TROUBLE = 2_000;
/** Another relay may have died while it was landing. */
const RESCAN_MS = 5_000;
/** Looking at what everybody has changed takes a tenth of a second. */
const OVERLAPS_EVERY_MS = 60_000;

/** What each role has in hand, for `get_status`; none for an army without trees. */
export function tasksIn(relayDir: string, env: Environment): (role: Role) => string[] {
  const work = lazily(() => openWork(join(relayDir, WORK_FOLDER), env));
  return (role) =>
    (work()?.board.list() ?? [])
      .filter(({ owner, state }) => owner === role && state !== "landed" && state !== "dropped")
      .map(({ id, state }) => `${id} ${state}`);
}

/** A role's part in tasks on several machines; undefined if it has none. `texts` are for the agent. */
export function shareTasks(
  { role, relayDir, mail, env }: Pick<RelayPlace, "role" | "relayDir" | "mail" | "env">,
  texts: () => Texts,
  complainOf: (error: unknown) => void,
): TaskBoard | TaskCopy | undefined {
  const work = openWork(join(relayDir, WORK_FOLDER), env);
  if (work === undefined) return undefined;
  if (!work.isCopy) return role === "strategist" ? keepBoard(work) : undefined;
  const tell = (drafts: MessageDraft[]): void => deliverHere(mail, drafts, complainOf);
  return {
    async follow(ask) {
      try {
        const { refusals } = await exchange({ work, role, ask, tell });
        const draft = { ...fromUs, to: role, subject: "What you handed in was refused" };
        tell(refusals.map((each) => ({ ...draft, body: formatError(each, texts()) })));
      } catch (error) {
        complainOf(error);
      }
    },
  };
}

function keepBoard(work: Work): TaskBoard {
  return {
    answer: (role, question) => answerCopy(work, role, question),
    watch(onChange) {
      let known = "";
      const look = (): void => {
        const now = JSON.stringify(work.board.list());
        if (now !== known) onChange();
        known = now;
      };
      return watchFolder(join(work.folder, "board"), look, { rescanMs: RESCAN_MS });
    },
  };
}

/** Undefined for an army without trees. */
export function landWork(
  { role, relayDir, mail, env }: Pick<RelayPlace, "role" | "relayDir" | "mail" | "env">,
  complainOf: (error: unknown) => void,
  textsFor: (reader: Recipient) => Texts,
): AgentPart | undefined {
  const work = openWork(join(relayDir, WORK_FOLDER), env);
  if (work === undefined || work.isCopy) return undefined;
  const ending = new AbortController();
  const { signal: stop } = ending;
  const trouble = join(work.folder, "trouble.json");
  const send = (...drafts: MessageDraft[]): void => deliverHere(mail, drafts, complainOf);
  /** Landing is tried again every few seconds, but the overlord is told once. */
  const report = (error: unknown): void => {
    complainOf(error);
    const body = shorten(error instanceof Error ? error.message : String(error), MOST_TROUBLE);
    if (readRecord(trouble, z.string()) === body) return;
    send({ ...fromUs, to: "overlord", subject: "Nothing can land until this is mended", body });
    writeRecord(trouble, body);
  };
  let isLanding = false;
  let lookedAt = performance.now();
  // One relay is enough, and the strategist's is always there.
  const lookForOverlaps = async (): Promise<void> => {
    if (role !== "strategist" || performance.now() - lookedAt < OVERLAPS_EVERY_MS) return;
    lookedAt = performance.now();
    try {
      send(...(await mailAboutOverlaps(work)));
    } catch (error) {
      complainOf(error);
    }
  };
  const look = async (): Promise<void> => {
    void lookForOverlaps();
    const waits = work.board.list().some(({ state }) => state === "ready" || state === "landing");
    if (!waits || isLanding || isLocked(work.lock)) return;
    isLanding = true;
    try {
      await landReady(work, {
        stop,
        tell(news) {
          send(...mailAbout(work, news));
          if (!("red" in news)) return;
          for (const to of ["overlord", "human"] as const)
            send({ ...fromUs, to, ...textsFor(to).work.redTarget(work.target, news.red) });
        },
      });
      rmSync(trouble, { force: true });
      if (work.intoMine) await bringHome(work, { stop, only: work.branch });
    } catch (error) {
      if (!stop.aborted) report(error);
    } finally {
      isLanding = false;
    }
  };
  const watch = watchFolder(join(work.folder, "board"), () => void look(), { rescanMs: RESCAN_MS });
  void look();
  return {
    close() {
      ending.abort();
      watch.close();
    },
  };
}
