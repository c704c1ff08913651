/** `ovld hub invite` and `ovld hub revoke`: which machine has which roles. */
import { fchmodSync, fstatSync } from "node:fs";
import { isRole, ROLES, type Role } from "../../army/roles.ts";
import { isSessionName } from "../../army/words.ts";
import { sayJson, sayLine, type CommandContext } from "../../command/command-context.ts";
import { EXIT } from "../../army/errors.ts";
import { changeHub } from "../server/change-hub.ts";
import { requireHub } from "../server/hub-files.ts";
import {
  localAddress,
  outsideAddresses,
  parseListen,
  printPlace,
  armyIn,
  freeMachineName,
  inviteMachine,
  revokeMachine,
  type Change,
} from "../server/hub-state.ts";
import {
  readMembership,
  writeMembership,
  HUB_FORMAT,
  printMembership,
  type Membership,
} from "../membership.ts";
import { coverAddresses, ownAddresses } from "../server/certificates.ts";
import { withLock } from "../../system/lock-file.ts";
import { OvldError } from "../../system/ovld-error.ts";
import type { HubWork } from "./hub.ts";
import type { HubUser } from "../carrier/subjects.ts";

export async function invite({ context, flags, files, session, words }: HubWork): Promise<number> {
  const { stop, now } = context;
  const roles = rolesFrom(words);
  const state = requireHub(files);
  const army = armyIn(state, session);
  const machine = flags.machine ?? freeMachineName(army);
  if (!isSessionName(machine)) throw new OvldError({ code: "session-name-wrong", facts: { name: machine } });
  const servers =
    flags.address === undefined
      ? outsideAddresses(state.listen, ownAddresses())
      : flags.address.split(",").map((each) => printPlace(parseListen(each)));
  await withLock(files.changeLock, stop, () => coverAddresses(files, context.env, state, servers));
  const expires = new Date(now() + parseValidity(flags.valid ?? USUAL_VALIDITY));
  // A role that another machine has must not be here as well.
  const leaveHome = (): void =>
    updateHome(context, session, ({ seeds: kept, ...rest }) => ({
      ...rest,
      seeds: withoutRoles(kept, roles),
    }));
  const { seeds } = await changeHub(
    files,
    session,
    stop,
    (current) => inviteMachine(current, { session, machine, roles, now: new Date(now()), expires }),
    leaveHome,
  );
  const joining: Membership = {
    format: HUB_FORMAT,
    army: session,
    machine,
    servers,
    ca: state.tls?.ca,
    seeds,
    expires: expires.toISOString(),
  };
  keepToOwner();
  context.print("stdout", printMembership(joining));
  if (!flags.json) {
    const { machines } = context.texts;
    context.print(
      "stderr",
      `${machines.invited(machine, roles.join(", "), expires.toISOString())}\n${machines.inviteSecret}\n`,
    );
  }
  return EXIT.done;
}

export async function revoke({ context, flags, files, session, words }: HubWork): Promise<number> {
  const { stop, now, texts } = context;
  const before = requireHub(files);
  armyIn(before, session);
  const [machine = ""] = words;
  const comeHome = ({ state, seeds }: Change): void =>
    updateHome(context, session, (kept) => ({ ...kept, seeds: { ...kept.seeds, ...seeds } }), {
      format: HUB_FORMAT,
      army: session,
      machine: armyIn(state, session).home,
      servers: [localAddress(state.listen)],
      ca: state.tls?.ca,
      seeds: {},
    });
  const { seeds } = await changeHub(
    files,
    session,
    stop,
    (current) => revokeMachine(current, { session, machine, now: new Date(now()) }),
    comeHome,
  );
  const roles = ROLES.filter((role) => seeds[role] !== undefined);
  if (flags.json) sayJson(context, { revoked: machine, roles });
  else {
    sayLine(context, texts.machines.revoked(machine));
    if (roles.length > 0) sayLine(context, texts.machines.cameHome(roles.join(", ")));
  }
  return EXIT.done;
}

/** A shell makes the file for its output readable by everybody. */
export function keepToOwner(): void {
  try {
    if (fstatSync(STDOUT).isFile()) fchmodSync(STDOUT, 0o600);
  } catch {
    // It is somebody else's file, or none.
  }
}

const STDOUT = 1;

/** What this machine keeps for its users when these roles go to another machine. */
export function withoutRoles(
  kept: Partial<Record<HubUser, string>>,
  roles: readonly Role[],
): Partial<Record<HubUser, string>> {
  return Object.fromEntries(Object.entries(kept).filter(([user]) => !roles.some((role) => role === user)));
}

export function rolesFrom(words: string[]): Role[] {
  return [...new Set(words)].map((word) => {
    if (!isRole(word)) throw new OvldError({ code: "no-such-role", facts: { word } });
    return word;
  });
}

export function updateHome(
  { env }: CommandContext,
  session: string,
  change: (membership: Membership) => Membership,
  otherwise?: Membership,
): void {
  const before = readMembership(env, session) ?? otherwise;
  if (before !== undefined) writeMembership(env, change(before));
}

/** How long a join file may be used for joining. */
const USUAL_VALIDITY = "24h";

const UNITS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
/** A file that nobody has used for longer is more likely lost than needed. */
const MOST_MS = 365 * 86_400_000;

/** `30m`, `24h`, `7d` as milliseconds. */
function parseValidity(text: string): number {
  const [, count = "", unit = ""] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const time = Number(count) * (UNITS[unit] ?? 0);
  if (time === 0 || time > MOST_MS) throw new OvldError({ code: "hub-validity", facts: { text } });
  return time;
}
