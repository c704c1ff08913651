/** The order of command: who may write to whom, if the person has said so. Pure. */
import { OvldError } from "../system/ovld-error.ts";
import { isRole, RECIPIENTS, ROLES, type Recipient, type Role, type Sender } from "./roles.ts";

/** To whom each role may write; a role that is not in it may write to anybody. */
export type OrderOfCommand = ReadonlyMap<Sender, readonly Recipient[]>;

/** One word for a relay's environment, such as `strategist=overlord,storm;storm=strategist`. */
export function formatCommand(order: OrderOfCommand): string {
  return Array.from(order, ([role, others]) => `${role}=${others.join(",")}`).join(";");
}

export function parseCommand(text: string): OrderOfCommand {
  const rows = text.split(";").map((row) => row.split(/[=,]/));
  return new Map(
    rows.flatMap(([role = "", ...others]) =>
      isRole(role) ? [[role, RECIPIENTS.filter((each) => others.includes(each))]] : [],
    ),
  );
}

/** Throws if the order forbids the message, and then says to whom the sender should write instead. */
export function requireCommand(order: OrderOfCommand, { from, to }: { from: Sender; to: Recipient }): void {
  const reachedBy = (role: Sender): readonly Recipient[] => {
    const named = order.get(role) ?? RECIPIENTS;
    // Without that the army could not ask the person anything.
    return role === "overlord" ? [...named, "human"] : named;
  };
  const near = reachedBy(from);
  if (near.includes(to)) return;
  // Whoever can pass it on through the fewest others; if nobody can, all to whom the sender may write.
  let passOn: readonly Recipient[] = [to];
  let instead: Recipient[] = [];
  for (let links = 1; links < ROLES.length && instead.length === 0; links += 1) {
    passOn = ROLES.filter((role) => reachedBy(role).some((each) => passOn.includes(each)));
    instead = near.filter((role) => role !== from && passOn.includes(role));
  }
  const facts = { role: from, to, instead: instead.length > 0 ? instead : near };
  throw new OvldError({ code: "out-of-command", facts });
}

export function requireRole(word: string): Role {
  if (isRole(word)) return word;
  throw new OvldError({ code: "no-such-role", facts: { word } });
}
