/**
 * The army's own file: where it works, what its panes run, and when and how it ended. It is always replaced as a
 * whole. A file that cannot be understood is reported; no part of it is used.
 */
import * as z from "zod/mini";
import { AGENT_NAMES, ARMY_ENDS } from "../../army/words.ts";
import { lazily } from "../../system/async.ts";
import type { ArmyFileProblem } from "../../army/errors.ts";
import { examineRecord } from "../../system/record.ts";
import type { StorePaths } from "../store/paths.ts";
import { saveRecord, type Store } from "../store/store.ts";

const ARMY_FORMAT = 1;

const armyRecord = lazily(() =>
  z.object({
    /** The name it was summoned with. */
    session: z.optional(z.string()),
    /** The folder in which its agents were started. */
    folder: z.string(),
    agent: z.enum(AGENT_NAMES),
    /** The roles it has on this machine. */
    roles: z.optional(z.array(z.string())),
    /** This machine's name, if the army is on several. */
    machine: z.optional(z.string()),
    /** When it was last summoned. */
    summoned: z.iso.datetime(),
    /** Absent while the army is running, and after a crash. */
    ended: z.optional(z.object({ at: z.iso.datetime(), how: z.enum(ARMY_ENDS) })),
    /** The archived army that this one was brought back from, until its session is running and the archive is removed. */
    archive: z.optional(z.string()),
  }),
);

const armyFile = lazily(() =>
  z.union([z.object({ format: z.number().check(z.gt(ARMY_FORMAT)) }), armyRecord()]),
);

export type ArmyRecord = z.infer<ReturnType<typeof armyRecord>>;

export type ArmyFile = { record: ArmyRecord } | { problem: ArmyFileProblem };

export function writeArmyRecord(store: Store, record: ArmyRecord): void {
  saveRecord(store, store.paths.army, { format: ARMY_FORMAT, ...record });
}

/** Undefined if there is no such file, or if no part of it may be used. */
export function readArmyRecord({ paths }: Store): ArmyRecord | undefined {
  const file = readArmyFile(paths);
  return file !== undefined && "record" in file ? file.record : undefined;
}

/** Changes nothing in the store; undefined if the army was summoned by an older ovld that kept no such file. */
export function readArmyFile({ army }: StorePaths): ArmyFile | undefined {
  const file = examineRecord(army, armyFile());
  if ("missing" in file) return undefined;
  if (!("content" in file)) return { problem: "damaged" };
  return "format" in file.content ? { problem: "newer" } : { record: file.content };
}
