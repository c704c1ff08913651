/** Sends to or reads through a hub until it is killed or told to end, and reports what has happened. */
import { readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { MOST_MAIL } from "../../../src/army/words.ts";
import { type Claim, keepFetching } from "../../../src/machines/carrier/fetch-mail.ts";
import { openMail } from "../../../src/mail/mail.ts";
import { openCarrier } from "../../support/carrier.ts";
import type { HubWorkerPlan } from "./hub-torture.ts";

const plan: HubWorkerPlan = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
const { user, membership, folder } = plan;
const carrier = openCarrier({ membership, user, folder, limits: MOST_MAIL });
const ending = new AbortController();
process.on("SIGTERM", () => ending.abort());

/** In one unbuffered write, so that exactly what has happened is reported. */
function report(line: object): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

if (plan.task === "send") await send();
else if (plan.task === "read") await read();
else while (!ending.signal.aborted) await pause(20);
await carrier.close();

async function send(): Promise<void> {
  for (let number = plan.from; !ending.signal.aborted; number += 1) {
    const body = `${user}:${number}`;
    report({ begun: number });
    let isKept = false;
    try {
      const delivery = await carrier.deliver({
        from: user,
        to: "storm",
        subject: "order",
        body,
        priority: "normal",
      });
      isKept = "kept" in delivery;
      const id = "stored" in delivery ? delivery.stored.id : undefined;
      report({ answered: body, how: isKept ? "kept" : "stored", id });
    } catch (error) {
      report({ refused: body, why: String(error) });
    }
    // Otherwise what was kept could never be passed on before there is more of it.
    await pause(isKept ? 50 : 5);
  }
}

async function claim(most?: number): Promise<Claim> {
  const claimed = await carrier.claim(most);
  if (claimed.messages.length > 0)
    report({ claimed: claimed.messages.map(({ id, body }) => ({ id, body })) });
  return claimed;
}

/** As a relay does: mail is moved from the hub into the inbox of this machine, and read there. */
async function read(): Promise<void> {
  const mail = openMail(join(folder, "relay"));
  mail.init();
  const fetching = keepFetching({
    role: "storm",
    link: carrier.link,
    claim,
    mail,
    folder,
    mayFetch: () => true,
  });
  while (!ending.signal.aborted) {
    const { messages, settle } = mail.claim("storm");
    if (messages.length > 0) {
      report({ read: messages.map(({ id, body, redelivered }) => ({ id, body, redelivered })) });
      settle();
    } else fetching.look();
    await pause(5);
  }
  fetching.close();
}
