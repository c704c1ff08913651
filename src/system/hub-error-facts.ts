/** The errors of an army on several machines, with the facts that explain each. */

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

export interface HubErrorFacts {
  /** There is no nats-server, and none could be fetched or built. */
  "hub-no-server": { oldest: string; reason: string };
  /** The only nats-server that was found is too old. */
  "hub-server-old": { program: string; version: string; oldest: string };
  /** No hub has been set up on this machine. */
  "hub-none": Record<string, never>;
  /** The hub's server did not start. */
  "hub-not-started": { reason: string; log: string };
  /** A process of the hub goes on although it was killed. */
  "hub-not-stopped": { pid: number };
  /** Another program listens on the hub's address. */
  "hub-port-taken": { listen: string };
  /** The hub is not running, and it has to be for what was asked. */
  "hub-stopped": Record<string, never>;
  /** The hub has no certificate, so nothing would prove that it is the hub. */
  "hub-needs-tls": { listen: string };
  /** The address to listen on cannot be used. */
  "hub-address": { listen: string };
  /** How long a join file is to be valid cannot be understood. */
  "hub-validity": { text: string };
  /** A certificate could not be made. */
  "hub-certificate": { reason: string };
  /** The hub has no army with this name. */
  "hub-no-army": { session: string };
  /** No machine of the army has this name. */
  "hub-no-machine": { session: string; machine: string; known: string[] };
  /** A machine with this name already has roles of the army. */
  "hub-machine-taken": { session: string; machine: string };
  /** This machine takes part in an army with this name by another file, whose keys would be lost. */
  "hub-joined-already": { session: string; machine: string; path: string };
  /** The file is not a join file, or not one of this version. */
  "hub-join-file": { path: string; problem: JoinFileProblem };
  /** The hub does not answer. */
  "hub-unreachable": { servers: string[]; reason: string };
  /** The hub does not accept a key. */
  "hub-refused": { servers: string[]; machine: string };
  /** An agent tried what only the person may do with a hub. */
  "hub-person-only": { command: string };
  /** The hub did not confirm a message, and it could not be kept on this machine either. */
  "hub-unknown": { reason: string };
  /** The role is on another machine. */
  "hub-role-taken": { role: string; machine: string };
  /** A machine of the army has a newer ovld, which tells things that this one may not understand. */
  "hub-newer": { machine: string; found: number; known: number };
  /** Somebody else runs the server, and it cannot be used like this. */
  "hub-foreign": { problem: ForeignProblem; what: string };
  /** The server that somebody else runs lacks something, or does not keep the roles apart. */
  "hub-unfit": UnfitFacts;
  /** The hub has no room for more. */
  "hub-full": { reason: string };
}
