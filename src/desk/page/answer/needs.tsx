/** What needs the person: open requests first, oldest first, then everything else and the way there. */
import { useState } from "preact/hooks";
import type { Role } from "../../../army/roles.ts";
import type { PageTexts } from "../../../i18n/texts.ts";
import type { Verdict } from "../../../mail/records/request.ts";
import type { AnswerOutcome, StoredRequest } from "../../../requests/request-box.ts";
import { cleanForScreen } from "../../../system/clean-text.ts";
import type { ArmyView, RoleView } from "../../../view/describe-army.ts";
import { formatNeed, formatWayTo, type needsIn, type Need } from "../../../view/need.ts";
import type { DeskRestart } from "../../desk-routes.ts";
import type { DeskAnswer } from "../call-desk.ts";
import { Button, SureButton, useKeptFocus, usePage } from "../page-parts.tsx";
import { PaneScreen } from "../pane-screen.tsx";
import { ProseView } from "./action-view.tsx";
import { Card } from "./card.tsx";
import { RequestCard } from "./request-card.tsx";

const MOST_NOTICES = 5;

interface NeedsProps {
  view: ArmyView;
  requests: readonly StoredRequest[];
  /** Needs that are not such a request. */
  others: ReturnType<typeof needsIn>;
  onReply: (role: Role, subject?: string) => void;
}

export function Needs({ view, requests, others, onReply }: NeedsProps) {
  const { texts, words, calls } = usePage();
  /** What the person is doing with requests, by id. */
  const [begun, setBegun] = useState<ReadonlyMap<string, "chosen" | "answering">>(new Map());
  const [notices, setNotices] = useState<{ id: string; text: string }[]>([]);
  const { heading, hasFocus } = useKeptFocus();
  const note = (id: string, text: string): void =>
    setNotices((before) => [{ id, text }, ...before.filter((each) => each.id !== id)].slice(0, MOST_NOTICES));
  const begin = (id: string, what: "chosen" | "answering" | "nothing"): void =>
    setBegun((before) => {
      const rest = [...before].filter(([each]) => each !== id);
      return new Map(what === "nothing" ? rest : [...rest, [id, what]]);
    });
  const answer = async ({ request, digest }: StoredRequest, verdict: Verdict): Promise<void> => {
    const { id, role } = request;
    begin(id, "answering");
    const outcome = await calls.post("answer", { role, id, digest, verdict });
    begin(id, "nothing");
    note(id, formatAnswered(outcome, role, texts));
  };
  const chosen = requests.filter(({ request }) => begun.get(request.id) === "chosen");
  const answerChosen = (verdict: Verdict): void => {
    for (const stored of chosen) void answer(stored, verdict);
  };
  const canChoose = requests.filter(({ request }) => request.kind === "permission").length > 1;
  return (
    <section aria-labelledby="needs" class="needs" onFocusIn={() => (hasFocus.current = true)}>
      <h2 id="needs" ref={heading} tabIndex={-1}>
        {words.needsYou}
      </h2>
      <div role="status" class="notices">
        {notices.map((notice) => (
          <p key={notice.id} class="notice">
            {notice.text}{" "}
            <Button
              class="quiet"
              label={words.dismiss}
              onClick={() => setNotices(notices.filter((each) => each !== notice))}
            />
          </p>
        ))}
      </div>
      {requests.length + others.length === 0 && <Nothing view={view} />}
      {requests.map((stored) => {
        const { request } = stored;
        return (
          <RequestCard
            key={request.id}
            request={request}
            isChosen={
              canChoose && request.kind === "permission" ? begun.get(request.id) === "chosen" : undefined
            }
            isAnswering={begun.get(request.id) === "answering"}
            onChoose={(isOn) => begin(request.id, isOn ? "chosen" : "nothing")}
            onAnswer={(verdict) => void answer(stored, verdict)}
          />
        );
      })}
      {chosen.length > 0 && (
        <div class="together">
          <span>{words.chosen(chosen.length)}</span>
          <Button
            class="main"
            label={words.allowChosen}
            onClick={() => answerChosen({ verdict: "allow", suggestions: [] })}
          />
          <Button label={words.denyChosen} onClick={() => answerChosen({ verdict: "deny", reason: "" })} />
        </div>
      )}
      {others.map(({ view: each, need }) => (
        <NeedCard
          key={each.role}
          session={view.session}
          view={each}
          need={need}
          onDone={(text) => note(each.role, text)}
          onReply={onReply}
        />
      ))}
    </section>
  );
}

function Nothing({ view }: { view: ArmyView }) {
  const { texts, words, now } = usePage();
  const since = view.roles.flatMap(({ agent }) =>
    agent.state === "busy" && agent.since ? [agent.since] : [],
  );
  const [first] = since.toSorted();
  const age = first === undefined ? "" : texts.status.age((now - Date.parse(first)) / 1_000);
  return (
    <p class="quiet">
      {words.nothingNeedsYou} {view.state === "live" && words.atWork(since.length, age)}
    </p>
  );
}

function formatAnswered(answer: DeskAnswer<AnswerOutcome>, role: Role, texts: PageTexts): string {
  if ("problem" in answer) return texts.desk.page.failed(answer.problem);
  const { value } = answer;
  const { outcomes } = texts.answer;
  return value.outcome === "already" ? outcomes.already(role, value.by) : outcomes[value.outcome](role);
}

interface NeedCardProps {
  session: string;
  view: RoleView;
  need: Need;
  /** Called with what came of what the person did. */
  onDone: (sentence: string) => void;
  onReply: NeedsProps["onReply"];
}

/** What the person answers with words of their own. */
const SAID_IN_WORDS = new Set<string>(["question", "blocked", "stalled"]);

type ActProps = Pick<NeedCardProps, "onDone"> & { role: Role };

/** What cannot be answered here is shown as its pane shows it; the first look may come before it is drawn. */
const LOOKS_AT_A_QUESTION = 2;

function NeedCard({ session, view, need, onDone, onReply }: NeedCardProps) {
  const { texts, words } = usePage();
  const { role, agent } = view;
  const question = need.kind === "question" ? need.question : null;
  const look = question ? "request" : "need";
  const title = cleanForScreen(
    question ? words.asksYou(role, question.subject) : formatNeed(need, role, texts),
  );
  // Its pane is there, and its agent is not, or cannot get mail.
  const canRestart = need.kind === "cut-off" || (need.kind === "gone" && !need.closed);
  return (
    <Card look={look} role={role} title={title}>
      {question ? (
        <ProseView text={question.body} />
      ) : (
        <p>
          <code>{cleanForScreen(formatWayTo({ session, view, need, within: undefined }, texts.status))}</code>
        </p>
      )}
      {SAID_IN_WORDS.has(need.kind) && (
        <div class="answers">
          <Button
            class="main"
            hotkey="r"
            label={words.reply}
            onClick={() => onReply(role, question?.subject)}
          />
        </div>
      )}
      {need.kind === "asking" && (
        <PaneScreen key={agent.since ?? ""} role={role} looks={LOOKS_AT_A_QUESTION} />
      )}
      {canRestart && <RestartButton role={role} onDone={onDone} />}
      {(need.kind === "brake" || need.kind === "budget") && <HeldButtons role={role} onDone={onDone} />}
    </Card>
  );
}

/** Lets what is held go on, or leaves it held. */
function HeldButtons({ role, onDone }: ActProps) {
  const { texts, words, calls } = usePage();
  const decide = async (says: "go" | "stop"): Promise<void> => {
    const answer = await calls.post("held", { role, says });
    if ("problem" in answer) return onDone(words.failed(answer.problem));
    const { says: decided } = answer.value;
    onDone(decided === null ? texts.answer.noneOf(role) : texts.answer.held[decided](role));
  };
  return (
    <div class="answers">
      <Button class="main" hotkey="a" label={words.goOn} onClick={() => void decide("go")} />
      <Button hotkey="d" label={words.leaveHeld} onClick={() => void decide("stop")} />
    </div>
  );
}

/** Restarts an agent that is not running or cannot get mail; asks first. */
function RestartButton({ role, onDone }: ActProps) {
  const { texts, words, calls } = usePage();
  const restart = async (): Promise<void> => {
    const answer = await calls.post("restart", { role });
    onDone("problem" in answer ? words.failed(answer.problem) : formatRestart(answer.value, texts));
  };
  return (
    <SureButton
      label={words.restart(role)}
      sure={words.restartSure(role)}
      yes={words.restartYes}
      waiting={words.restarting(role)}
      act={restart}
    />
  );
}

function formatRestart({ role, outcome, why }: DeskRestart, { conversation, desk }: PageTexts): string {
  if (outcome === "not-needed") return desk.page.restartNotNeeded(role);
  return why === undefined
    ? conversation.restarts[outcome](role)
    : conversation.beginsAnew(role, conversation.beginnings[why]);
}
