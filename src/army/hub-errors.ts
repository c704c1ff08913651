/** The errors of an army on several machines, as in errors.ts. */
import { error, type FactsOf } from "./errors.ts";

declare module "../system/ovld-error.ts" {
  interface ErrorFacts extends FactsOf<typeof HUB_ERRORS> {}
}

export const HUB_ERRORS = {
  "hub-no-server": error<{ oldest: string; reason: string }>("precondition"),
  "hub-server-old": error<{ program: string; version: string; oldest: string }>("precondition"),
  "hub-none": error("precondition"),
  "hub-not-started": error<{ reason: string; log: string }>("failed"),
  "hub-not-stopped": error<{ pid: number }>("failed"),
  "hub-port-taken": error<{ listen: string }>("conflict"),
  "hub-stopped": error("precondition"),
  "hub-needs-tls": error<{ listen: string }>("precondition"),
  "hub-address": error<{ listen: string }>("usage"),
  "hub-validity": error<{ text: string }>("usage"),
  "hub-certificate": error<{ reason: string }>("precondition"),
  "hub-no-army": error<{ session: string }>("noArmy"),
  "hub-no-machine": error<{ session: string; machine: string; known: string[] }>("usage"),
  "hub-machine-taken": error<{ session: string; machine: string }>("conflict"),
  "hub-joined-already": error<{ session: string; machine: string; path: string }>("conflict"),
  "hub-join-file": error<{ path: string; problem: JoinFileProblem }>("precondition"),
  "hub-unreachable": error<{ servers: string[]; reason: string }>("failed"),
  "hub-refused": error<{ servers: string[]; machine: string }>("failed"),
  "hub-person-only": error<{ command: string }>("precondition"),
  "hub-unknown": error<{ reason: string }>("failed"),
  "hub-role-taken": error<{ role: string; machine: string }>("conflict"),
  "hub-newer": error<{ machine: string; found: number; known: number }>("precondition"),
  "hub-foreign": error<{ problem: ForeignProblem; what: string }>("precondition"),
  "hub-unfit": error<UnfitFacts>("precondition"),
  "hub-full": error<{ reason: string }>("failed"),
};

/**
 * Why a join file cannot be used. `no-authority`: made for a hub without a certificate. `plain`: names a far server
 * without TLS. `used`: its keys are not accepted any more.
 */
export type JoinFileProblem = "missing" | "damaged" | "newer" | "expired" | "no-authority" | "plain" | "used";

/** Why a NATS server that somebody else runs cannot be used as configured, or what cannot be done with it from here. */
export type ForeignProblem =
  | "address"
  | "plain"
  | "needs-creds"
  | "needs-url"
  | "ca"
  | "missing"
  | "readable"
  | "damaged"
  | "own-hub"
  | "elsewhere"
  | "shared"
  | "given"
  | "stop"
  | "service"
  | "revoke"
  | "valid"
  | "listen";

/** What such a server lacks: `who` is a user of the army, `what` the subjects, the version and so on. */
export interface UnfitFacts {
  servers: string[];
  problem:
    "silent" | "no-tls" | "old" | "small" | "expired" | "refused" | "no-streams" | "unreached" | "not-apart";
  who: string;
  what: string;
}
