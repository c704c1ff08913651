/** Agents that write past the order of command, in the army of a campaign that is over. */
import { RECIPIENTS, ROLES, type Recipient, type Role } from "../../src/army/roles.ts";
import type { ModelRequest, Turn } from "../../test/support/model.ts";
import type { attendSeats } from "../../test/support/seats.ts";
import { waitUntil } from "../../test/support/wait-until.ts";
import { CHECK_INBOX, relayTool } from "./part.ts";

export interface Crossings {
  tried: number;
  /** Not stored, and the sender was told whom to write to instead. */
  refused: number;
}

const GENERALS: Role[] = ["inferno", "glacier", "shadow", "storm"];

/** To whom each role may write, and its way to all others. */
const MAY: Record<Role, { write: Recipient[]; instead: Role }> = {
  overlord: { write: ["strategist", "human"], instead: "strategist" },
  strategist: { write: ["overlord", ...GENERALS], instead: "overlord" },
  inferno: { write: ["strategist"], instead: "strategist" },
  glacier: { write: ["strategist"], instead: "strategist" },
  shadow: { write: ["strategist"], instead: "strategist" },
  storm: { write: ["strategist"], instead: "strategist" },
};

/** The same as the person's configuration. */
export const COMMAND = [
  "[command]",
  ...ROLES.map((role) => `${role} = ${JSON.stringify(MAY[role].write)}`),
].join("\n");

const crossed = (role: Role): Recipient[] =>
  RECIPIENTS.filter((each) => each !== role && !MAY[role].write.includes(each));

const SUBJECT = "write to everybody";

export function stageCrossings({ mail, journal }: Pick<ReturnType<typeof attendSeats>, "mail" | "journal">) {
  const trying = new Set<Role>();
  const answers = new Map<Role, string[]>();

  /** What the model of this role says; undefined if it plays no part. */
  function play(role: Role | undefined, { last, messages, toolResults }: ModelRequest): Turn | undefined {
    if (role === undefined || answers.has(role)) return undefined;
    if (last.includes("Call check_inbox")) return { tool: CHECK_INBOX, input: {} };
    if (!JSON.stringify(messages).includes(SUBJECT)) return undefined;
    if (trying.has(role)) {
      answers.set(
        role,
        toolResults.filter((text) => text.startsWith("Not stored.")),
      );
      return "So be it.";
    }
    trying.add(role);
    return crossed(role).map((to) => relayTool("send_message", { to, subject: SUBJECT, body: "" }));
  }

  return {
    play,
    async run(): Promise<Crossings> {
      for (const to of ROLES)
        mail.deliver({ from: "human", to, subject: SUBJECT, body: "", priority: "normal", toAll: true });
      await waitUntil("all have tried", () => answers.size === ROLES.length, { timeout: 60_000 });
      const stored = journal("stored").filter(({ from, subject }) => from !== "human" && subject === SUBJECT);
      const refused = Array.from(
        answers,
        ([role, texts]) => texts.filter((text) => text.includes(`write to ${MAY[role].instead}`)).length,
      );
      return {
        tried: ROLES.flatMap(crossed).length,
        refused: refused.reduce((sum, count) => sum + count, 0) - stored.length,
      };
    },
  };
}
