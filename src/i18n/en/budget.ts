/** What is said about the budget. */
import type { Spender } from "../../army/roles.ts";

interface Used {
  used: number;
  limit: number | null;
  level: "fine" | "near" | "reached";
  uncounted: readonly string[];
}

const ofWhom = (spender: Spender): string =>
  spender === "army" ? "the army's budget" : `${spender}'s budget`;
const upper = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
const tokens = (count: number): string => count.toLocaleString("en-US");

export const BUDGET_TEXTS = {
  tokens,
  names: (spender: Spender): string => (spender === "army" ? "the army" : spender),
  columns: { who: "who", used: "used", left: "left", limit: "budget", money: "cost", parts: "tokens" },
  parts: (input: number, cached: number, output: number) =>
    `${tokens(input)} read, ${tokens(cached)} from the cache, ${tokens(output)} written`,
  none: (session: string) =>
    `The army ${session} has no budget. Set one under [budget] in the configuration; the next summon uses it.`,
  reached: (spender: Spender, uncounted: readonly string[]) =>
    uncounted.length > 0
      ? `ovld cannot count the tokens of ${uncounted.join(", ")}, so it treats ${ofWhom(spender)} as used up. Go on with ovld budget go.`
      : `${upper(ofWhom(spender))} is used up, and nobody is woken. Go on with ovld budget go, or raise it with ovld budget raise.`,
  stopped: (spender: Spender) =>
    `You have stopped ${spender === "army" ? "the army" : spender}. Go on with ovld budget go, or raise it with ovld budget raise.`,
  goesOn: "The army goes on: another tenth of each budget that was used up may be used.",
  nothingHeld: "No budget is used up.",
  raised: (spender: Spender, limit: number) => `${upper(ofWhom(spender))} is now ${tokens(limit)} tokens.`,
  /** Mail to the person. */
  news: (spender: Spender, { used, limit, level, uncounted }: Used) => {
    const share = `${tokens(used)} of ${tokens(limit ?? 0)} tokens`;
    if (level === "near")
      return {
        subject: `${upper(ofWhom(spender))} is nearly used up`,
        body: `${share} are used. Nobody is woken any more once all of it is used. ovld budget shows more.`,
      };
    const why =
      uncounted.length > 0
        ? `ovld cannot count the tokens of ${uncounted.join(", ")} any more, so it treats the budget as used up (${share}).`
        : `${share} are used.`;
    return {
      subject: `${upper(ofWhom(spender))} is used up`,
      body: `${why} Turns that are running end by themselves, and nobody is woken until you decide: ovld budget go lets the army go on once, ovld budget raise TOKENS gives it more.`,
    };
  },
};
