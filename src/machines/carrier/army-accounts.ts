/**
 * The accounts that an army needs on a NATS server, and what they share. Pure. A hub's configuration is printed from
 * this list, and so is what the administrator of another server is asked for.
 *
 * Each role has an account of its own, which can reach only subjects that end in its name. Permissions within one
 * account would not be enough: the server sends its answer to whatever reply subject a client names, and so would
 * itself write mail in another's name. In an account of its own that subject leads nowhere.
 */
import { ROLES, type Role } from "../../army/roles.ts";
import {
  arrivedSubject,
  boardSubject,
  BOARD_NEWS,
  CALLS,
  HUB_USERS,
  inboxSubject,
  journalSubject,
  JOURNAL_NEWS,
  OWN_NAMES,
  type HubUser,
} from "./subjects.ts";

/** `post` has the streams, and the one key that may make them. */
export type ArmyUser = HubUser | "post";

export const ARMY_USERS: readonly ArmyUser[] = ["post", ...HUB_USERS];

export interface ArmyAccount {
  user: ArmyUser;
  /** The server keeps an account's streams under its name, so an army's accounts are always named after it. */
  name: string;
  /** Only the account with the streams has JetStream. */
  jetstream?: { streams: number; consumers: number };
  exports: Export[];
  imports: Import[];
}

/** A service is asked and answers, once or several times; a stream is heard. */
interface Export {
  kind: "service" | "stream";
  subject: string;
  many: boolean;
  /** The accounts that may import it, and no others. */
  accounts: string[];
}

interface Import {
  kind: "service" | "stream";
  subject: string;
  account: string;
  /** Under this name the account itself knows it. */
  as: string;
}

type Share =
  | { service: string; many?: true; as?: (user: HubUser) => string; to: readonly HubUser[] }
  | { stream: string; to: readonly HubUser[] };

const MOST_CONSUMERS = 60;

export function armyAccounts(session: string): ArmyAccount[] {
  const name = (user: ArmyUser): string => `${session}_${user}`;
  const shares = listShares();
  return [
    {
      user: "post",
      name: name("post"),
      jetstream: { streams: ROLES.length + 2, consumers: MOST_CONSUMERS },
      exports: shares.map((share) => ({
        kind: "stream" in share ? "stream" : "service",
        subject: subjectOf(share),
        many: "many" in share,
        accounts: share.to.map(name),
      })),
      imports: [],
    },
    ...HUB_USERS.map((user): ArmyAccount => {
      const own = shares.filter(({ to }) => to.includes(user));
      return { user, name: name(user), exports: [], imports: own.map((share) => importOf(share, user)) };
    }),
  ];

  function importOf(share: Share, user: HubUser): Import {
    const kind = "stream" in share ? "stream" : "service";
    const subject = subjectOf(share);
    const as = "as" in share && share.as !== undefined ? share.as(user) : subject;
    return { kind, subject, account: name("post"), as };
  }
}

function subjectOf(share: Share): string {
  return "stream" in share ? share.stream : share.service;
}

function listShares(): Share[] {
  return [
    ...ROLES.flatMap((role) => sharesOf(role)),
    { service: CALLS.boardAll, to: HUB_USERS },
    { stream: BOARD_NEWS, to: HUB_USERS },
    { service: inboxSubject("*", "human"), to: ["human"] },
    { service: boardSubject("*", "human"), to: ["human"] },
    { service: journalSubject("human"), to: ["human"] },
    { service: CALLS.journal, many: true, as: () => OWN_NAMES.journal, to: ["human"] },
    { stream: JOURNAL_NEWS, to: ["human"] },
  ];
}

function sharesOf(role: Role): Share[] {
  return [
    { service: inboxSubject("*", role), to: [role] },
    // ovld itself writes only to the role whose relay it is, or for the person.
    { service: inboxSubject(role, "ovld"), to: [role, "human"] },
    { service: CALLS.next(role), many: true, to: [role] },
    { service: CALLS.acks(role), to: [role] },
    // The person looks at every inbox.
    {
      service: CALLS.consumerInfo(role),
      as: (user) => (user === role ? OWN_NAMES.reader : OWN_NAMES.readerOf(role)),
      to: [role, "human"],
    },
    {
      service: CALLS.streamInfo(role),
      as: (user) => (user === role ? OWN_NAMES.inbox : OWN_NAMES.inboxOf(role)),
      to: [role, "human"],
    },
    { service: boardSubject("*", role), to: [role] },
    { service: journalSubject(role), to: [role] },
    { stream: arrivedSubject(role, "*"), to: [role] },
  ];
}
