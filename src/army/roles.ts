/** The roles of the army. Every other list of roles in the project is derived from this one. */
export const ROLES = ["overlord", "strategist", "inferno", "glacier", "shadow", "storm"] as const;

export type Role = (typeof ROLES)[number];

/** Who may sign a message: a role, the person at the terminal, or ovld itself. */
export const SENDERS = [...ROLES, "human", "ovld"] as const;

export type Sender = (typeof SENDERS)[number];

export function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text);
}

export function otherRoles(role: Role): Role[] {
  return ROLES.filter((other) => other !== role);
}
