/** Agents that ask: a real relay for each role, in whose name the test publishes requests and takes their answers. */
import type { Role } from "../../src/army/roles.ts";
import type { Asked, RequestAnswer } from "../../src/mail/records/request.ts";
import { openRequestBox, type RequestBox, type StoredRequest } from "../../src/requests/request-box.ts";
import { identifyProcess } from "../../src/system/process.ts";
import type { Person } from "./person.ts";
import { startRelay } from "./relay.ts";
import { waitUntil } from "./wait-until.ts";

export interface Asker {
  box: RequestBox;
  ask: (asked: Asked) => StoredRequest;
  /** Waits for the person's answer, and takes it. */
  taken: (stored: StoredRequest) => Promise<RequestAnswer>;
  end: (stored: StoredRequest, how: RequestAnswer | "pane" | "gone") => void;
}

/** The army must have been made. */
export async function startAsker(person: Pick<Person, "sandbox" | "relayDir">, role: Role): Promise<Asker> {
  const relayDir = person.relayDir();
  const relay = await startRelay(person.sandbox, role, { env: { OVLD_RELAY_DIR: relayDir } });
  const identity = identifyProcess(relay.pid);
  if (identity === undefined) throw new Error("the relay has ended");
  const box = openRequestBox(relayDir);
  return {
    box,
    ask: (asked) => box.publish({ role, relay: identity }, asked),
    end: (stored, how) => box.end(stored, how),
    async taken(stored) {
      let answer: RequestAnswer | undefined;
      await waitUntil("the person answers", () => (answer = box.takeAnswer(stored)) !== undefined);
      if (answer === undefined) throw new Error("no answer");
      box.end(stored, answer);
      return answer;
    },
  };
}
