/**
 * Holds what this relay's agent asks the person until somebody answers.
 *
 * The agent's call of its hook stays open, its dialog is in the pane meanwhile, and the first answer counts. Each
 * request is in the store as long as it is open. It is withdrawn as soon as anything shows that it was answered in the
 * pane or went away: the cancelled call, a later hook, or the program's own record, which no longer says that the
 * agent waits. An answer from outside counts as taken only if nothing shows that the pane was first. Where the pane's
 * answer would have another effect, the program's file for the conversation has to show which one was taken.
 */
import type { AgentLink, DecidedBy } from "../agent/agent-link.ts";
import type { Sighting } from "../agent/agent-state.ts";
import type { HookCall } from "../agent/hook-call.ts";
import type { Asked, RequestAnswer, Verdict } from "../mail/records/request.ts";
import type { FolderWatch } from "../mail/store/watch-folder.ts";
import { checkVerdict, type Asker, type RequestBox, type StoredRequest } from "./request-box.ts";
import { tryTo } from "../system/file-error.ts";

interface Holding {
  box: RequestBox;
  asker: Asker;
  /** What the agent program's own record says about the agent, if there is one. */
  readState: () => Sighting | undefined;
  /** Who decided about a tool, if the program's file for this conversation says it. */
  decision: NonNullable<AgentLink["decision"]>;
  /** For comparing with the times in that record. */
  timeOfDay: () => number;
}

interface Waiting {
  stored: StoredRequest;
  toolInput: string | undefined;
  askedAt: number;
  /** Who decided about its tool, if the program's file for the conversation says it. */
  decidedBy: () => DecidedBy | undefined;
  /** When its tool had run, by a clock that cannot be set. */
  ranAt?: number;
  /** The program's record has said that the agent waits. */
  wasSeen: boolean;
  give: (verdict: Verdict | undefined) => void;
  /** The answer that the agent has been given, and when: by the time of day, and by a clock that cannot be set. */
  given?: { answer: RequestAnswer; at: number; steadyAt: number };
}

/** Within a second a request that went away must be gone everywhere. */
const LOOK_EVERY_MS = 150;
/** After an answer: somebody waits to hear whether it was taken. */
const LOOK_AFTER_ANSWER_MS = 20;
/** If nothing has shown by then that the pane was first, the answer was taken. */
const TAKEN_AFTER_MS = 1_000;
/** The same for a program without a record of its own; its cancellation arrives at once. */
const TAKEN_WITHOUT_RECORD_AFTER_MS = 150;

export function holdRequests({ box, asker, readState, decision, timeOfDay }: Holding) {
  const { role } = asker;
  const waiting = new Set<Waiting>();
  let watch: FolderWatch | undefined;
  let timer: NodeJS.Timeout | undefined;
  tryTo(() => box.tidy(role));

  /** The answer goes to the agent before anything is written: it may be the last thing this process does. */
  function end(each: Waiting, how: RequestAnswer | "pane" | "gone"): void {
    if (!waiting.delete(each)) return;
    each.give(undefined);
    tryTo(() => box.end(each.stored, how));
    if (waiting.size > 0) return;
    watch?.close();
    watch = undefined;
    clearTimeout(timer);
  }

  function look(): void {
    const seen = readState();
    for (const each of waiting) {
      if (seen?.state === "asking") each.wasSeen = true;
      if (each.given) settle(each, each.given, seen);
      else if (hasLeft(each, seen)) end(each, "pane");
      else takeAnswer(each);
    }
    clearTimeout(timer);
    if (waiting.size === 0) return;
    const isUrgent = [...waiting].some(({ given }) => given !== undefined);
    timer = setTimeout(look, isUrgent ? LOOK_AFTER_ANSWER_MS : LOOK_EVERY_MS).unref();
  }

  function takeAnswer(each: Waiting): void {
    const answer = tryTo(() => box.takeAnswer(each.stored));
    if (answer === undefined || checkVerdict(each.stored.request, answer.verdict) !== undefined) return;
    each.given = { answer, at: timeOfDay(), steadyAt: performance.now() };
    each.give(answer.verdict);
  }

  /** Says where the request was answered, as soon as that is known. */
  function settle(each: Waiting, given: NonNullable<Waiting["given"]>, seen: Sighting | undefined): void {
    const { answer, at, steadyAt } = given;
    const isGone = hasLeft(each, seen);
    // If the clock was set back in between, the two times cannot be compared.
    if (isGone && seen !== undefined && seen.at < at && timeOfDay() >= at) return end(each, "pane");
    if (seen === undefined || !isDistinct(answer.verdict)) {
      const patienceMs = seen === undefined ? TAKEN_WITHOUT_RECORD_AFTER_MS : TAKEN_AFTER_MS;
      if (isGone || performance.now() - steadyAt > patienceMs) end(each, answer);
      return;
    }
    // Reported as taken only once the transcript shows that the pane did not answer first.
    const by = each.decidedBy();
    if (by !== undefined) end(each, by === "hook" ? answer : "pane");
    else if (performance.now() - (each.ranAt ?? Infinity) > TAKEN_AFTER_MS) end(each, answer);
  }

  return {
    /**
     * Resolves with the person's verdict, or with undefined if it was not given here. `onDropped` calls its action if
     * the agent no longer wants the answer, or is gone.
     */
    ask(
      asked: Asked,
      { toolInput, conversation }: HookCall,
      hook: { onDropped(action: (why: "cancelled" | "gone") => void): void },
    ): Promise<Verdict | undefined> {
      const askedAt = timeOfDay();
      const stored = tryTo(() => box.publish(asker, asked));
      // On a full disk the person answers in the pane.
      if (stored === undefined) return Promise.resolve(undefined);
      const about = { tool: stored.request.tool, toolInput, since: askedAt };
      const { transcript } = conversation ?? {};
      const decidedBy = () => (transcript === undefined ? undefined : decision(transcript, about));
      return new Promise((give) => {
        const each: Waiting = { stored, toolInput, askedAt, decidedBy, wasSeen: false, give };
        waiting.add(each);
        hook.onDropped((why) => end(each, why === "gone" ? "gone" : "pane"));
        watch ??= box.watch(role, look, { rescanMs: 1_000 });
        look();
      });
    },
    hear(call: HookCall): void {
      if (call.event === "asking" || call.event === "tool-begins") return;
      if (call.event !== "tool-ended") {
        for (const each of waiting)
          end(each, each.given && each.decidedBy() !== "person" ? each.given.answer : "pane");
        return;
      }
      const ran = findRun([...waiting], call, readState() !== undefined);
      if (ran === undefined) return;
      // A tool that runs although it was denied was allowed in the pane.
      if (ran.given === undefined || isDenied(ran)) return end(ran, "pane");
      ran.ranAt ??= performance.now();
      settle(ran, ran.given, readState());
    },
    close(): void {
      for (const each of waiting) end(each, "gone");
    },
  };
}

/**
 * Whether the program's record shows that the agent no longer waits. It lags behind the hook that asked, so it counts
 * only if it has said so before, or has changed since.
 */
function hasLeft({ wasSeen, askedAt }: Waiting, seen: Sighting | undefined): boolean {
  return seen !== undefined && seen.state !== "asking" && (wasSeen || seen.at > askedAt);
}

/** Whether a yes in the pane at the same moment would have another effect. */
function isDistinct(verdict: Verdict): boolean {
  return verdict.verdict !== "allow" || verdict.suggestions.length > 0;
}

function isDenied({ given }: Waiting): boolean {
  return given?.answer.verdict.verdict === "deny";
}

/**
 * The request whose tool has run: one with the same input. Of two that are the same, not the one that was denied.
 *
 * Questions and plans come back with another input, but these tools never run unasked. Any other tool may also run
 * unasked next to one that waits for the person, with another input. So an agent whose program keeps a record is
 * believed by that record alone if the input is not the same.
 */
function findRun(
  waiting: readonly Waiting[],
  { tool, toolInput }: HookCall,
  hasRecord: boolean,
): Waiting | undefined {
  const candidates = waiting.filter(({ stored }) => stored.request.tool === tool);
  const same = candidates.filter((each) => each.toolInput === toolInput);
  const [only, ...others] = candidates;
  const mayRunUnasked = hasRecord && only?.stored.request.kind === "permission";
  const certain = others.length === 0 && !mayRunUnasked ? only : undefined;
  return same.find((each) => !isDenied(each)) ?? same[0] ?? certain;
}
