/** Whether a prompt is a role's ritual: Markdown that mentions `check_inbox`, as every ritual does. */
export function isRitual(prompt: string): boolean {
  return /^#/m.test(prompt) && /\bcheck_inbox\b/.test(prompt);
}
