/** The errors of an army on several machines, as in errors.ts. */
import { error, type FactsOf } from "./errors.ts";

declare module "../system/ovld-error.ts" {
  interface ErrorFacts extends FactsOf<typeof HUB_ERRORS> {}
}

export const HUB_ERRORS = {
  /** There is no nats-server, and none could be fetched or built. */
  "hub-no-server": error<{ oldest: string; reason: string }>("precondition"),
  /** The only nats-server that was found is too old. */
  "hub-server-old": error<{ program: string; version: string; oldest: string }>("precondition"),
  /** No hub has been set up on this machine. */
  "hub-none": error("precondition"),
  /** The hub's server did not start. */
  "hub-not-started": error<{ reason: string; log: string }>("failed"),
  /** A process of the hub goes on although it was killed. */
  "hub-not-stopped": error<{ pid: number }>("failed"),
  /** Another program listens on the hub's address. */
  "hub-port-taken": error<{ listen: string }>("conflict"),
  /** The hub is not running, and it has to be for what was asked. */
  "hub-stopped": error("precondition"),
  /** The hub has no certificate, so nothing would prove that it is the hub. */
  "hub-needs-tls": error<{ listen: string }>("precondition"),
  /** The address to listen on cannot be used. */
  "hub-address": error<{ listen: string }>("usage"),
  /** How long a join file is to be valid cannot be understood. */
  "hub-validity": error<{ text: string }>("usage"),
  /** A certificate could not be made. */
  "hub-certificate": error<{ reason: string }>("precondition"),
  /** The hub has no army with this name. */
  "hub-no-army": error<{ session: string }>("noArmy"),
  /** No machine of the army has this name. */
  "hub-no-machine": error<{ session: string; machine: string; known: string[] }>("usage"),
  /** A machine with this name already has roles of the army. */
  "hub-machine-taken": error<{ session: string; machine: string }>("conflict"),
  /** This machine takes part in an army with this name by another file, whose keys would be lost. */
  "hub-joined-already": error<{ session: string; machine: string; path: string }>("conflict"),
  /** The file is not a join file, or not one of this version. */
  "hub-join-file": error<{ path: string; problem: JoinFileProblem }>("precondition"),
  /** The hub does not answer. */
  "hub-unreachable": error<{ servers: string[]; reason: string }>("failed"),
  /** The hub does not accept a key. */
  "hub-refused": error<{ servers: string[]; machine: string }>("failed"),
  /** An agent tried what only the person may do with a hub. */
  "hub-person-only": error<{ command: string }>("precondition"),
  /** The hub did not confirm a message, and it could not be kept on this machine either. */
  "hub-unknown": error<{ reason: string }>("failed"),
  /** The role is on another machine. */
  "hub-role-taken": error<{ role: string; machine: string }>("conflict"),
  /** A machine of the army has a newer ovld, which tells things that this one may not understand. */
  "hub-newer": error<{ machine: string; found: number; known: number }>("precondition"),
  /** Somebody else runs the server, and it cannot be used like this. */
  "hub-foreign": error<{ problem: ForeignProblem; what: string }>("precondition"),
  /** The server that somebody else runs lacks something, or does not keep the roles apart. */
  "hub-unfit": error<UnfitFacts>("precondition"),
  /** The hub has no room for more. */
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
