/** What needs the person: open requests first, oldest first, then everything else and the way there. */
import type { ArmyView } from "../../../view/describe-army.ts";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Role } from "../../../army/roles.ts";
import type { Verdict } from "../../../mail/records/request.ts";
import type { StoredRequest } from "../../../requests/request-box.ts";
import type { PageTexts } from "../../../i18n/texts.ts";
import type { AnswerOutcome } from "../../../requests/answer-request.ts";
import { needsIn, type Need, formatNeed, formatWayTo } from "../../../view/need.ts";
import { cleanForScreen } from "../../../system/clean-text.ts";
import type { DeskAnswer, DeskCalls } from "../call-desk.ts";
import { PaneScreen } from "../pane-screen.tsx";
import { RestartButton } from "./restart-button.tsx";
import { RequestCard } from "./request-card.tsx";

interface NeedsProps {
  view: ArmyView;
  requests: readonly StoredRequest[];
  calls: DeskCalls;
  texts: PageTexts;
  now: number;
}

interface Notice {
  id: string;
  text: string;
}

const MOST_NOTICES = 5;
/** What cannot be answered here is shown as its pane shows it; the first look may come before it is drawn. */
const LOOKS_AT_A_QUESTION = 2;

export function Needs({ view, requests, calls, texts, now }: NeedsProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [answering, setAnswering] = useState<ReadonlySet<string>>(new Set());
  const [notices, setNotices] = useState<Notice[]>([]);
  const page = texts.desk.page;
  const { heading, hasFocus } = useKeptFocus();
  const note = (notice: Notice): void =>
    setNotices((before) => [notice, ...before.filter(({ id }) => id !== notice.id)].slice(0, MOST_NOTICES));
  const answer = async ({ request, digest }: StoredRequest, verdict: Verdict): Promise<void> => {
    const { id, role } = request;
    setAnswering((before) => new Set(before).add(id));
    const outcome = await calls.post<AnswerOutcome>("answer", { role, id, digest, verdict });
    setAnswering((before) => without(before, id));
    setChosen((before) => without(before, id));
    const text = tellOutcome(outcome, role, texts);
    note({ id, text });
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
      {requests.map((stored) => (
        <RequestCard
          key={stored.request.id}
          stored={stored}
          texts={texts}
          now={now}
          isChosen={chosen.has(stored.request.id)}
          isAnswering={answering.has(stored.request.id)}
          onChoose={(isOn) => {
            const { id } = stored.request;
            setChosen((before) => (isOn ? new Set(before).add(id) : without(before, id)));
          }}
          onAnswer={(verdict) => void answer(stored, verdict)}
        />
      ))}
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
        <article key={role.role} class="card need">
          <h3>
            <span class={`dot ${role.role}`} aria-hidden="true" />{" "}
            {cleanForScreen(formatNeed(need, role.role, texts))}
          </h3>
          <p>
            <code>
              {cleanForScreen(
                formatWayTo({ session: view.session, view: role, need, within: undefined }, texts.status),
              )}
            </code>
          </p>
          {need.kind === "asking" && (
            <PaneScreen
              key={role.agent.since ?? ""}
              role={role.role}
              looks={LOOKS_AT_A_QUESTION}
              {...{ calls, texts }}
            />
          )}
          {canRestart(need) && (
            <RestartButton
              role={role.role}
              {...{ calls, texts }}
              onDone={(text) => note({ id: role.role, text })}
            />
          )}
        </article>
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

/** Its pane is there, and its agent is not, or cannot get mail. */
function canRestart(need: Need): boolean {
  return need.kind === "cut-off" || (need.kind === "gone" && !need.closed);
}

function tellOutcome(answer: DeskAnswer<AnswerOutcome>, role: Role, texts: PageTexts): string {
  if ("problem" in answer) return texts.desk.page.failed(answer.problem);
  const { value } = answer;
  const { outcomes } = texts.answer;
  return value.outcome === "already" ? outcomes.already(role, value.by) : outcomes[value.outcome](role);
}

function without(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const rest = new Set(set);
  rest.delete(id);
  return rest;
}
