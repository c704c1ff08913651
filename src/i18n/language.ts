/** Which language the person reads. */
export type Language = "en" | "ja";

/** The first variable that is set decides, as the C library does it, with ours in front. */
export function chooseLanguage(env: Readonly<Record<string, string | undefined>>): Language {
  const wish = env["OVLD_LANG"] || env["LC_ALL"] || env["LC_MESSAGES"] || env["LANG"] || "";
  return wish.toLowerCase().startsWith("ja") ? "ja" : "en";
}
