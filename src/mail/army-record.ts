/** The army's own file: the folder it works in and what its panes run. `summon` writes it as a whole. */
import * as z from "zod/mini";
import { AGENT_NAMES } from "../army/agent-names.ts";
import { lazily } from "../system/lazily.ts";
import { replaceFile } from "../system/durable-files.ts";
import { parseJson } from "../system/parse-json.ts";
import { asideFor } from "./aside.ts";
import { LIMITS } from "./limits.ts";
import { readPlainFile } from "../system/read-plain-file.ts";
import { access, type Store } from "./store.ts";

const armyRecord = lazily(() =>
  z.object({
    /** The folder in which its agents were started. */
    folder: z.string(),
    agent: z.enum(AGENT_NAMES),
    /** When it was last summoned. */
    summoned: z.iso.datetime(),
  }),
);

export type ArmyRecord = z.infer<ReturnType<typeof armyRecord>>;

export function writeArmyRecord(store: Store, record: ArmyRecord): void {
  access(store, [store.paths.tmp], () => {
    replaceFile({
      aside: asideFor(store),
      target: store.paths.army,
      content: `${JSON.stringify(record)}\n`,
    });
  });
}

/** Changes nothing in the store; undefined if the army was summoned by an older ovld that kept no such file. */
export function readArmyRecord(store: Store): ArmyRecord | undefined {
  const file = readPlainFile(store.paths.army, LIMITS.messageFileBytes);
  return "text" in file ? armyRecord().safeParse(parseJson(file.text)).data : undefined;
}
