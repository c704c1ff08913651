/** What a refused value should have been, as the end of a sentence. */
import { MOST_MAIL } from "../army/mail-limits.ts";
import { ROLES } from "../army/roles.ts";
import type { Expectation } from "../system/ovld-error.ts";
import type { Language } from "../army/words.ts";

const EN: Record<Expectation, string> = {
  "a role": `a role (${ROLES.join(", ")})`,
  "a session name": "a session name (letters, digits, - and _, starting with a letter or digit)",
  "an absolute path": "an absolute path",
  "a folder": "a folder",
  "a folder to write in": "an existing folder that can be written to",
  "a path": "an absolute path, or one that starts with ~/",
  "a text": "a text in quotes",
  "a list of texts": 'a list of texts, such as ["--verbose"]',
  "a table": "a table of settings",
  "a number in this range": "a whole number in this range",
  limits: `limits such as "unread=500,body=16384", none above the maximum (unread=${MOST_MAIL.unreadPerInbox},body=${MOST_MAIL.bodyBytes},journal=${MOST_MAIL.journalMegabytes})`,
  "true or false": "true or false",
  "claude or practice": "claude or practice",
  "auto or pane": "auto or pane",
  "one of these": "one of these",
};

const JA: Record<Expectation, string> = {
  "a role": `役割（${ROLES.join(", ")}）`,
  "a session name": "セッション名（英数字で始まる英数字、-、_）",
  "an absolute path": "絶対パス",
  "a folder": "フォルダー",
  "a folder to write in": "書き込み可能な既存のフォルダー",
  "a path": "絶対パスか ~/ で始まるパス",
  "a text": "引用符で囲んだ文字列",
  "a list of texts": '["--verbose"] のような文字列のリスト',
  "a table": "設定の表",
  "a number in this range": "次の範囲の整数",
  limits: `"unread=500,body=16384" のような上限（最大は unread=${MOST_MAIL.unreadPerInbox},body=${MOST_MAIL.bodyBytes},journal=${MOST_MAIL.journalMegabytes}）`,
  "true or false": "true か false",
  "claude or practice": "claude か practice ",
  "auto or pane": "auto か pane ",
  "one of these": "次のいずれか",
};

export const EXPECTATIONS: Record<Language, Record<Expectation, string>> = { en: EN, ja: JA };
