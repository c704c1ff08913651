/** `ovld practice --machines`: the same campaign, with its roles on several "machines" of this computer. */
import { ROLES } from "../../../army/roles.ts";
import { sayLine, signalCode, type CommandContext } from "../../../command/command-context.ts";
import { firstWords } from "../../../mail/store/first-words.ts";
import { openMail, type Mail } from "../../../mail/mail.ts";
import { armyOf } from "../../../summon/army.ts";
import { originOf } from "../../../summon/surroundings.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import { pause } from "../../../system/pause.ts";
import { openMachines } from "./machines.ts";
import { outcomeOf, tellOutcome, type Practice } from "./outcome.ts";
import { tellEntry } from "./tell-entry.ts";
import { watchCampaign, type CampaignWatch } from "./watch-campaign.ts";

export interface MachinesWish {
  session: string;
  count: number;
  wish: string;
  json: boolean;
  patienceMs: number;
}

const HEARD_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 100;

export async function runOnMachines(context: CommandContext, wanted: MachinesWish): Promise<number> {
  const { session, wish, json, patienceMs } = wanted;
  const texts = context.texts.practice;
  const { stop } = context;
  if (!json) sayLine(context, texts.opening(session, wish));
  const opened = await openMachines(context, session, wanted.count);
  try {
    const [first] = opened.machines;
    if (!json) {
      for (const { name, roles } of opened.machines) sayLine(context, texts.machine(name, roles.join(", ")));
    }
    await opened.summon();
    const army = await armyOf({ env: first.env, stop }, session);
    const mail = openMail(army.relayDir, { origin: originOf(first.env) });
    await waitForOthers(mail, stop);
    const began = context.now();
    const practiced: Practice = {
      context,
      army,
      mail,
      wish,
      beginning: { from: "nothing" },
      json,
      began,
      patienceMs,
    };
    mail.deliver({
      from: "human",
      to: "overlord",
      subject: firstWords(wish),
      body: wish,
      priority: "normal",
    });
    const watch: CampaignWatch = watchCampaign({
      mail,
      patienceMs,
      stop,
      onEntry(entry) {
        const line = json ? undefined : tellEntry(entry, watch.campaign(), began, texts);
        if (line !== undefined) sayLine(context, line);
      },
    });
    await watch.over;
    const campaign = watch.close();
    if (stop.aborted) return signalCode(stop);
    return tellOutcome(practiced, outcomeOf(practiced, campaign));
  } finally {
    await opened.end();
  }
}

/** Until then, what happens on other machines would not be seen here. */
async function waitForOthers(mail: Mail, stop: AbortSignal): Promise<void> {
  const here = mail.army()?.roles ?? [];
  const until = performance.now() + HEARD_WITHIN_MS;
  for (;;) {
    const missing = ROLES.filter((role) => !here.includes(role) && mail.away(role) === undefined);
    if (missing.length === 0) return;
    stop.throwIfAborted();
    if (performance.now() > until) {
      const said = missing.join(", ");
      throw new OvldError({ code: "machine-failed", facts: { machine: "a", command: "summon", said } });
    }
    await pause(LOOK_EVERY_MS, stop);
  }
}
