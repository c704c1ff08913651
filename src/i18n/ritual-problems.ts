/** What is wrong with a role prompt, as the end of a sentence that begins with its path, and what to do. */
import type { RitualProblem } from "../system/ovld-error.ts";
import type { Language } from "../army/words.ts";

export const RITUAL_PROBLEMS: Record<Language, Record<RitualProblem, string>> = {
  en: {
    missing: "does not exist. Put the file there, or use another folder.",
    unreadable: "cannot be read. Check that it is a plain file, and check its permissions.",
    empty: "is empty. Write what the role should do.",
    "too-large": "is larger than 32 KB. Shorten it; it can refer the agent to other files.",
    "not-utf8": "is not UTF-8 text. Save it as UTF-8.",
    "control-characters":
      "contains control characters other than newline and tab. Remove them; lines must end with LF alone.",
    "a-command": "starts with ! or /, so an agent would take it for a command. Start it with a word.",
  },
  ja: {
    missing: "がありません。ファイルを置くか、別のフォルダーを指定してください。",
    unreadable: "を読み取れません。通常のファイルであることと権限を確認してください。",
    empty: "は空です。役割がすることを書いてください。",
    "too-large": "は 32 KB を超えています。短くしてください（ほかのファイルを読むよう指示できます）。",
    "not-utf8": "は UTF-8 のテキストではありません。UTF-8 で保存してください。",
    "control-characters":
      "に改行とタブ以外の制御文字があります。取り除いてください（改行は LF だけにしてください）。",
    "a-command": "は ! か / で始まっているため、エージェントがコマンドとみなします。言葉で始めてください。",
  },
};
