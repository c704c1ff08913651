/** Whether a prompt is a role's ritual: Markdown that names the tool that reads mail, as every ritual does. */
export function isRitual(prompt: string): boolean {
  return /^#/m.test(prompt) && /\bcheck_inbox\b/.test(prompt);
}
