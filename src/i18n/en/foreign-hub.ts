/** What is said about a NATS server that somebody else runs. */
import type { ForeignProblem, UnfitFacts } from "../../army/hub-errors.ts";

export const FOREIGN_PROBLEMS: Record<ForeignProblem, (what: string) => string> = {
  address: (what) =>
    `[hub] url in the configuration is not the address of a NATS server: ${what}. Write it as tls://nats.example.com:4222.`,
  plain: (what) =>
    `${what} is on another machine, and its address under [hub] url does not ask for encryption. Write it as tls://${what}; if its certificate comes from a private authority, name that authority's certificate with ca.`,
  "needs-creds": () =>
    "[hub] url needs creds: the folder with the keys that the administrator of that NATS server has made for you. ovld hub requirements prints what to ask for.",
  "needs-url": () =>
    "[hub] creds and ca belong to a NATS server that somebody else runs, but the configuration has no [hub] url. Add its address, or remove them.",
  ca: (what) =>
    `${what}, named as [hub] ca, does not exist. It has to be the certificate of the server's authority.`,
  missing: (what) =>
    `These files with keys are missing: ${what}. Ask the administrator of the NATS server for a key for each user; ovld hub requirements prints what to ask for.`,
  readable: (what) =>
    `Other users can read or change ${what}, which has secret keys. Run: chmod -R go= ${what}`,
  damaged: (what) =>
    `${what} is not a key of a NATS user, or not a complete one. A .creds file has a JWT and the seed that belongs to it; a .nk file has a seed.`,
  "own-hub": (what) =>
    `This machine's own hub serves the army ${what}, but the configuration has [hub] url. Choose another name with --army, or remove url from the configuration.`,
  elsewhere: (what) =>
    `The army ${what} is on another hub, which this machine has joined. Choose another name with --army.`,
  shared: (what) =>
    `The army ${what} has the same keys, and two armies must not share their mail. Ask the administrator of the NATS server for accounts of its own for each army.`,
  given: (what) =>
    `Another machine has these roles, and its keys still work: ${what}. Ask the administrator of the NATS server to revoke those keys and to make new ones, put them into the folder [hub] creds, and run ovld hub start again: the roles are then at home.`,
  stop: () =>
    "Somebody else runs the NATS server of this hub, so ovld cannot stop it. ovld unsummon --everywhere ends the army; its administrator stops the server.",
  service: () =>
    "Somebody else runs the NATS server of this hub, so there is nothing to start on this machine. Its administrator makes it start with the system.",
  revoke: (what) =>
    `Somebody else runs the NATS server of this hub, so ovld cannot revoke ${what}. Ask its administrator to revoke the keys of that machine's users and to make new ones, put them into the folder [hub] creds, and run ovld hub start again: the roles are then at home.`,
  valid: () =>
    "Somebody else runs the NATS server of this hub, so ovld cannot make a join file expire. Ask its administrator for keys that expire, and leave --valid out.",
  listen: () =>
    "Somebody else runs the NATS server of this hub ([hub] url in the configuration), so --listen and --tls cannot be used.",
};

export function describeUnfit({ servers, problem, who, what }: UnfitFacts): string {
  return `The NATS server at ${servers.join(", ")} ${UNFIT[problem](who, what)}`;
}

const ASK = "Ask its administrator";

const UNFIT: Record<UnfitFacts["problem"], (who: string, what: string) => string> = {
  silent: (_who, what) =>
    `does not answer: ${what}. Check [hub] url and that this machine can reach it, or ask its administrator whether it runs.`,
  "no-tls": () =>
    `does not offer TLS. ${ASK} for an address with TLS, or reach it on 127.0.0.1 through ssh -L.`,
  old: (_who, what) =>
    `is nats-server ${what}, but an army needs 2.12.0 or newer: older ones ignore parts of what it needs. ${ASK} to update it.`,
  small: (_who, what) =>
    `takes messages of ${what} bytes at most, but an army's can have 600000. ${ASK} for a larger max_payload, such as 1MB.`,
  expired: (who, what) => `no longer accepts the key of ${who}: it expired at ${what}. ${ASK} for a new one.`,
  refused: (who) =>
    `does not accept the key of ${who}. ${ASK} whether the user exists and has not been revoked.`,
  "no-streams": (_who, what) =>
    `does not let post make the army's streams: ${what}. ${ASK} for the limits that ovld hub requirements prints.`,
  unreached: (who, what) =>
    `does not let ${who} reach what it needs: ${what}. ${ASK} for the exports and imports that ovld hub requirements prints.`,
  "not-apart": (who, what) =>
    `does not keep the roles apart: ${who} can reach what belongs to others (${what}), and could write in their names. ${ASK} for an account for each user, as ovld hub requirements prints them.`,
};
