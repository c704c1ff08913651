/** Checks the folder of one army's mail: whether it can be used, and what else is in it. */
import { ROLES } from "../army/roles.ts";
import { formatError } from "../i18n/sentences.ts";
import type { Texts } from "../i18n/texts.ts";
import { openMail } from "../mail/mail.ts";
import { whyNotMakeFolder } from "../system/paths.ts";
import { shellWord } from "../system/shell-word.ts";
import type { Finding } from "../agent/agent-program.ts";

const MEGABYTE = 1024 * 1024;
const NEARLY_FULL_MB = 50;

export function checkMail(session: string, path: string, texts: Texts): Finding[] {
  const mail = openMail(path);
  const blocked = whyNotMakeFolder(path);
  if (blocked) {
    return [
      {
        verdict: "wrong",
        code: "mail-blocked",
        facts: blocked,
        fix: `chmod u+rwx ${shellWord(blocked.path)}`,
      },
    ];
  }
  if (!mail.exists()) return [{ verdict: "good", code: "mail-none", facts: { path } }];
  const trouble = mail.trouble();
  const unread = ROLES.reduce((sum, role) => sum + mail.countUnread(role), 0);
  const state: Finding = trouble
    ? {
        verdict: "wrong",
        code: "mail-damaged",
        facts: { session, sentence: formatError(trouble, texts) },
      }
    : { verdict: "good", code: "mail-sound", facts: { session, path, unread } };
  return [state, ...checkInventory(session, path, mail.inventory())];
}

type Inventory = ReturnType<ReturnType<typeof openMail>["inventory"]>;

function checkInventory(session: string, path: string, inventory: Inventory): Finding[] {
  const { open, leftovers, quarantined, quarantine, freeBytes } = inventory;
  const findings: Finding[] = [];
  if (open !== undefined) {
    findings.push({
      verdict: "wrong",
      code: "mail-open",
      facts: { path: open },
      fix: `chmod -R go= ${shellWord(path)}`,
    });
  }
  if (leftovers > 0) {
    findings.push({ verdict: "note", code: "mail-leftovers", facts: { session, count: leftovers } });
  }
  if (quarantined > 0) {
    const facts = { count: quarantined, path: quarantine };
    findings.push({
      verdict: "note",
      code: "mail-quarantined",
      facts,
      fix: `ls -l ${shellWord(quarantine)}`,
    });
  }
  if (freeBytes !== undefined) {
    const megabytes = Math.floor(freeBytes / MEGABYTE);
    const isShort = megabytes < NEARLY_FULL_MB;
    findings.push({
      verdict: isShort ? "wrong" : "good",
      code: isShort ? "disk-nearly-full" : "disk-space",
      facts: { path, megabytes },
    });
  }
  return findings;
}
