/** Requests of an agent whose relay is this process, in a store of its own. */
import type { Role } from "../../src/army/roles.ts";
import type { Asked } from "../../src/mail/request.ts";
import { openRequestBox, type RequestBox, type StoredRequest } from "../../src/mail/request-box.ts";
import { sealKey } from "../../src/mail/seal.ts";
import { readSecrets } from "../../src/mail/secrets.ts";
import { openRequests } from "../../src/requests/open-requests.ts";
import { identifyOurselves } from "../../src/system/process-identity.ts";
import type { StoreOptions } from "../../src/mail/store.ts";
import { makeStore, type StoreFixture } from "./store.ts";
import { waitUntil } from "./wait-until.ts";

const SECRET = "the secret of every role in this test";

export interface RequestFixture extends StoreFixture {
  /** The relay's view. */
  relay: RequestBox;
  /** The person's view. */
  person: RequestBox;
  personWith(options: StoreOptions): RequestBox;
  /** The view of a process without the person's key. */
  stranger: RequestBox;
  ask(asked?: Asked, role?: Role): StoredRequest;
}

export const COMMAND = {
  kind: "permission",
  tool: "Bash",
  action: { what: "command", command: "touch it" },
  rest: {},
  suggestions: [{ what: "rules", behavior: "allow", rules: ["Bash(touch it)"], where: "session" }],
} satisfies Asked;

export const TWO_QUESTIONS: Asked = {
  kind: "question",
  tool: "AskUserQuestion",
  questions: [
    {
      text: "Which hill?",
      header: "Hill",
      several: false,
      options: [
        { label: "left", description: "" },
        { label: "right", description: "" },
      ],
    },
    {
      text: "With what?",
      header: "Gear",
      several: true,
      options: [
        { label: "bow", description: "" },
        { label: "rope", description: "" },
      ],
    },
  ],
  rest: {},
};

export const PLAN: Asked = { kind: "plan", tool: "ExitPlanMode", plan: "# Up", rest: {}, suggestions: [] };

const PERSON = { sealing: { keyFor: () => sealKey(SECRET, "human") } };

export function makeRequests(): RequestFixture {
  const store = makeStore();
  const relay = openRequestBox(store.dir, { sealing: { keyFor: () => undefined, secret: SECRET } });
  return {
    ...store,
    relay,
    person: openRequestBox(store.dir, PERSON),
    personWith: (options) => openRequestBox(store.dir, { ...PERSON, ...options }),
    stranger: openRequestBox(store.dir),
    ask: (asked = COMMAND, role = "inferno") => relay.publish({ role, relay: identifyOurselves() }, asked),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

/** The person's view of an army that has been summoned. */
export function boxOfPerson(relayDir: string): RequestBox {
  const keyFor = (to: Role): string | undefined => {
    const secret = readSecrets(relayDir)?.[to];
    return secret === undefined ? undefined : sealKey(secret, "human");
  };
  return openRequestBox(relayDir, { sealing: { keyFor } });
}

/** Waits until exactly so many requests are open in an army, and returns the newest. */
export async function awaitRequest(relayDir: string, box: RequestBox, count = 1): Promise<StoredRequest> {
  let open: StoredRequest[] = [];
  await waitUntil(`${count} requests are open`, () => (open = openRequests(box, relayDir)).length === count, {
    timeout: 45_000,
    interval: 5,
  });
  const newest = open.at(-1);
  if (!newest) throw new Error("no request is open");
  return newest;
}
