/** One request of an agent: shown whole, with every answer that it can be given. */
import { useState, useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { AgentRequest, Verdict } from "../../../mail/records/request.ts";
import type { StoredRequest } from "../../../requests/request-box.ts";
import type { PageTexts } from "../../../i18n/texts.ts";
import { nameRequest, nameSuggestion } from "../../../requests/name-request.ts";
import { cleanCode, cleanForScreen, cleanLine } from "../../../system/clean-text.ts";
import { ActionView, RestOfCall, PlanView } from "./action-view.tsx";
import { QuestionForm } from "./question-form.tsx";
import type { RefObject } from "preact";

export interface RequestCardProps {
  stored: StoredRequest;
  texts: PageTexts;
  now: number;
  isChosen: boolean;
  isAnswering: boolean;
  onChoose: (isChosen: boolean) => void;
  onAnswer: (verdict: Verdict) => void;
}

export function RequestCard(props: RequestCardProps) {
  const { stored, texts, now, isChosen, isAnswering, onChoose } = props;
  const { request } = stored;
  const page = texts.desk.page;
  const age = texts.status.age((now - Date.parse(request.since)) / 1_000);
  const title = cleanForScreen(nameRequest(request, texts.answer));
  const { place, isSteady } = useSteadiness();
  return (
    <article
      ref={place}
      class={isSteady ? "card request" : "card request moving"}
      aria-label={title}
      aria-busy={isAnswering}
      data-request={request.id}
    >
      <header>
        {request.kind === "permission" && (
          <input
            type="checkbox"
            checked={isChosen}
            aria-label={page.choose(request.role)}
            onChange={(event) => onChoose(event.currentTarget.checked)}
          />
        )}
        <h3>
          <span class={`dot ${request.role}`} aria-hidden="true" /> {title}
        </h3>
        <span class="age">{texts.answer.since(age)}</span>
      </header>
      <Content {...props} request={request} />
    </article>
  );
}

function Content({ request, texts, isAnswering, onAnswer }: RequestCardProps & { request: AgentRequest }) {
  const page = texts.desk.page;
  switch (request.kind) {
    case "oversized":
      return <p>{texts.answer.tooLarge(request.bytes)}</p>;
    case "question":
      return (
        <>
          <QuestionForm
            questions={request.questions}
            texts={texts}
            isBusy={isAnswering}
            onAnswer={onAnswer}
          />
          <RestOfCall rest={request.rest} texts={texts} />
        </>
      );
    case "plan":
      return (
        <>
          <PlanView plan={request.plan} />
          <RestOfCall rest={request.rest} texts={texts} />
          <Answers {...{ request, texts, isAnswering, onAnswer }} allow={page.approve} deny={page.sendBack} />
        </>
      );
    case "permission":
      return (
        <>
          <ActionView action={request.action} rest={request.rest} texts={texts} />
          <Answers {...{ request, texts, isAnswering, onAnswer }} allow={page.allow} deny={page.deny} />
        </>
      );
  }
}

interface AnswersProps extends Pick<RequestCardProps, "texts" | "isAnswering" | "onAnswer"> {
  request: Extract<AgentRequest, { kind: "permission" | "plan" }>;
  allow: string;
  deny: string;
}

function Answers({ request, texts, isAnswering, onAnswer, allow, deny }: AnswersProps) {
  const [reason, setReason] = useState("");
  const page = texts.desk.page;
  const all = request.suggestions.map((_, index) => index);
  const refuse = (): void => onAnswer({ verdict: "deny", reason });
  return (
    <div class="answers">
      <button type="button" class="good" disabled={isAnswering} onClick={() => onAnswer(allowing([]))}>
        {allow}
      </button>
      {request.suggestions.map((suggestion, index) => (
        <button key={index} type="button" disabled={isAnswering} onClick={() => onAnswer(allowing([index]))}>
          {page.allowAnd(cleanCode(cleanLine(nameSuggestion(suggestion, texts.answer))))}
        </button>
      ))}
      {all.length > 1 && (
        <button type="button" disabled={isAnswering} onClick={() => onAnswer(allowing(all))}>
          {page.allowWithAll}
        </button>
      )}
      <form
        class="refusal"
        onSubmit={(event) => {
          event.preventDefault();
          refuse();
        }}
      >
        <label>
          {page.reason}
          <textarea rows={1} value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
        </label>
        <button type="submit" class="bad" disabled={isAnswering}>
          {deny}
        </button>
      </form>
    </div>
  );
}

function allowing(suggestions: number[]): Verdict {
  return { verdict: "allow", suggestions };
}

/**
 * Whether an element has been in its place for a moment. When a card goes away, the next one moves under the pointer:
 * a click that was meant for the first must not answer the second.
 */

/** Longer than a person needs to see that something has moved, and to hold back a click. */
const STEADY_AFTER_MS = 400;

/** Looks at each rendering, so what moves the element has to be rendered together with it. */
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
