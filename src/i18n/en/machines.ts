/** What `ovld hub` say. */
import { countOf, type FindingOf } from "../sentences.ts";
import { formatUnfit } from "./errors.ts";

/** Why the server was started again. */
export type HubRestart = "ended" | "silent" | "disk-was-full";

/** What the administrator of a NATS server is asked for. */
interface ForeignNeeds {
  session: string;
  oldest: string;
  payload: string;
  /** The account with the army's streams. */
  post: string;
  streams: number;
}

const RESTARTS: Record<HubRestart, string> = {
  ended: "it had ended",
  silent: "it no longer stored anything",
  "disk-was-full": "the disk had been full",
};

export const MACHINE_TEXTS = {
  building: (version: string, seconds: number) => `Building nats-server ${version} with Go … ${seconds} s`,
  started: (listen: string, session: string) =>
    `The hub is running on ${listen} and serves the army ${session}.`,
  startedNext: (session: string) =>
    `Next: ovld hub invite --army ${session} ROLE… > FILE, and on the other machine: ovld hub join FILE`,
  stopped: "The hub was stopped. Its mail stays stored, and other machines keep theirs until it runs again.",
  wasNotRunning: "The hub was not running.",
  /** `until`: the machine has to join before. */
  invited: (machine: string, roles: string, until: string) =>
    `${machine} may join with these roles until ${until}: ${roles}. They can no longer be used here.`,
  inviteSecret:
    "The join file is a secret: with it, anybody can join as that machine, once. Its text was printed on stdout.",
  /** The keys in it were made by somebody else, and stay. */
  foreignSecret:
    "The join file is a secret: with it, anybody can act as these roles. Delete it when that machine has joined. Its text was printed on stdout.",
  revoked: (machine: string) => `${machine} can no longer use the hub.`,
  cameHome: (roles: string) => `These roles run on this machine again: ${roles}.`,
  joined: (session: string, machine: string, roles: string) =>
    `This machine takes part in the army ${session} as ${machine}, with: ${roles}.`,
  joinedNext: (session: string) => `Next: ovld summon --army ${session}`,
  /** An army of that name is running without the hub. */
  joinedLater: (session: string) =>
    `An army called ${session} is running here without the hub, and stays on its own. Next: ovld unsummon --army ${session}, then ovld summon --army ${session}`,
  /** Which roles this machine opens, and where the others are. */
  here: (machine: string, roles: string) => `This machine (${machine}) has: ${roles}.`,
  elsewhere: (role: string, machine: string) => `${role} is on ${machine}.`,
  notHeard: (role: string) => `${role} has never connected.`,
  mailWaits: "Mail to roles on other machines waits on this machine until the hub answers.",
  endedEverywhere: "The other machines were told to end their parts of the army.",
  /** The mail that waits for the hub is deleted together with the army. */
  outboxDeleted: (count: number) =>
    `This deletes ${countOf(count, "message")} for other machines that could not be delivered yet.`,
  outboxKept: (count: number) =>
    `${countOf(count, "message")} for other machines could not be delivered yet and will be when this army is brought back.`,
  serviceHint: {
    systemd:
      "Save it as ~/.config/systemd/user/ovld-hub.service, then: systemctl --user enable --now ovld-hub; loginctl enable-linger keeps it running when you log out.",
    launchd:
      "Save it as ~/Library/LaunchAgents/ovld.hub.plist, then: launchctl load ~/Library/LaunchAgents/ovld.hub.plist",
  },
  notRunning: "The hub is not running. Start it with ovld hub start.",
  running: (listen: string) => `The hub is running on ${listen}.`,
  silent: (listen: string) => `The hub's server on ${listen} is running but does not answer.`,
  notSupervised: "Nothing supervises the server, so it would not be started again. Run ovld hub start.",
  noRoom: "The disk is full: nothing can be stored until there is space.",
  columns: { army: "army", machine: "machine", roles: "roles", unread: "waiting" },
  hubMark: "(hub)",
  noArmies: "It serves no army yet.",
  /** Somebody else runs the server. */
  foreignStarted: (servers: string, version: string, session: string) =>
    `The army ${session} uses the NATS server at ${servers} (nats-server ${version}), which somebody else runs. Its streams are there, each role reaches what it needs, and none can write in another's name.`,
  foreignState: (servers: string, problem: string | null) =>
    problem === null
      ? `The NATS server at ${servers}, which somebody else runs, answers.`
      : `The NATS server at ${servers}, which somebody else runs, does not answer: ${problem}`,
  foreignInvited: (machine: string, roles: string) =>
    `${machine} may join with these roles: ${roles}. They can no longer be used here. The file works until the administrator of the NATS server revokes its keys.`,
  requirements: ({ session, oldest, payload, post, streams }: ForeignNeeds) => [
    `What the army ${session} needs on a NATS server that somebody else runs.`,
    "",
    `1. nats-server ${oldest} or newer with JetStream in files, sync_interval: always (a message then counts as stored when it would survive a power cut), max_payload: ${payload} or more, and TLS.`,
    `2. The accounts below: ${post} with the streams, and one for each role and for the person. Each export is for the accounts named with it and for no others: with an operator (JWTs) make it private, and give each of these accounts an activation token. One account for all, with permissions, is not enough.`,
    `3. JetStream for ${post} only: ${streams} streams, no memory.`,
    "4. A user in each account. With an operator: a file USER.creds with its JWT and seed (post.creds, overlord.creds …). With the accounts in the server's configuration, as below: a file USER.nk with its seed, and its public key in place of PUBLIC_KEY_OF_USER.",
    `5. These files in a folder named ${session}, which only its owner can read. The folder around it is [hub] creds in ovld's configuration, next to [hub] url. A machine that joins gets human-MACHINE.creds if there is one, otherwise human.creds.`,
  ],
  findings: {
    server: ({ version, program }: { version: string; program: string }) =>
      `nats-server ${version}: ${program}`,
    "no-server": ({ oldest }: { oldest: string }) => `There is no nats-server ${oldest} or newer.`,
    answers: ({ listen }: { listen: string }) => `The hub answers on ${listen}.`,
    silent: ({ listen, reason }: { listen: string; reason: string }) =>
      `The hub's server is running but does not answer on ${listen}: ${reason}`,
    "not-running": () => "The hub is not running.",
    "not-kept": () => "Nothing supervises the server, so it would not be started again.",
    stores: ({ restarts }: { restarts: number }) =>
      `The hub stores messages; its server was started again ${countOf(restarts, "time")}.`,
    "does-not-store": () => "The hub does not store messages right now.",
    restarted: ({ at, why }: { at: string; why: HubRestart }) =>
      `The server was last started again at ${at}, because ${RESTARTS[why]}.`,
    disk: ({ megabytes, folder }: { megabytes: number; folder: string }) =>
      `${megabytes} MB are free for ${folder}.`,
    readable: ({ path }: { path: string }) => `Other users can read ${path}, which contains secret keys.`,
    "foreign-fit": ({ servers, version }: { servers: string; version: string }) =>
      `The NATS server at ${servers} (nats-server ${version}) does what an army needs, and keeps the roles apart.`,
    "foreign-unfit": formatUnfit,
    "foreign-sync": () =>
      'ovld cannot tell whether that server writes a message to disk before it confirms it. Ask its administrator whether sync_interval is "always": otherwise a power cut there can lose mail that ovld has called stored.',
    "foreign-plain": () =>
      "The connection to that server has no TLS: while it or the tunnel to it is down, another user of this machine could take its port and pretend to be it. Use an address with tls:// if the server has one.",
    "foreign-expires": ({ who, at }: { who: string; at: string }) =>
      `The key of ${who} expires at ${at}. Ask the administrator of the NATS server for a new one.`,
  },
};

/** What `ovld hub doctor` can find. */
export type HubFinding = FindingOf<typeof MACHINE_TEXTS.findings>;
