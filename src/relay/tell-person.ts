/** What a relay tells the person outside of the army's panes: that its agent asks, and what came for them by mail. */
import { environmentForArmy } from "../agent/army-process.ts";
import type { RelaySettings } from "../config/relay-settings.ts";
import type { Texts } from "../i18n/texts.ts";
import type { Asked } from "../mail/records/request.ts";
import type { Mail } from "../mail/mail.ts";
import type { Message } from "../mail/store/message.ts";
import { summarizeRequest } from "../requests/describe-request.ts";
import { gatherLetters } from "../requests/gather-letters.ts";
import { notifyPerson, runNotifyCommand } from "../requests/notify-person.ts";
import { openRequestBox } from "../requests/request-box.ts";
import { shorten } from "../system/clean-text.ts";
import type { Environment } from "../system/run-program.ts";
import { tryTo } from "../system/file-error.ts";

interface Outside {
  settings: RelaySettings;
  env: Environment;
  mail: () => Mail;
  texts: () => Texts;
}

const MOST_CHARACTERS = 2_000;

export type Telling = ReturnType<typeof openTelling>;

export function openTelling({ settings, env, mail, texts }: Outside) {
  const { role, session, relayDir, summoned } = settings;
  const { notify: isDesktop = false, notifyCommand: command } = summoned ?? {};
  let hasFailed = false;

  /**
   * The arguments of the desktop's program are visible to every user of the machine, so `words` are for the command, which
   * runs also while a desk is open: the person may be away from it. False if an open desk takes the place of a
   * notification.
   */
  function tell(title: string, body: string, words: string): boolean {
    const notify = (): void => void (isDesktop && notifyPerson({ title, body }, env));
    if (command) void runCommand(command, [title, words].join("\n\n"), notify);
    else if (openRequestBox(relayDir, { known: true }).isDeskOpen()) return false;
    else notify();
    return true;
  }

  async function runCommand(shell: string, text: string, otherwise: () => void): Promise<void> {
    const own = Object.entries(environmentForArmy(env)).filter(([name]) => !/^OVLD_(?!TEST)/.test(name));
    const failed = await runNotifyCommand(shell, text, Object.fromEntries(own));
    if (failed !== undefined) otherwise();
    if (failed === undefined || hasFailed) return;
    hasFailed = true;
    const { subject, body } = texts().inbox.notifyFailed(failed.code, failed.seconds, failed.said);
    // A full or removed store says so itself.
    tryTo(() => {
      const waiting = mail().headers("human", mail().unread("human", { handedOut: true }));
      const isKnown = waiting.some((each) => each.from === "ovld" && each.subject === subject);
      if (!isKnown) mail().deliver({ from: "ovld", to: "human", subject, body, priority: "normal" });
    });
  }

  const gather = gatherLetters({
    countUnread: (from) => {
      const waiting = mail().headers("human", mail().unread("human", { handedOut: true }));
      return waiting.filter((each) => each.from === from).length;
    },
    tell(count, { from, subject, body }) {
      const title = texts().inbox.notification(from, session, count);
      return tell(title, texts().inbox.readIt, shorten(`${subject}\n\n${body}`, MOST_CHARACTERS));
    },
  });

  return {
    ofRequest: (request: Asked): void =>
      void tell(texts().answer.notification(role, session), request.tool, summarizeRequest(request)),
    /** Only of a summoned army: without one, nobody has said how the person wants to be told. */
    ofMail(message: Message): void {
      if (message.to === "human" && summoned !== undefined) gather.hear(message);
    },
    close: () => tryTo(() => gather.close()),
  };
}
