/** What a key does while `ovld status --watch` is on the screen. Pure. */
import { ROLES, type Role } from "../../../army/roles.ts";

/** `going`: the next key names the role to go to. */
export type Mode = "status" | "going";

export type Step =
  | { do: "nothing" }
  | { do: "leave" }
  | { do: "answer" }
  | { do: "write" }
  | { do: "ask-where" }
  | { do: "back" }
  | { do: "go"; role: Role };

export function decideKey(mode: Mode, key: string): Step {
  if (mode === "going") {
    const role = roleNumbered(key);
    return role === undefined ? { do: "back" } : { do: "go", role };
  }
  switch (key.toLowerCase()) {
    case "q":
      return { do: "leave" };
    case "a":
      return { do: "answer" };
    case "w":
      return { do: "write" };
    case "g":
      return { do: "ask-where" };
    default:
      return { do: "nothing" };
  }
}

/** Roles are numbered from 1, in their usual order. */
export function numberedRoles(): string {
  return ROLES.map((role, index) => `${index + 1} ${role}`).join("  ");
}

/** Undefined if no role has this number or name. */
export function roleNumbered(word: string): Role | undefined {
  return ROLES.find((role, index) => word === String(index + 1) || word === role);
}
