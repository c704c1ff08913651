/** One role's whole part in the play, including what it remembers from turn to turn. */
import type { Role } from "../../../army/roles.ts";
import type { PlayTexts } from "../../../i18n/en/play.ts";
import { playGeneral } from "./general.ts";
import { isRitual } from "./is-ritual.ts";
import { playOverlord, type OverlordMemory } from "./overlord.ts";
import type { Cue, Reaction, Step } from "./step.ts";
import { NO_ORDERS, playStrategist } from "./strategist.ts";

export type Play = (cue: Cue) => Step[];

export function beginPlay(role: Role, texts: PlayTexts): Play {
  const play = partOf(role, texts);
  return (cue) =>
    cue.cue === "prompt" && isRitual(cue.text) ? [{ do: "say", text: texts.ready[role] }] : play(cue);
}

function partOf(role: Role, texts: PlayTexts): Play {
  switch (role) {
    case "overlord":
      return remembering<OverlordMemory>([], (memory, cue) => playOverlord(memory, cue, texts));
    case "strategist":
      return remembering(NO_ORDERS, (memory, cue) => playStrategist(memory, cue, texts));
    case "inferno":
    case "glacier":
    case "shadow":
    case "storm":
      return (cue) => playGeneral(role, cue, texts);
  }
}

function remembering<Memory>(before: Memory, react: (memory: Memory, cue: Cue) => Reaction<Memory>): Play {
  let memory = before;
  return (cue) => {
    const reaction = react(memory, cue);
    memory = reaction.memory;
    return reaction.steps;
  };
}
