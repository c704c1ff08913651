/** All armies: those that are running, those that were cut off, and those in the archive. Changes nothing. */
import type { AgentName } from "../../army/words.ts";
import { archiveFolder, relayFolder } from "../../config/folders.ts";
import { openMail } from "../../mail/mail.ts";
import type { ErrorReport } from "../../system/ovld-error.ts";
import type { Environment } from "../../system/run-program.ts";
import { serverState } from "../../zellij/session-record.ts";
import { hasSocket } from "../../zellij/socket.ts";
import { isArmyHeld, knownArmies, sessionNow, socketsOf } from "../army.ts";
import { listArchives, type ArchivedArmy } from "./archive.ts";
import { describeContents, findEnd, type End } from "./last-army.ts";

type ArmyState = "running" | "starting" | "crashed" | "archived";

export interface ListedArmy {
  /** By which commands know it. */
  name: string;
  /** The name of its store: the name it was summoned with, or that of its archive. It does not change. */
  key: string;
  state: ArmyState;
  /** Where it works or worked, and what it runs or ran; null where nobody knows. */
  folder: string | null;
  agent: AgentName | null;
  summoned: string | null;
  /** Null while it is running. */
  ended: End | null;
  unread: number;
  /** How many of its agents can resume their conversation. */
  conversations: number;
  /** Where its store is. */
  path: string;
  trouble: ErrorReport | null;
}

/** Running ones first, then those that were cut off, then the archive, newest first. */
export function listArmies(env: Environment): ListedArmy[] {
  const present = knownArmies(env).map((session) => describePresent(env, session));
  const running = present.filter(({ ended }) => ended === null);
  const others = present.filter(({ ended }) => ended !== null);
  const archived = listArchives(archiveFolder(env)).map((archive) => describeArchived(env, archive));
  return [...running, ...others, ...archived];
}

function describePresent(env: Environment, session: string): ListedArmy {
  const path = relayFolder(env, session);
  const state = stateOf(env, session, path);
  const isUp = state !== "crashed";
  const ended = isUp ? null : findEnd(openMail(path));
  return { name: sessionNow(env, session), key: session, state, ended, ...contentOf(env, path) };
}

function describeArchived(env: Environment, archive: ArchivedArmy): ListedArmy {
  const { name, path, record, ended, isUnreadable } = archive;
  const end = record?.ended ?? { at: new Date(ended).toISOString(), how: "crashed" as const };
  const content = isUnreadable ? unknownContent(archive) : contentOf(env, path);
  return { name, key: name, state: "archived", ended: end, ...content };
}

type Content = Omit<ListedArmy, "name" | "key" | "state" | "ended">;

function unknownContent({ name, path }: ArchivedArmy): Content {
  const trouble = { code: "archive-unreadable", facts: { name, path } } as const;
  return { folder: null, agent: null, summoned: null, unread: 0, conversations: 0, path, trouble };
}

function contentOf(env: Environment, path: string): Content {
  const mail = openMail(path);
  const { folder = null, agent = null, summoned = null } = mail.army() ?? {};
  const { unread, conversations } = describeContents(path, env);
  return {
    folder,
    agent,
    summoned,
    unread: unread.reduce((sum, { count }) => sum + count, 0),
    conversations: conversations.length,
    path,
    trouble: mail.trouble() ?? null,
  };
}

/** Zellij is not called: a session that is up has a socket. */
function stateOf(env: Environment, session: string, path: string): Exclude<ArmyState, "archived"> {
  const sockets = socketsOf(env, session);
  const server = serverState(sockets);
  const isUp = server === "alive" || (server === "unknown" && hasSocket(sockets, sessionNow(env, session)));
  if (isUp) return "running";
  return isArmyHeld(path) ? "starting" : "crashed";
}
