/** What a hub carries for one user: mail to and from other machines. What is in the local inbox is not its business. */
import type { Role, Sender } from "../../army/roles.ts";
import type { Priority } from "../../army/words.ts";
import type { DeliverByHub } from "./deliver.ts";
import type { Link } from "./link.ts";
import type { CarriedMessage } from "../../mail/store/deliver.ts";

export interface CarriedClaim {
  /** Oldest first. */
  messages: CarriedMessage[];
  /** How many more messages wait for the next claim. */
  remaining: number;
  /** The highest number of a message that the hub has handed out for this claim; 0 if there was none. */
  newest: number;
  /** Newer mail is kept back until older mail has come, which the hub may have handed out to a reader that died. */
  isWaiting: boolean;
  /** Call this once the messages are where no crash can lose them; until then the next claim returns them again. */
  settle: () => Promise<void>;
}

/** News of one message, without its body. */
export interface Arrival {
  from: Sender;
  priority: Priority;
  /** Its number in the inbox. */
  sequence: number;
}

interface Watch {
  close: () => void;
}

export interface Carrier {
  link: Link;
  /** If it throws, nothing was stored, unless the error says that this is unknown. */
  deliver: DeliverByHub;
  /** Takes this role's mail from the hub, at most so many messages. */
  claim(most?: number): Promise<CarriedClaim>;
  countUnread(role: Role): Promise<number | undefined>;
  /** Calls back with each arrival, and without one when some may have been missed. */
  watchInbox(onArrival: (arrival: Arrival | undefined) => void): Watch;
  close(): Promise<void>;
}
