/** The place of each command in the help, in the order a person needs them. */
export const COMMAND_GROUPS = {
  army: ["practice", "summon", "ritual", "unsummon"],
  person: ["status", "send", "log", "continue", "insight"],
  setUp: ["init", "doctor", "completion"],
  inside: ["relay"],
} as const;
