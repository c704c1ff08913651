/** Identifies a text by its content. */
export function digestOf(text: string): string {
  // Loaded only when needed; otherwise every start of a relay would pay for it.
  return process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest("base64url");
}
