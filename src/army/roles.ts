/** The roles of the army. Every other list of roles in the project is derived from this one. */
export const ROLES = ["overlord", "strategist", "inferno", "glacier", "shadow", "storm"] as const;
export type Role = (typeof ROLES)[number];

/** To whom mail can be sent: a role, or the person. */
export const RECIPIENTS = [...ROLES, "human"] as const;
export type Recipient = (typeof RECIPIENTS)[number];

/** Whose machine, of several, keeps the mail of each: the person's is where the overlord is. */
export function hostOf(recipient: Recipient): Role {
  return recipient === "human" ? "overlord" : recipient;
}

/** Who may sign a message: a role, the person, or ovld itself. */
export const SENDERS = [...RECIPIENTS, "ovld"] as const;
export type Sender = (typeof SENDERS)[number];

export function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text);
}

/** Whose direct mail is an order to those after them, first to last; of two generals neither commands the other. */
const COMMAND: readonly Sender[] = ["human", "overlord", "strategist"];

export function isAbove(one: Sender, other: Role): boolean {
  const own = COMMAND.indexOf(other);
  return COMMAND.slice(0, own === -1 ? undefined : own).includes(one);
}

export function perRole<Value>(make: (role: Role) => Value): Record<Role, Value> {
  return {
    overlord: make("overlord"),
    strategist: make("strategist"),
    inferno: make("inferno"),
    glacier: make("glacier"),
    shadow: make("shadow"),
    storm: make("storm"),
  };
}

export function otherRoles(role: Role): Role[] {
  return ROLES.filter((other) => other !== role);
}

/** Who can have a budget: the army as a whole, and each role. */
export const SPENDERS = ["army", ...ROLES] as const;
export type Spender = (typeof SPENDERS)[number];
