/** What the person has decided about mail that is held until they do. */
import * as z from "zod/mini";
import type { Role } from "../../army/roles.ts";
import { lazily } from "../../system/async.ts";
import { readRecord } from "../../system/record.ts";
import { cacheUnchanged } from "../store/cache-unchanged.ts";
import { saveRecord, type Store } from "../store/store.ts";

const brakeDecision = lazily(() =>
  z.object({
    says: z.enum(["go", "stop"]),
    /** The mail that it is about. */
    ids: z.array(z.string()),
  }),
);

export type BrakeDecision = z.infer<ReturnType<typeof brakeDecision>>;

/** A relay looks at it often while mail is held. */
export function readBrakeDecision({ paths }: Store, role: Role): BrakeDecision | undefined {
  return decisionIn(paths.brake(role));
}

const decisionIn = cacheUnchanged((path) => readRecord(path, brakeDecision()));

export function isStopped(decision: BrakeDecision | undefined, id: string): boolean {
  return decision?.says === "stop" && decision.ids.includes(id);
}

export function writeBrakeDecision(store: Store, role: Role, decision: BrakeDecision): void {
  saveRecord(store, store.paths.brake(role), decision);
}
