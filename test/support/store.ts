/** A store in a folder of its own, and direct looks at its files. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { openMail, type Mail } from "../../src/mail/mail.ts";
import type { MessageDraft } from "../../src/mail/store/message.ts";
import type { StoreOptions } from "../../src/mail/store/store.ts";
import type { Recipient } from "../../src/army/roles.ts";
import { readLines } from "./read-lines.ts";
import { makeSandbox, type Sandbox } from "./sandbox.ts";

export interface StoreFixture {
  sandbox: Sandbox;
  dir: string;
  mail: Mail;
  /** Another process's view of the same store. */
  open(options?: StoreOptions): Mail;
  send(draft?: Partial<MessageDraft>): string;
  inbox(reader?: Recipient): string[];
  journal(): Record<string, unknown>[];
  path(...parts: string[]): string;
  [Symbol.asyncDispose](): Promise<void>;
}

export function makeStore(options?: StoreOptions): StoreFixture {
  const sandbox = makeSandbox();
  const dir = sandbox.relayDir;
  const mail = openMail(dir, options);
  mail.init();
  const path = (...parts: string[]): string => join(dir, ...parts);
  return {
    sandbox,
    dir,
    mail,
    open: (others) => openMail(dir, others),
    send: (draft) => mail.deliver({ ...letter, ...draft }).id,
    inbox: (reader: Recipient = "strategist") => readdirSync(path("inbox", reader)).toSorted(),
    journal: () => readLines(path("journal.jsonl")),
    path,
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}

/** It wants no answer: an agent that has read it may end its turn. */
export const letter: MessageDraft = {
  from: "overlord",
  to: "strategist",
  subject: "order",
  body: "take the hill",
  priority: "normal",
  toAll: true,
};

/** The same as an order: an agent that has read it owes its sender a word. */
export const order: MessageDraft = { ...letter, toAll: undefined };
