/**
 * Sees that no order is forgotten: an agent that ends its turn without a word about one is reminded once, by the answer
 * to the hook of that turn's end, and whoever gave it is told if that does not help, or if the agent cannot go on.
 *
 * A role's own relay does this for it. Once that is dead, the relay of whoever gave the order tells them, or else the
 * first that lives.
 */
import type { HookCall } from "../agent/hook-call.ts";
import { isAbove, ROLES, type Recipient, type Role } from "../army/roles.ts";
import type { AgentState, Trouble } from "../army/words.ts";
import { isEldestRelay } from "../bell/bell-loop.ts";
import type { AgentView, AgentWatch } from "../bell/agent-watch.ts";
import type { Bell, RelayPlace } from "../bell/create-bell.ts";
import { subjectWords } from "../bell/trigger.ts";
import { formatFailure } from "../i18n/sentences.ts";
import type { Texts } from "../i18n/texts.ts";
import type { Order } from "../mail/records/orders.ts";
import type { Header, MessageDraft } from "../mail/store/message.ts";
import { shorten } from "../system/clean-text.ts";
import { formatOnOneLine } from "../system/json.ts";
import { isProcessAlive } from "../system/process.ts";
import type { AgentPart } from "./agent-session.ts";
import { decideAtEnd, decideMeanwhile, type AtEnd, type OrderDecision } from "./decide-about-orders.ts";
import type { OrdersInView } from "./look-at-orders.ts";

const LOOK_EVERY_MS = 10_000;
const MOST_LAST_WORDS = 1_000;
const MOST_SUBJECT = 150;

interface Following {
  place: Pick<RelayPlace, "role" | "mail" | "relay" | "agentLink" | "summoned">;
  view: OrdersInView;
  /** Delivers mail in the name of ovld, wherever its reader is. */
  deliver: (draft: Omit<MessageDraft, "from">) => unknown;
  /** Then nobody is made to go on, and the person knows why. */
  isBudgetReached: () => boolean;
  /** In the reader's language. */
  textsFor: (reader: Recipient) => Texts;
  complainOf: (error: unknown) => void;
}

type HeardBell = Pick<Bell, "hasUnread" | "now"> & {
  agent: Pick<AgentWatch, "hear" | "keepsWorking" | "view">;
};
type Sight = Pick<AgentView, "state" | "waitingFor" | "failure">;

export function followOrders({ place, view, deliver, isBudgetReached, textsFor, complainOf }: Following) {
  const { role, mail, relay, agentLink, summoned } = place;
  /** Nothing is known of a turn that began under an earlier relay. */
  let isTyped = true;
  /** Whether the agent reports the end of the tools that it used at the same time. */
  let reportsBatches = false;
  let lastWords = "";
  let failedSince: number | undefined;
  /** When the agent, or a subagent of it, was last heard of. */
  let signAt: number | undefined;
  const goneSince = new Map<Role, number>();
  const isInCharge = (): boolean => isEldestRelay(mail.presences(), role, relay);

  /** What cannot be recorded is at worst said twice. */
  function record(whose: Role, orders: readonly Order[]): void {
    try {
      if (JSON.stringify(orders) !== JSON.stringify(mail.orders(whose))) mail.recordOrders(whose, orders);
    } catch (error) {
      complainOf(error);
    }
  }

  function change(whose: Role, changed: (order: Order) => Order): void {
    record(whose, mail.orders(whose).map(changed));
  }

  /** The agent receives these messages: those that come from above, and not to all, are orders. */
  function wasRead(messages: readonly Header[]): void {
    const at = new Date().toISOString();
    const given = messages
      .filter(({ from, toAll }) => isAbove(from, role) && !toAll)
      .map(({ id, from, subject }): Order => ({ id, kind: "mail", from, subject, at }));
    if (given.length === 0) return;
    isTyped = false;
    // One with an answer, or about which its giver was told in vain, gives way to the next; one that is read again is
    // still the same.
    const left = view.inHand(role).filter(({ id, kind, from, rests, told }) => {
      const isSettled = kind === "mail" && (rests || told?.includes("stalled"));
      return !isSettled || !given.some((order) => order.from === from && order.id !== id);
    });
    record(role, [...left, ...given.filter(({ id }) => !left.some((order) => order.id === id))]);
  }

  /** They were asked for: until those tools have ended, the model has not seen them. */
  function wasAsked(messages: readonly Header[]): void {
    if (!reportsBatches) return;
    const ids = new Set(messages.map(({ id }) => id));
    change(role, (order) => (ids.has(order.id) ? { ...order, unseen: true } : order));
  }

  function factsOf(whose: Role): AtEnd {
    const { status, waitsFor } = mail.peekStatus(whose);
    return {
      isBlocked: status === "blocked",
      hasNamed: waitsFor !== undefined,
      othersWorkSince: view.othersWorkSince(whose),
      isTyped,
      canRemind: agentLink().hooks !== undefined && summoned?.wake !== "pane",
    };
  }

  /** One message about each kind of trouble to each who gave an order. */
  function tell(whose: Role, told: OrderDecision["told"], agent?: Sight): void {
    const kinds = new Set(told.map(({ trouble, order }) => `${trouble} ${order.from}`));
    for (const kind of kinds) {
      const group = told.filter(({ trouble, order }) => `${trouble} ${order.from}` === kind);
      const [first] = group;
      if (first === undefined || first.order.from === "ovld") continue;
      const orders = group.map(({ order }) => order);
      try {
        deliver({ to: first.order.from, priority: "normal", ...letterAbout(whose, first, orders, agent) });
      } catch (error) {
        complainOf(error);
        continue;
      }
      change(whose, (order) => {
        const isTold = orders.some(({ id }) => id === order.id);
        return isTold ? { ...order, told: [...(order.told ?? []), first.trouble] } : order;
      });
    }
  }

  function letterAbout(
    whose: Role,
    { trouble, order }: OrderDecision["told"][number],
    orders: Order[],
    agent?: Sight,
  ) {
    const all = textsFor(order.from === "ovld" ? "human" : order.from);
    const texts = all.orders;
    const list = orders.map(({ id, kind, subject }) => texts[kind](quote(subject), id)).join("; ");
    const { error = "unknown", until } = agent?.failure ?? {};
    const limit = until === undefined ? null : new Date(until).toISOString();
    const what = {
      stalled: () =>
        texts.stalled(
          whose,
          orders.every(({ reminded }) => reminded),
        ),
      asking: () => texts.asking(whose, agent?.waitingFor ?? ""),
      failed: () => texts.failed(whose, formatFailure(error, limit, all)),
      gone: () => texts.gone(whose),
      silent: () => texts.silent(whose),
      idle: () => texts.idle(whose),
      done: () => texts.done(whose),
      blocked: () => texts.blocked(whose),
    }[trouble]();
    const said = whose === role && lastWords !== "" && SPOKEN.includes(trouble);
    return {
      subject: shorten(`${texts.subjects[trouble](whose)}: ${order.subject}`, MOST_SUBJECT),
      body: [what, texts.inHand(whose, list), ...(said ? [texts.lastWords(quote(lastWords))] : [])].join(
        "\n",
      ),
    };
  }

  function endTurn(call: HookCall, onDropped: (action: () => void) => void, bell: HeardBell) {
    const inHand = view.inHand(role);
    // New mail has continued the turn, or will.
    if (inHand.length === 0 || call.goesOn || bell.hasUnread() || isBudgetReached() || !isInCharge())
      return undefined;
    const { orders, reminded, told } = decideAtEnd(inHand, factsOf(role));
    record(role, orders);
    tell(role, told);
    if (reminded.length === 0) return undefined;
    const ids = reminded.map(({ id }) => id);
    mail.note({ event: "reminded", role, ids });
    bell.agent.keepsWorking();
    // The agent has discarded the answer: its turn is over, and it has not been reminded.
    onDropped(() => {
      bell.agent.hear(call);
      const before = new Map(reminded.map((order) => [order.id, order]));
      change(role, (order) => before.get(order.id) ?? order);
    });
    return agentLink().hooks?.continueTurn(remind(reminded));
  }

  function look(bell: HeardBell): void {
    const seen = bell.agent.view();
    const { state, at } = seen;
    // Mail wakes an agent at its prompt, and no other.
    const isDue = state !== "idle" || !bell.hasUnread();
    if (isInCharge() && !seen.lags && isDue && !isBudgetReached()) {
      const since = state === "failed" ? failedSince : SILENT.includes(state) ? signAt : at;
      tellMeanwhile(role, seen, bell.now() - (since ?? bell.now()));
    }
    const living = new Set(
      mail.presences().flatMap(({ role: each, relay: its }) => (isProcessAlive(its) ? [each] : [])),
    );
    const here = mail.army()?.roles ?? ROLES;
    for (const other of ROLES) {
      if (living.has(other) || !here.includes(other)) goneSince.delete(other);
      else goneSince.set(other, goneSince.get(other) ?? bell.now());
      const since = goneSince.get(other);
      if (since !== undefined) tellMeanwhile(other, { state: "gone" }, bell.now() - since, living);
    }
  }

  function tellMeanwhile(whose: Role, agent: Sight, forMs: number, living?: ReadonlySet<Role>): void {
    const inHand = view.inHand(whose);
    if (living === undefined) record(whose, inHand);
    if (inHand.length === 0) return;
    const mine = ({ from }: Order): boolean =>
      living === undefined ||
      [...ROLES.filter((each) => each === from), ...ROLES].find((each) => living.has(each)) === role;
    const told = decideMeanwhile(inHand.filter(mine), { ...factsOf(whose), state: agent.state, forMs });
    if (told.length === 0) return;
    record(whose, inHand);
    tell(whose, told, agent);
  }

  return {
    wasRead,
    /** Begins once the agent's bell is there. */
    follow(bell: HeardBell): AgentPart {
      signAt = bell.now();
      const timer = setInterval(() => {
        try {
          look(bell);
        } catch (error) {
          complainOf(error);
        }
      }, LOOK_EVERY_MS).unref();
      return {
        wasAsked,
        hearSubagent: () => void (signAt = bell.now()),
        hear(call, { onDropped }) {
          const { event } = call;
          signAt = bell.now();
          if (event === "prompted") isTyped = call.isTyped ?? true;
          if (event === "tools-ended") reportsBatches = true;
          if (event === "prompted" || event === "tools-ended" || event === "turn-ended")
            change(role, ({ unseen: _unseen, ...order }) => order);
          if (event === "turn-failed") failedSince ??= bell.now();
          if (event !== "turn-ended") return undefined;
          failedSince = undefined;
          lastWords = call.lastWords ?? "";
          try {
            return endTurn(call, onDropped, bell);
          } catch (error) {
            complainOf(error);
            return undefined;
          }
        },
        close: () => clearInterval(timer),
      };
    },
  };
}

function quote(words: string): string {
  return formatOnOneLine(shorten(words, MOST_LAST_WORDS));
}

/** Its agent's last answer may be the report that was never sent. */
const SPOKEN: readonly Trouble[] = ["stalled", "idle", "done", "blocked"];

/** What an agent in these states is at cannot be seen. */
const SILENT: readonly AgentState[] = ["busy", "unknown"];

/** Facts, and what can be done: a model reads it as the answer of a hook. */
function remind(orders: readonly Order[]): string {
  const list = orders.map(({ id, kind, from, subject }) => {
    const about = subjectWords(subject, { typed: false });
    const words = about && ` about ${about}`;
    return {
      mail: `mail from ${from}${words} (${id})`,
      task: `task ${id}`,
      question: `a question of ${from}`,
    }[kind];
  });
  const givers = [...new Set(orders.map(({ from }) => from))].join(" and ");
  return `[REMINDER from ovld] Your turn is ending without a word about what you have in hand: ${list.join("; ")}. Go on with it; or report by send_message, hand the task in, ask, or set your status to blocked or done. If the turn ends again without any of these, ovld tells ${givers}.`;
}
