/** The shapes of flags that commands share. */

/** On or off, and off unless it is given. */
export function switchFlag(brief: string) {
  return { kind: "boolean", default: false, withNegated: false, brief } as const;
}

/** A flag that takes a word and may be left out. */
export function wordFlag(placeholder: string, brief: string) {
  return { kind: "parsed", parse: String, optional: true, placeholder, brief } as const;
}

export function sessionFlag(brief: string) {
  return wordFlag("NAME", brief);
}
