/** What the stand-in saw; the figures are computed from it. */
import type { Role } from "../../src/army/roles.ts";
import type { Showing } from "./read-request.ts";
import type { Weight } from "./weigh-request.ts";

export interface SeenRequest extends Weight {
  at: number;
  /** What the model answered with: only its inbox, only other ovld tools, or anything else. */
  answer: "inbox" | "coordination" | "work";
}

interface Shown extends Showing {
  at: number;
}

export interface CampaignRecord {
  requests: SeenRequest[];
  /** How many turns the model has ended. */
  turns: number;
  /** Bells that brought nothing, in their own words. */
  emptyBells: string[];
  /** True if the role sees this in this way for the first time. */
  show(role: Role, showing: Showing, at: number): boolean;
  /** How and when a role was shown a dispatch. */
  shown(role: Role, mark: string): readonly Shown[];
}

export function openRecord(): CampaignRecord {
  const shown = new Map<string, Shown[]>();
  return {
    requests: [],
    turns: 0,
    emptyBells: [],
    show(role, showing, at) {
      const before = shown.get(nameOf(role, showing.mark)) ?? [];
      if (before.some(({ carrier }) => carrier === showing.carrier)) return false;
      shown.set(nameOf(role, showing.mark), [...before, { ...showing, at }]);
      return true;
    },
    shown: (role, mark) => shown.get(nameOf(role, mark)) ?? [],
  };
}

function nameOf(role: Role, mark: string): string {
  return `${mark} to ${role}`;
}
