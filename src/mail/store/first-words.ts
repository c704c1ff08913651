/** Makes a subject from the first words of a text that has none. */
const MOST_CHARACTERS = 60;

export function firstWords(text: string): string {
  const line = text.split("\n").find((each) => each.trim() !== "") ?? "";
  const characters = Array.from(line.trim());
  if (characters.length <= MOST_CHARACTERS) return characters.join("");
  const cut = characters.slice(0, MOST_CHARACTERS - 1).join("");
  // A text with spaces is cut between words; Japanese has no spaces.
  const blank = cut.lastIndexOf(" ");
  return `${blank > MOST_CHARACTERS / 2 ? cut.slice(0, blank) : cut}…`;
}
