/** A subject for a text that came without one: its first words. */
const MOST_CHARACTERS = 60;

export function firstWords(text: string): string {
  const line = text.split("\n").find((each) => each.trim() !== "") ?? "";
  const characters = Array.from(line.trim());
  if (characters.length <= MOST_CHARACTERS) return characters.join("");
  const cut = characters.slice(0, MOST_CHARACTERS - 1).join("");
  // Where words are apart, no word is cut; Japanese has none apart.
  const blank = cut.lastIndexOf(" ");
  return `${blank > MOST_CHARACTERS / 2 ? cut.slice(0, blank) : cut}…`;
}
