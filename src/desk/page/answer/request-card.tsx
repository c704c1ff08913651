/** One request of an agent: shown whole, with every answer that it can be given. */
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { AgentRequest, Verdict } from "../../../mail/records/request.ts";
import { nameRequest, nameSuggestion } from "../../../requests/describe-request.ts";
import { cleanCode, cleanForScreen, cleanLine } from "../../../system/clean-text.ts";
import { useTexts } from "../page-parts.tsx";
import { ActionView, PlanView, RestOfCall } from "./action-view.tsx";
import { QuestionForm } from "./question-form.tsx";

interface AnswerProps {
  isAnswering: boolean;
  onAnswer: (verdict: Verdict) => void;
}

export interface RequestCardProps extends AnswerProps {
  request: AgentRequest;
  now: number;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
}

export function RequestCard({ request, now, isChosen, onChoose, ...answering }: RequestCardProps) {
  const { status, answer, desk } = useTexts();
  const title = cleanForScreen(nameRequest(request, answer));
  const { place, isSteady } = useSteadiness();
  return (
    <article
      ref={place}
      class={isSteady ? "card request" : "card request moving"}
      aria-label={title}
      aria-busy={answering.isAnswering}
      data-request={request.id}
    >
      <header>
        {request.kind === "permission" && (
          <input
            type="checkbox"
            checked={isChosen}
            aria-label={desk.page.choose(request.role)}
            onChange={(event) => onChoose(event.currentTarget.checked)}
          />
        )}
        <h3>
          <span class={`dot ${request.role}`} aria-hidden="true" /> {title}
        </h3>
        <span class="age">{answer.since(status.age((now - Date.parse(request.since)) / 1_000))}</span>
      </header>
      <Content request={request} {...answering} />
    </article>
  );
}

function Content({ request, ...answering }: AnswerProps & { request: AgentRequest }) {
  const { answer, desk } = useTexts();
  const { allow, deny, approve, sendBack } = desk.page;
  switch (request.kind) {
    case "oversized":
      return <p>{answer.tooLarge(request.bytes)}</p>;
    case "question":
      return (
        <>
          <QuestionForm questions={request.questions} {...answering} />
          <Refusal label={deny} {...answering} />
          <RestOfCall rest={request.rest} />
        </>
      );
    case "plan":
      return (
        <>
          <PlanView plan={request.plan} />
          <RestOfCall rest={request.rest} />
          <Answers request={request} allow={approve} deny={sendBack} {...answering} />
        </>
      );
    case "permission":
      return (
        <>
          <ActionView action={request.action} />
          <RestOfCall rest={request.rest} />
          <Answers request={request} allow={allow} deny={deny} {...answering} />
        </>
      );
  }
}

interface AnswersProps extends AnswerProps {
  request: Extract<AgentRequest, { kind: "permission" | "plan" }>;
  allow: string;
  deny: string;
}

function Answers({ request, allow, deny, isAnswering, onAnswer }: AnswersProps) {
  const { answer, desk } = useTexts();
  const all = request.suggestions.map((_, index) => index);
  const ways = [
    { label: allow, suggestions: [] },
    ...request.suggestions.map((suggestion, index) => ({
      label: desk.page.allowAnd(cleanCode(cleanLine(nameSuggestion(suggestion, answer)))),
      suggestions: [index],
    })),
    ...(all.length > 1 ? [{ label: desk.page.allowWithAll, suggestions: all }] : []),
  ];
  return (
    <div class="answers">
      {ways.map(({ label, suggestions }, index) => (
        <button
          key={index}
          type="button"
          class={index === 0 ? "good" : undefined}
          disabled={isAnswering}
          onClick={() => onAnswer({ verdict: "allow", suggestions })}
        >
          {label}
        </button>
      ))}
      <Refusal label={deny} isAnswering={isAnswering} onAnswer={onAnswer} />
    </div>
  );
}

function Refusal({ label, isAnswering, onAnswer }: AnswerProps & { label: string }) {
  const { page } = useTexts().desk;
  const [reason, setReason] = useState("");
  return (
    <form
      class="refusal"
      onSubmit={(event) => {
        event.preventDefault();
        onAnswer({ verdict: "deny", reason });
      }}
    >
      <label>
        {page.reason}
        <textarea rows={1} value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
      </label>
      <button type="submit" class="bad" disabled={isAnswering}>
        {label}
      </button>
    </form>
  );
}

/** Longer than a person needs to see that something has moved, and to hold back a click. */
const STEADY_AFTER_MS = 400;

/**
 * Whether an element has been in its place for a moment. When a card goes away, the next one moves under the pointer:
 * a click that was meant for the first must not answer the second. It looks at each rendering, so what moves the element
 * has to be rendered together with it.
 */
function useSteadiness(): { place: RefObject<HTMLElement | null>; isSteady: boolean } {
  const place = useRef<HTMLElement>(null);
  const top = useRef<number | undefined>(undefined);
  const [movedAt, setMovedAt] = useState<number | undefined>(() => performance.now());
  useLayoutEffect(() => {
    const now = place.current?.offsetTop;
    if (now === top.current) return;
    top.current = now;
    setMovedAt(performance.now());
  });
  useEffect(() => {
    if (movedAt === undefined) return undefined;
    const timer = window.setTimeout(() => setMovedAt(undefined), STEADY_AFTER_MS);
    return () => window.clearTimeout(timer);
  }, [movedAt]);
  return { place, isSteady: movedAt === undefined };
}
