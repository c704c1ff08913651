import { expect, it } from "vitest";
import { decide, type Facts, type RingingWay } from "../../../src/bell/decide.ts";
import { AGENT_STATES, type AgentState } from "../../../src/army/words.ts";

const MAIL = ["none", "normal", "urgent"] as const;
const BELL = ["down", "rung", "due"] as const;
const WAYS: RingingWay[][] = [["socket", "typing"], ["typing", "socket"], ["typing"], ["socket"], []];

/**
 * The whole table: what happens for each kind of mail when a bell is down or due, by the ways that are open
 * (columns).
 */
const TABLE: Record<AgentState, { normal: string[]; urgent: string[] }> = {
  //          socket first      typing first      typing            socket            none
  idle: {
    normal: ["ring socket", "ring typing", "ring typing", "ring socket", "hold no-pane"],
    urgent: ["ring socket", "ring typing", "ring typing", "ring socket", "hold no-pane"],
  },
  failed: {
    normal: ["ring socket", "ring typing", "ring typing", "ring socket", "hold no-pane"],
    urgent: ["ring socket", "ring typing", "ring typing", "ring socket", "hold no-pane"],
  },
  busy: {
    normal: ["hold busy", "hold busy", "hold busy", "hold busy", "hold busy"],
    urgent: ["ring socket", "ring socket", "hold busy", "ring socket", "hold busy"],
  },
  asking: {
    normal: ["hold asking", "hold asking", "hold asking", "hold asking", "hold asking"],
    urgent: ["hold asking", "hold asking", "hold asking", "hold asking", "hold asking"],
  },
  starting: {
    normal: ["hold starting", "hold starting", "hold starting", "hold starting", "hold starting"],
    urgent: ["hold starting", "hold starting", "hold starting", "hold starting", "hold starting"],
  },
  gone: {
    normal: Array<string>(5).fill("hold agent-gone"),
    urgent: Array<string>(5).fill("hold agent-gone"),
  },
  unknown: {
    normal: ["ring socket", "ring socket", "hold state-unknown", "ring socket", "hold state-unknown"],
    urgent: ["ring socket", "ring socket", "hold state-unknown", "ring socket", "hold state-unknown"],
  },
};

const TOLD_NOTHING = { turnIsOver: false, hookBringsUrgent: false, heldBack: undefined } as const;

function expected({ mail, agent, limited, bell, ways }: Facts): string {
  if (mail === "none" || bell === "rung") return "nothing";
  if (limited && ["idle", "failed", "unknown"].includes(agent)) return "hold limit";
  return TABLE[agent][mail][WAYS.findIndex((each) => each === ways)] ?? "?";
}

function tell(facts: Facts): string {
  const decision = decide(facts);
  if (decision.act === "ring") return `ring ${decision.way}`;
  return decision.act === "hold" ? `hold ${decision.why}` : decision.act;
}

it("D4 DG3 every combination of facts leads to the decision of the table", () => {
  const all = MAIL.flatMap((mail) =>
    AGENT_STATES.flatMap((agent) =>
      BELL.flatMap((bell) =>
        WAYS.flatMap((ways) =>
          [false, true].map((limited): Facts => ({ ...TOLD_NOTHING, mail, agent, limited, bell, ways })),
        ),
      ),
    ),
  );
  expect(all).toHaveLength(3 * 7 * 3 * 5 * 2);
  expect(all.map((facts) => [facts, tell(facts)])).toEqual(all.map((facts) => [facts, expected(facts)]));
});

it("what waits for the person's decision is held with its reason, unless there is no agent to wake yet or any more", () => {
  for (const heldBack of ["brake", "budget"] as const)
    for (const agent of AGENT_STATES)
      for (const mail of ["normal", "urgent"] as const) {
        const facts: Facts = {
          ...TOLD_NOTHING,
          heldBack,
          mail,
          agent,
          limited: true,
          bell: "due",
          ways: ["socket"],
        };
        const why = { starting: "starting", gone: "agent-gone" }[agent as string] ?? heldBack;
        expect(tell(facts)).toBe(`hold ${why}`);
        expect(tell({ ...facts, bell: "rung" })).toBe("nothing");
      }
});

it("DR2 DR3 nothing is ever typed to an agent that is not at its prompt", () => {
  for (const agent of AGENT_STATES.filter((state) => state !== "idle" && state !== "failed")) {
    for (const mail of MAIL)
      for (const ways of WAYS)
        expect(
          tell({ ...TOLD_NOTHING, mail, agent, turnIsOver: true, limited: false, bell: "due", ways }),
        ).not.toBe("ring typing");
  }
});

it.each(["busy", "asking"] as const)(
  "an agent whose turn is over and whose subagents make it %s is rung only by its socket",
  (agent) => {
    const facts = {
      ...TOLD_NOTHING,
      mail: "normal",
      agent,
      turnIsOver: true,
      limited: false,
      bell: "down",
    } as const;
    expect(WAYS.map((ways) => tell({ ...facts, ways }))).toEqual([
      "ring socket",
      "ring socket",
      `hold ${agent}`,
      "ring socket",
      `hold ${agent}`,
    ]);
  },
);

it("urgent mail for a working agent is left to its hook if that brings it, unless only its subagents work", () => {
  const more = { mail: "urgent", agent: "busy", limited: false, bell: "down", ways: ["socket"] } as const;
  const facts: Facts = { ...TOLD_NOTHING, ...more };
  expect(tell({ ...facts, turnIsOver: false, hookBringsUrgent: true })).toBe("hold busy");
  expect(tell({ ...facts, turnIsOver: true, hookBringsUrgent: true })).toBe("ring socket");
});
