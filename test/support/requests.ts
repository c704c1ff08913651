/** Requests of an agent whose relay is this process, in a store of its own. */
import type { Role } from "../../src/army/roles.ts";
import type { Asked } from "../../src/mail/records/request.ts";
import {
  openRequestBox,
  type RequestBox,
  type StoredRequest,
  openRequests,
} from "../../src/requests/request-box.ts";
import { identifyOurselves } from "../../src/system/process.ts";
import type { StoreOptions } from "../../src/mail/store/store.ts";
import { makeStore, type StoreFixture } from "./store.ts";
import { waitUntil } from "./wait-until.ts";

export interface RequestFixture extends StoreFixture {
  /** The relay's view. */
  relay: RequestBox;
  /** The person's view. */
  person: RequestBox;
  personWith(options: StoreOptions): RequestBox;
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

export function makeRequests(): RequestFixture {
  const store = makeStore();
  const relay = openRequestBox(store.dir);
  return {
    ...store,
    relay,
    person: openRequestBox(store.dir),
    personWith: (options) => openRequestBox(store.dir, options),
    ask: (asked = COMMAND, role = "inferno") => relay.publish({ role, relay: identifyOurselves() }, asked),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

/** Waits until exactly so many requests are open in an army, and returns the newest. */
export async function awaitRequest(box: RequestBox, count = 1): Promise<StoredRequest> {
  let open: StoredRequest[] = [];
  await waitUntil(`${count} requests are open`, () => (open = openRequests(box)).length === count, {
    interval: 5,
  });
  const newest = open.at(-1);
  if (!newest) throw new Error("no request is open");
  return newest;
}
