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
  BOARD_NEWS,
  CALLS,
  HUB_USERS,
  inboxSubject,
  JOURNAL_NEWS,
  journalSubject,
  OWN_NAMES,
  type HubUser,
} from "./subjects.ts";

/** `post` has the streams, and the one key that may make them. */
export type ArmyUser = HubUser | "post";

export const ARMY_USERS: readonly ArmyUser[] = ["post", ...HUB_USERS];

/** Something of the streams' account that others may use: a service is asked and answers, a stream is heard. */
interface Share {
  kind: "service" | "stream";
  subject: string;
  /** It answers with several messages. */
  many?: true;
  to: readonly HubUser[];
  /** Under this name a user knows it; otherwise by its subject. */
  as?: (user: HubUser) => string;
}

export interface ArmyAccount {
  user: ArmyUser;
  /** The server keeps an account's streams under its name, so an army's accounts are always named after it. */
  name: string;
  /** Only the account with the streams has JetStream. */
  jetstream?: { streams: number };
  /** Each with the accounts that may import it, and no others. */
  exports: (Pick<Share, "kind" | "subject"> & { many: boolean; accounts: string[] })[];
  /** Each with the account that it comes from, and the name under which this account knows it. */
  imports: (Pick<Share, "kind" | "subject"> & { account: string; as: string })[];
}

export function armyAccounts(session: string): ArmyAccount[] {
  const name = (user: ArmyUser): string => `${session}_${user}`;
  const shares = [...ROLES.flatMap(sharesOf), ...commonShares()];
  const post: ArmyAccount = {
    user: "post",
    name: name("post"),
    jetstream: { streams: ROLES.length + 2 },
    exports: shares.map(({ kind, subject, many = false, to }) => ({
      kind,
      subject,
      many,
      accounts: to.map(name),
    })),
    imports: [],
  };
  const others = HUB_USERS.map((user): ArmyAccount => {
    const own = shares.filter(({ to }) => to.includes(user));
    const imports = own.map(({ kind, subject, as = () => subject }) => ({
      kind,
      subject,
      account: post.name,
      as: as(user),
    }));
    return { user, name: name(user), exports: [], imports };
  });
  return [post, ...others];
}

function commonShares(): Share[] {
  const human = { to: ["human"] } as const;
  return [
    { kind: "service", subject: CALLS.boardAll, to: HUB_USERS },
    { kind: "stream", subject: BOARD_NEWS, to: HUB_USERS },
    { kind: "service", subject: inboxSubject("*", "human"), ...human },
    { kind: "service", subject: "$KV.board.*.human", ...human },
    { kind: "service", subject: journalSubject("human"), ...human },
    { kind: "service", subject: CALLS.journal, many: true, as: () => OWN_NAMES.journal, ...human },
    { kind: "stream", subject: JOURNAL_NEWS, ...human },
  ];
}

function sharesOf(role: Role): Share[] {
  const own = { to: [role] };
  return [
    { kind: "service", subject: inboxSubject("*", role), ...own },
    // ovld itself writes only to the role whose relay it is, or for the person.
    { kind: "service", subject: inboxSubject(role, "ovld"), to: [role, "human"] },
    { kind: "service", subject: CALLS.mail(role), many: true, as: () => OWN_NAMES.mail, ...own },
    { kind: "service", subject: CALLS.remove(role), as: () => OWN_NAMES.remove, ...own },
    {
      // The person looks at every inbox.
      kind: "service",
      subject: CALLS.inbox(role),
      as: (user) => (user === role ? OWN_NAMES.inbox : OWN_NAMES.inboxOf(role)),
      to: [role, "human"],
    },
    { kind: "service", subject: `$KV.board.*.${role}`, ...own },
    { kind: "service", subject: journalSubject(role), ...own },
    { kind: "stream", subject: arrivedSubject(role), ...own },
  ];
}
