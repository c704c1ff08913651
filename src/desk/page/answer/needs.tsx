/** What needs the person: open requests first, oldest first, then everything else and the way there. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Role } from "../../../army/roles.ts";
import type { PageTexts } from "../../../i18n/texts.ts";
import type { Verdict } from "../../../mail/records/request.ts";
import type { AnswerOutcome } from "../../../requests/answer-request.ts";
import type { StoredRequest } from "../../../requests/request-box.ts";
import { cleanForScreen } from "../../../system/clean-text.ts";
import type { ArmyView, RoleView } from "../../../view/describe-army.ts";
import { formatNeed, formatWayTo, needsIn, type Need } from "../../../view/need.ts";
import type { DeskRestart } from "../../desk-routes.ts";
import type { DeskAnswer, DeskCalls } from "../call-desk.ts";
import { useTexts } from "../page-parts.tsx";
import { PaneScreen } from "../pane-screen.tsx";
import { RequestCard } from "./request-card.tsx";

interface NeedsProps {
  view: ArmyView;
  requests: readonly StoredRequest[];
  calls: DeskCalls;
  now: number;
}

interface Notice {
  id: string;
  text: string;
}

const MOST_NOTICES = 5;

export function Needs({ view, requests, calls, now }: NeedsProps) {
  const texts = useTexts();
  const { page } = texts.desk;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [answering, setAnswering] = useState<ReadonlySet<string>>(new Set());
  const [notices, setNotices] = useState<Notice[]>([]);
  const { heading, hasFocus } = useKeptFocus();
  const note = (notice: Notice): void =>
    setNotices((before) => [notice, ...before.filter(({ id }) => id !== notice.id)].slice(0, MOST_NOTICES));
  const answer = async ({ request, digest }: StoredRequest, verdict: Verdict): Promise<void> => {
    const { id, role } = request;
    setAnswering((before) => withOrWithout(before, id, true));
    const outcome = await calls.post<AnswerOutcome>("answer", { role, id, digest, verdict });
    setAnswering((before) => withOrWithout(before, id, false));
    setChosen((before) => withOrWithout(before, id, false));
    note({ id, text: formatOutcome(outcome, role, texts) });
  };
  const selected = requests.filter(({ request }) => request.kind === "permission" && chosen.has(request.id));
  const answerAll = (verdict: Verdict): void => {
    for (const stored of selected) void answer(stored, verdict);
  };
  const askers = new Set(requests.map(({ request }) => request.role));
  const others = needsIn(view).filter(
    ({ view: { role }, need }) => need.kind !== "asking" || !askers.has(role),
  );
  return (
    <section aria-labelledby="needs" class="needs" onFocusIn={() => (hasFocus.current = true)}>
      <h2 id="needs" ref={heading} tabIndex={-1}>
        {page.needsYou}
      </h2>
      <div role="status" class="notices">
        {notices.map((notice) => (
          <p key={notice.id} class="notice">
            {notice.text}{" "}
            <button
              type="button"
              onClick={() => setNotices((before) => before.filter((each) => each !== notice))}
            >
              {page.dismiss}
            </button>
          </p>
        ))}
      </div>
      {requests.length + others.length === 0 && <p class="quiet">{page.nothingNeedsYou}</p>}
      {requests.map((stored) => {
        const { request } = stored;
        return (
          <RequestCard
            key={request.id}
            request={request}
            now={now}
            isChosen={chosen.has(request.id)}
            isAnswering={answering.has(request.id)}
            onChoose={(isOn) => setChosen((before) => withOrWithout(before, request.id, isOn))}
            onAnswer={(verdict) => void answer(stored, verdict)}
          />
        );
      })}
      {selected.length > 0 && (
        <div class="together">
          <span>{page.chosen(selected.length)}</span>
          <button type="button" class="good" onClick={() => answerAll({ verdict: "allow", suggestions: [] })}>
            {page.allowChosen}
          </button>
          <button type="button" class="bad" onClick={() => answerAll({ verdict: "deny", reason: "" })}>
            {page.denyChosen}
          </button>
        </div>
      )}
      {others.map(({ view: role, need }) => (
        <NeedCard
          key={role.role}
          session={view.session}
          view={role}
          need={need}
          calls={calls}
          onDone={(text) => note({ id: role.role, text })}
        />
      ))}
    </section>
  );
}

/** A card that goes away with the focus in it leaves the focus here, so that the keyboard goes on with the next card. */
function useKeptFocus() {
  const heading = useRef<HTMLHeadingElement>(null);
  const hasFocus = useRef(false);
  useLayoutEffect(() => {
    if (hasFocus.current && document.activeElement === document.body)
      heading.current?.focus({ preventScroll: true });
    hasFocus.current = heading.current?.parentElement?.contains(document.activeElement) ?? false;
  });
  return { heading, hasFocus };
}

function formatOutcome(answer: DeskAnswer<AnswerOutcome>, role: Role, texts: PageTexts): string {
  if ("problem" in answer) return texts.desk.page.failed(answer.problem);
  const { value } = answer;
  const { outcomes } = texts.answer;
  return value.outcome === "already" ? outcomes.already(role, value.by) : outcomes[value.outcome](role);
}

function withOrWithout(set: ReadonlySet<string>, id: string, isIn: boolean): ReadonlySet<string> {
  return new Set(isIn ? [...set, id] : [...set].filter((each) => each !== id));
}

interface NeedCardProps {
  session: string;
  view: RoleView;
  need: Need;
  calls: DeskCalls;
  /** Called with the outcome of a restart. */
  onDone: (sentence: string) => void;
}

/** What cannot be answered here is shown as its pane shows it; the first look may come before it is drawn. */
const LOOKS_AT_A_QUESTION = 2;

function NeedCard({ session, view, need, calls, onDone }: NeedCardProps) {
  const texts = useTexts();
  const { role, agent } = view;
  // Its pane is there, and its agent is not, or cannot get mail.
  const canRestart = need.kind === "cut-off" || (need.kind === "gone" && !need.closed);
  return (
    <article class="card need">
      <h3>
        <span class={`dot ${role}`} aria-hidden="true" /> {cleanForScreen(formatNeed(need, role, texts))}
      </h3>
      <p>
        <code>{cleanForScreen(formatWayTo({ session, view, need, within: undefined }, texts.status))}</code>
      </p>
      {need.kind === "asking" && (
        <PaneScreen key={agent.since ?? ""} role={role} looks={LOOKS_AT_A_QUESTION} calls={calls} />
      )}
      {canRestart && <RestartButton role={role} calls={calls} onDone={onDone} />}
    </article>
  );
}

/** Restarts an agent that is not running or cannot get mail; asks first. */
function RestartButton({ role, calls, onDone }: Pick<NeedCardProps, "calls" | "onDone"> & { role: Role }) {
  const texts = useTexts();
  const { page } = texts.desk;
  const [step, setStep] = useState<"offer" | "ask" | "wait">("offer");
  const restart = async (): Promise<void> => {
    setStep("wait");
    const answer = await calls.post<DeskRestart>("restart", { role });
    onDone("problem" in answer ? page.failed(answer.problem) : formatRestart(answer.value, texts));
    setStep("offer");
  };
  if (step === "wait") return <p role="status">{page.restarting(role)}</p>;
  if (step === "offer")
    return (
      <p>
        <button type="button" onClick={() => setStep("ask")}>
          {page.restart(role)}
        </button>
      </p>
    );
  return (
    <p role="group" aria-label={page.restartSure(role)}>
      {page.restartSure(role)}{" "}
      <button type="button" class="good" onClick={() => void restart()}>
        {page.restartYes}
      </button>{" "}
      <button type="button" onClick={() => setStep("offer")}>
        {page.cancel}
      </button>
    </p>
  );
}

function formatRestart({ role, outcome, why }: DeskRestart, { conversation, desk }: PageTexts): string {
  if (outcome === "not-needed") return desk.page.restartNotNeeded(role);
  return why === undefined
    ? conversation.restarts[outcome](role)
    : conversation.beginsAnew(role, conversation.beginnings[why]);
}
