/** One role's part in the play, with the memory it keeps between turns. */
import type { Texts } from "../../../i18n/texts.ts";
import * as z from "zod/mini";
import type { Role } from "../../../army/roles.ts";
import { GENERALS, playGeneral } from "./general.ts";
import { isRitual } from "./is-ritual.ts";
import { playOverlord, type OverlordMemory } from "./overlord.ts";
import type { Cue, Reaction, Step } from "./step.ts";
import { NO_ORDERS, playStrategist, type StrategistMemory } from "./strategist.ts";

export interface Play {
  (cue: Cue): Step[];
  /** The current memory of the part, as JSON. */
  memory: () => unknown;
}

const overlordMemory: z.ZodMiniType<OverlordMemory> = z.array(z.string());
const strategistMemory: z.ZodMiniType<StrategistMemory> = z.object({
  orders: z.array(z.string()),
  reports: z.partialRecord(z.enum(GENERALS), z.string()),
});

/** `memory` is what the same part remembered in an earlier process, if any. */
export function beginPlay(role: Role, texts: Texts["play"], memory?: unknown): Play {
  const play = partOf(role, texts, memory);
  const react = (cue: Cue): Step[] =>
    cue.cue === "prompt" && isRitual(cue.text) ? [{ do: "say", text: texts.ready[role] }] : play(cue);
  return Object.assign(react, { memory: play.memory });
}

function partOf(role: Role, texts: Texts["play"], memory: unknown): Play {
  switch (role) {
    case "overlord":
      return remembering(overlordMemory.safeParse(memory).data ?? [], (before, cue) =>
        playOverlord(before, cue, texts),
      );
    case "strategist":
      return remembering(strategistMemory.safeParse(memory).data ?? NO_ORDERS, (before, cue) =>
        playStrategist(before, cue, texts),
      );
    case "inferno":
    case "glacier":
    case "shadow":
    case "storm":
      return remembering(null, (before, cue) => ({ memory: before, steps: playGeneral(role, cue, texts) }));
  }
}

function remembering<Memory>(before: Memory, react: (memory: Memory, cue: Cue) => Reaction<Memory>): Play {
  let memory = before;
  const play = (cue: Cue): Step[] => {
    const reaction = react(memory, cue);
    memory = reaction.memory;
    return reaction.steps;
  };
  return Object.assign(play, { memory: () => memory });
}
