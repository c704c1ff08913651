/** Orders of the person to all machines of an army. The hub lets only the person's keys write them. */
import { readRevision, writeBoard } from "./board.ts";
import type { ErrorReport } from "../../system/ovld-error.ts";
import { openLink, type Link } from "./link.ts";
import type { Membership } from "./membership.ts";
import { BOARD_ORDER } from "./subjects.ts";

/** Orders all machines to end their parts of the army; undefined if the hub has the order. */
export async function endEverywhere(membership: Membership): Promise<ErrorReport | undefined> {
  const { servers, ca, machine, seeds } = membership;
  const link = openLink({ servers, ca, seed: seeds.human ?? "", name: `ovld unsummon on ${machine}` });
  try {
    await link.whenUp(CONNECT_MS);
    const text = JSON.stringify({ order: "end" });
    if (await writeBoard(link, { kind: "order", user: "human", text })) return undefined;
    const { why = "it did not confirm the order", isRefused = false } = link.down() ?? {};
    if (isRefused) return { code: "hub-refused", facts: { servers, machine } };
    return { code: "hub-unreachable", facts: { servers, reason: why } };
  } finally {
    await link.close();
  }
}

const CONNECT_MS = 2_000;

/** Calls back once if an order comes after this; those from before were meant for an earlier army. */
export function followOrders(link: Link, onEnd: () => void): void {
  let known: number | undefined;
  let isDone = false;
  const look = async (): Promise<void> => {
    const revision = await readRevision(link, "order", "human");
    if (revision === undefined || isDone) return;
    if (known === undefined) known = revision;
    else if (revision > known) {
      isDone = true;
      onEnd();
    }
  };
  link.onUp(() => {
    link.up()?.subscribe(BOARD_ORDER, { callback: () => void look() });
    void look();
  });
}
