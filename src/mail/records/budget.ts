/**
 * The book of an army's budget: what each role has used, written by its relay, and what the person has said since the
 * army was summoned. What has been used is kept for good, whatever becomes of the transcripts it was read from.
 *
 * It is not part of `Mail`, because a relay loads it only if there is a budget.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { ROLES, type Role } from "../../army/roles.ts";
import { UNCOUNTED } from "../../army/words.ts";
import { lazily } from "../../system/async.ts";
import { identifyOurselves, isProcessAlive } from "../../system/process.ts";
import { examineRecord, readRecord } from "../../system/record.ts";
import { access, makeFile, openStore, saveRecord } from "../store/store.ts";
import { processIdentity } from "./agent-report.ts";
import { tokenLimits } from "./army-record.ts";

const spending = lazily(() => {
  const tokens = z.number().check(z.nonnegative());
  const byModel = z.record(z.string(), z.object({ input: tokens, cached: tokens, output: tokens }));
  return z.object({
    conversations: z.record(z.string(), byModel),
    /** Since when, and why, not everything can be counted. */
    uncounted: z.optional(z.object({ since: z.iso.datetime(), why: z.enum(UNCOUNTED) })),
  });
});

/** What a role has used, by conversation and model. */
export type Spending = z.infer<ReturnType<typeof spending>>;

const budgetDecision = lazily(() =>
  z.object({
    /** How much more may be used. */
    raised: tokenLimits(),
    /** What cannot be counted and may go on all the same: since when, by role. */
    accepted: z.partialRecord(z.enum(ROLES), z.string()),
    /** The limits at which the person wants nothing to go on. */
    stopped: tokenLimits(),
  }),
);

export type BudgetDecision = z.infer<ReturnType<typeof budgetDecision>>;

/** The process that is telling it; absent once it has. */
const telling = lazily(() => z.object({ by: z.optional(processIdentity()) }));

const LONG_AGO = new Date(0).toISOString();

export function openBudgetBook(root: string) {
  const store = openStore(root, { known: true });
  const { budget } = store.paths;
  const pathOf = (role: Role): string => join(budget, `${role}.json`);
  const decisionFile = join(budget, "person.json");
  const save = (path: string, content: object): void => {
    access(store, () => mkdirSync(budget, { recursive: true, mode: 0o700 }));
    saveRecord(store, path, content);
  };
  return {
    /** A file that is there and cannot be read is not the same as nothing used. */
    spending(role: Role): Spending {
      const file = examineRecord(pathOf(role), spending());
      if ("content" in file) return file.content;
      return {
        conversations: {},
        ...(!("missing" in file) && { uncounted: { since: LONG_AGO, why: "no-record" } }),
      };
    },
    recordSpending: (role: Role, spent: Spending) => save(pathOf(role), spent),
    decision(): BudgetDecision {
      const file = examineRecord(decisionFile, budgetDecision());
      return "content" in file ? file.content : { raised: {}, accepted: {}, stopped: {} };
    },
    recordDecision: (decision: BudgetDecision) => save(decisionFile, decision),
    /** For each piece of news one process does this; if it fails or is killed meanwhile, it or another tries again. */
    tellOnce(news: string, tell: () => void): void {
      const told = join(budget, `told-${news}`);
      const by = identifyOurselves();
      const isFirst = access(store, () => {
        mkdirSync(budget, { recursive: true, mode: 0o700 });
        return makeFile(store, told, { by });
      });
      if (!isFirst) {
        const teller = readRecord(told, telling())?.by;
        if (teller === undefined || isProcessAlive(teller)) return;
        save(told, { by });
      }
      try {
        tell();
        save(told, {});
      } catch (error) {
        rmSync(told, { force: true });
        throw error;
      }
    },
  };
}
