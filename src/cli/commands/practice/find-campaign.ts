/** A campaign of the practice army that was cut off: which army it was, and what it was asked for. */
import { listArmies } from "../../../summon/list-armies.ts";
import { openMail } from "../../../mail/mail.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import type { CommandContext } from "../../../command/command-context.ts";

export interface CutOffCampaign {
  session: string;
  wish: string;
}

/** How `ovld practice` calls its armies if it is given no name. */
export const CAMPAIGN_NAME = "practice";

/** The last one in this folder, or the one with this name. Throws if there is none. */
export function findCampaign({ env, cwd }: CommandContext, asked: string | undefined): CutOffCampaign {
  const campaigns = listArmies(env)
    .filter(({ state, agent, folder }) => state === "crashed" && agent === "practice" && folder === cwd)
    .filter(({ name }) => (asked === undefined ? name.startsWith(`${CAMPAIGN_NAME}-`) : name === asked))
    .toSorted((one, other) => Date.parse(other.ended?.at ?? "") - Date.parse(one.ended?.at ?? ""));
  for (const { name, path } of campaigns) {
    const wish = wishIn(path);
    if (wish !== undefined) return { session: name, wish };
  }
  throw new OvldError({
    code: "nothing-to-resume",
    facts: { session: asked ?? CAMPAIGN_NAME, folder: cwd },
  });
}

/** Undefined if the army was cut off before it was asked for anything. */
function wishIn(relayDir: string): string | undefined {
  for (const entry of openMail(relayDir).journal().next()) {
    if (entry.event === "stored" && entry.from === "human" && entry.to === "overlord") return entry.body;
  }
  return undefined;
}
