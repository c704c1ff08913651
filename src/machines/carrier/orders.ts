/** Orders of the person to all machines of an army. The hub lets only the person's keys write them. */
import * as z from "zod/mini";
import { readBoard, writeBoard } from "./board.ts";
import type { ErrorReport } from "../../system/ovld-error.ts";
import { openLink, type Link } from "./link.ts";
import { accessOf, type Membership } from "./membership.ts";
import { BOARD_ORDER } from "./subjects.ts";
import { readRecord, writeRecord } from "../../system/record.ts";

/** Orders all machines to end their parts of the army; undefined if the hub has the order. */
export async function endEverywhere(membership: Membership): Promise<ErrorReport | undefined> {
  const { servers, machine } = membership;
  const link = openLink({ ...accessOf(membership, "human"), name: `ovld unsummon on ${machine}` });
  try {
    await link.whenUp(CONNECT_MS);
    const text = JSON.stringify({ order: "end" });
    const revision = await writeBoard(link, { kind: "order", user: "human", text });
    if (revision !== undefined) return undefined;
    const { why = "it did not confirm the order", isRefused = false } = link.down() ?? {};
    if (isRefused) return { code: "hub-refused", facts: { servers, machine } };
    return { code: "hub-unreachable", facts: { servers, reason: why } };
  } finally {
    await link.close();
  }
}

const CONNECT_MS = 2_000;

export interface Following {
  /** When the army was summoned. */
  summoned: string;
  /** Remembers the last order from before that, for the next relay that looks. */
  path: string;
  onEnd: () => void;
}

const orderFile = z.object({ summoned: z.string(), revision: z.int() });

/** Calls back once if an order comes after the army was summoned; those from before were meant for an earlier one. */
export function followOrders(link: Link, { summoned, path, onEnd }: Following): void {
  const before = readRecord(path, orderFile);
  let known = before?.summoned === summoned ? before.revision : undefined;
  let isDone = false;
  const look = async (): Promise<void> => {
    const { revision } = (await readBoard(link, "order", "human")) ?? {};
    if (revision === undefined || isDone) return;
    if (known === undefined) {
      known = revision;
      writeRecord(path, { summoned, revision }, { lasting: false });
    } else if (revision > known) {
      isDone = true;
      onEnd();
    }
  };
  // The army may just be ending, or the disk be full.
  const tryToLook = (): void => void look().catch(() => {});
  link.onUp(() => {
    link.up()?.subscribe(BOARD_ORDER, { callback: tryToLook });
    tryToLook();
  });
}
