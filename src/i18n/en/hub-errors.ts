/** The sentences for errors of an army over several machines: what is wrong, and what to do next. */
import type { JoinFileProblem, ForeignProblem, UnfitFacts, HUB_ERRORS } from "../../army/hub-errors.ts";
import { quote, type ErrorTexts } from "../sentences.ts";

export const HUB_ERROR_TEXTS: Pick<ErrorTexts, keyof typeof HUB_ERRORS> = {
  "hub-no-server": ({ reason, oldest }) =>
    `There is no nats-server, which a hub needs, and none could be fetched: ${reason}. Install nats-server ${oldest} or newer (with Homebrew: brew install nats-server; or put the program from https://github.com/nats-io/nats-server/releases on the PATH), or install Go (https://go.dev/dl), with which ovld builds one. Then try again.`,
  "hub-server-old": ({ program, version, oldest }) =>
    `${program} is nats-server ${version}, but a hub needs ${oldest} or newer: older ones ignore parts of its configuration. Update it.`,
  "hub-none": () => "There is no hub on this machine. Start one with ovld hub start.",
  "hub-not-started": ({ reason, log }) => `The hub's server did not start: ${reason}. Its log is ${log}.`,
  "hub-not-stopped": ({ pid }) =>
    `Process ${pid} of the hub was killed but has not ended; the system is holding it, perhaps because of a disk that does not answer. Try ovld hub stop again later.`,
  "hub-port-taken": ({ listen }) =>
    `Another program is already listening on ${listen}. End it, or choose another port for the hub, for example with --listen 127.0.0.1:14222.`,
  "hub-stopped": () =>
    "The hub is not running, so nothing was changed. Start it with ovld hub start, and try again.",
  "hub-needs-tls": ({ listen }) =>
    `The hub on ${listen} has no certificate, so another program on its port could pretend to be the hub. Run ovld hub start: it makes one, or takes yours with --tls-cert, --tls-key and --tls-ca.`,
  "hub-address": ({ listen }) =>
    `${quote(listen)} is not an address to listen on. Write it as ADDRESS:PORT, such as 127.0.0.1:4222.`,
  "hub-validity": ({ text }) =>
    `${quote(text)} is not a time for which a join file can be valid. Write it as 30m, 24h or 7d, at most a year.`,
  "hub-certificate": ({ reason }) =>
    `The certificate could not be made or read: ${reason}. Install openssl, or give a certificate with --tls-cert, its key with --tls-key and its authority with --tls-ca.`,
  "hub-no-army": ({ session }) =>
    `The hub has no army called ${session}. Name one of its armies with --army; ovld hub status lists them.`,
  "hub-no-machine": ({ session, machine, known }) =>
    `No machine of the army ${session} is called ${quote(machine)}. ${
      known.length > 0 ? `Its machines: ${known.join(", ")}.` : "No machine was invited yet."
    }`,
  "hub-machine-taken": ({ session, machine }) =>
    `The army ${session} already has a machine called ${machine}. Choose another name with --machine, or remove that machine first: ovld hub revoke ${machine} --army ${session}.`,
  "hub-joined-already": ({ session, machine, path }) =>
    `This machine already takes part in the army ${session}, as ${machine}, and would lose its roles. Use the join file on another machine. If this machine is to be another one from now on, revoke ${machine} at its hub first, or remove ${path} if that hub is gone.`,
  "hub-join-file": ({ path, problem }) => `${path} ${JOIN_FILE_PROBLEMS[problem]}`,
  "hub-unreachable": ({ servers, reason }) =>
    `The hub at ${servers.join(", ")} does not answer: ${reason}. Check that it runs (ovld hub status on its machine) and that this machine can reach it.`,
  "hub-refused": ({ servers, machine }) =>
    `The hub at ${servers.join(", ")} does not accept the keys of the machine ${machine}. It was revoked or invited again since: ask for a new join file.`,
  "hub-person-only": ({ command }) => `Only you may run ${command}, not an agent. Run it in your own shell.`,
  "hub-unknown": ({ reason }) =>
    `It is unknown whether the message was stored: the hub did not confirm it, and it could not be kept on this machine (${reason}). Ask the recipient before you send it again.`,
  "hub-role-taken": ({ role, machine }) =>
    `${role} is already on another machine: ${machine}. A role can be on one machine only; end it there first, or invite this machine anew.`,
  "hub-newer": ({ machine, found, known }) =>
    `The machine ${machine} has a newer ovld than this one (format ${found}, known here: ${known}). Update ovld on this machine.`,
  "hub-foreign": ({ problem, what }) => FOREIGN_PROBLEMS[problem](what),
  "hub-unfit": formatUnfit,
  "hub-full": ({ reason }) =>
    `The hub has no room for more mail: ${reason}. Free space on its disk; ovld hub doctor on its machine says how much is left.`,
};

const JOIN_FILE_PROBLEMS: Record<JoinFileProblem, string> = {
  missing: "does not exist. Name the file that ovld hub invite printed.",
  damaged: "is not a join file, or not a complete one. Use the file as ovld hub invite printed it.",
  expired: "has expired. Ask for a new one: ovld hub invite on the hub's machine prints it.",
  newer: "was made by a newer ovld. Update ovld on this machine.",
  used: "is not accepted by the hub any more: a machine has already joined with it (it works once), or it was revoked or has expired. Ask for a new one: ovld hub invite on the hub's machine prints it.",
  "no-authority":
    "has no certificate of the hub, so another program on its port could pretend to be the hub. On the hub's own machine, run ovld hub start. On another machine, ask for a new join file (ovld hub revoke and ovld hub invite on the hub's machine make one), and run ovld join.",
  plain:
    "names a NATS server on another machine without TLS, so anybody on the way could pretend to be it. Ask for a join file in which its address begins with tls://.",
};

/** What is said about a NATS server that somebody else runs. */

const FOREIGN_PROBLEMS: Record<ForeignProblem, (what: string) => string> = {
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

export function formatUnfit({ servers, problem, who, what }: UnfitFacts): string {
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
