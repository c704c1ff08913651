/** What is wrong with a file, as the end of a sentence that begins with its path, and what to do. */
import type { FileProblem } from "../system/ovld-error.ts";
import type { Language } from "../army/words.ts";

export const FILE_PROBLEMS: Record<Language, Record<FileProblem, string>> = {
  en: {
    "not-a-file":
      "is not a plain file but a folder, a pipe or a device. Move it somewhere else and try again.",
    "too-large": "is too large to read. Shorten it and try again.",
    "not-utf8": "is not UTF-8 text. Save it as UTF-8.",
    "not-understood": "is not the JSON that ovld expects. Correct it and try again.",
    unreadable: "cannot be read. Check its permissions and try again.",
    "a-link": "is a link, and links are not followed here. Put the file itself there.",
    "dangling-link": "is a link whose target does not exist. Correct or remove the link and try again.",
    busy: "is being written by another program. Try again in a moment.",
  },
  ja: {
    "not-a-file":
      "は通常のファイルではなく、フォルダー、パイプ、デバイスのどれかです。移動してからやり直してください。",
    "too-large": "は大きすぎて読み込めません。短くしてからやり直してください。",
    "not-utf8": "は UTF-8 のテキストではありません。UTF-8 で保存してください。",
    "not-understood": "は想定した JSON ではありません。直してからやり直してください。",
    unreadable: "を読み取れません。権限を確認してからやり直してください。",
    "a-link": "はリンクですが、ここではリンクをたどりません。ファイルそのものを置いてください。",
    "dangling-link": "はリンク先が存在しないリンクです。リンクを直すか消してからやり直してください。",
    busy: "はほかのプログラムが書き込み中です。少し待ってからやり直してください。",
  },
};
