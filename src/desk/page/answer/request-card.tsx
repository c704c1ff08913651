/** One request of an agent: shown whole, with every answer that it can be given. */
import type { ComponentChildren, TargetedEvent } from "preact";
import { useId, useState } from "preact/hooks";
import type { AgentRequest, Question, Verdict } from "../../../mail/records/request.ts";
import { nameRequest, nameSuggestion } from "../../../requests/describe-request.ts";
import { cleanCode, cleanForScreen, cleanLine, cleanProse } from "../../../system/clean-text.ts";
import { Button, ShownText, submits, TextBox, usePage } from "../page-parts.tsx";
import { Card } from "./card.tsx";
import { ActionView, ProseView, RestOfCall } from "./action-view.tsx";

interface AnswerProps {
  isAnswering: boolean;
  onAnswer: (verdict: Verdict) => void;
}

interface RequestCardProps extends AnswerProps {
  request: AgentRequest;
  /** Undefined if there is nothing to choose it together with. */
  isChosen: boolean | undefined;
  onChoose: (isChosen: boolean) => void;
}

export function RequestCard({ request, isChosen, onChoose, ...answering }: RequestCardProps) {
  const { texts, words, now } = usePage();
  const { role, id } = request;
  const age = texts.status.age((now - Date.parse(request.since)) / 1_000);
  const select = isChosen !== undefined && (
    <label class="option select">
      <input
        type="checkbox"
        checked={isChosen}
        aria-label={words.choose(role)}
        onChange={(event) => onChoose(event.currentTarget.checked)}
      />
      {words.select}
    </label>
  );
  return (
    <Card
      look="request"
      request={id}
      title={cleanForScreen(nameRequest(request, texts.answer))}
      isBusy={answering.isAnswering}
      extra={<span class="age">{texts.answer.since(age)}</span>}
      role={role}
    >
      <Content request={request} select={select} {...answering} />
    </Card>
  );
}

type ContentProps = AnswerProps & { request: AgentRequest; select: ComponentChildren };

function Content({ request, select, ...answering }: ContentProps) {
  const { texts, words } = usePage();
  if (request.kind === "oversized") return <p>{texts.answer.tooLarge(request.bytes)}</p>;
  if (request.kind === "question")
    return (
      <>
        <RestOfCall rest={request.rest} />
        <QuestionForm questions={request.questions} {...answering} />
        <div class="answers">
          <Refusal label={words.deny} {...answering} />
        </div>
      </>
    );
  const isPlan = request.kind === "plan";
  return (
    <>
      {isPlan ? <ProseView text={request.plan} /> : <ActionView action={request.action} />}
      <RestOfCall rest={request.rest} />
      <Permissions request={request} label={isPlan ? words.approve : words.allow} {...answering}>
        <Refusal label={isPlan ? words.sendBack : words.deny} {...answering} />
        {select}
      </Permissions>
    </>
  );
}

interface PermissionsProps extends AnswerProps {
  request: Extract<AgentRequest, { kind: "permission" | "plan" }>;
  label: string;
  /** Stands beside what allows it once. */
  children: ComponentChildren;
}

/** To allow it once; and apart from that, with each of the suggestions, or with all of them, because that lasts. */
function Permissions({ request, label, isAnswering, onAnswer, children }: PermissionsProps) {
  const { texts, words } = usePage();
  const all = request.suggestions.map((_, index) => index);
  const lasting = [
    ...request.suggestions.map((suggestion, index) => ({
      label: words.allowAnd(cleanCode(cleanLine(nameSuggestion(suggestion, texts.answer)))),
      suggestions: [index],
    })),
    ...(all.length > 1 ? [{ label: words.allowWithAll, suggestions: all }] : []),
  ];
  const allow = (suggestions: number[]): void => onAnswer({ verdict: "allow", suggestions });
  return (
    <>
      <div class="answers">
        <Button class="main" hotkey="a" disabled={isAnswering} label={label} onClick={() => allow([])} />
        {children}
      </div>
      {lasting.length > 0 && (
        <div class="lasting">
          {lasting.map((way, index) => (
            <Button
              key={index}
              disabled={isAnswering}
              label={way.label}
              onClick={() => allow(way.suggestions)}
            />
          ))}
        </div>
      )}
    </>
  );
}

/** Asks why only when the person has decided. */
function Refusal({ label, isAnswering, onAnswer }: AnswerProps & { label: string }) {
  const { words } = usePage();
  const [reason, setReason] = useState<string>();
  const cancel = ({ currentTarget }: TargetedEvent<HTMLElement>): void => {
    currentTarget.closest<HTMLElement>("[data-card]")?.focus();
    setReason(undefined);
  };
  if (reason === undefined)
    return <Button hotkey="d" disabled={isAnswering} label={label} onClick={() => setReason("")} />;
  return (
    <form class="refusal" onSubmit={submits(() => onAnswer({ verdict: "deny", reason }))}>
      <TextBox label={words.reason} value={reason} onText={setReason} takesFocus />
      <Button type="submit" class="main" disabled={isAnswering} label={label} />
      <Button label={words.cancel} onClick={cancel} />
    </form>
  );
}

interface GivenAnswer {
  chosen: number[];
  text: string;
}

const NO_ANSWER: GivenAnswer = { chosen: [], text: "" };

/** An agent's questions, each answered by an option, by several, or in the person's own words. */
function QuestionForm({
  questions,
  isAnswering,
  onAnswer,
}: AnswerProps & { questions: readonly Question[] }) {
  const { words } = usePage();
  const [given, setGiven] = useState<GivenAnswer[]>(() => questions.map(() => NO_ANSWER));
  const isComplete = given.every(({ chosen, text }) => chosen.length > 0 || text.trim() !== "");
  const submit = (): void => {
    const answers = given.map(({ chosen, text }) => ({ chosen, ...(text.trim() !== "" && { text }) }));
    onAnswer({ verdict: "answer", answers });
  };
  return (
    <form onSubmit={submits(submit)}>
      {questions.map((question, index) => (
        <OneQuestion
          key={index}
          question={question}
          answer={given[index] ?? NO_ANSWER}
          onChange={(answer) => setGiven(given.with(index, answer))}
        />
      ))}
      <div class="answers">
        <Button type="submit" class="main" disabled={isAnswering || !isComplete} label={words.answer} />
      </div>
    </form>
  );
}

interface OneQuestionProps {
  question: Question;
  answer: GivenAnswer;
  onChange: (answer: GivenAnswer) => void;
}

function OneQuestion({ question, answer, onChange }: OneQuestionProps) {
  const { ownWords } = usePage().words;
  const name = useId();
  const { several, options } = question;
  const choose = (index: number, isOn: boolean): void => {
    const others = several ? answer.chosen.filter((each) => each !== index) : [];
    const chosen = (isOn ? [...others, index] : others).toSorted((one, other) => one - other);
    // One option and one's own words exclude each other, as in the agent's own dialog.
    onChange({ chosen, text: several ? answer.text : "" });
  };
  return (
    <fieldset>
      <legend>
        {question.header !== "" && <small>{cleanProse(question.header)}: </small>}
        {cleanProse(question.text)}
      </legend>
      {options.map(({ label, description, preview }, index) => (
        <div key={index}>
          <label class="option">
            <input
              type={several ? "checkbox" : "radio"}
              name={name}
              checked={answer.chosen.includes(index)}
              onChange={(event) => choose(index, event.currentTarget.checked)}
            />
            <span>
              {cleanProse(label)}
              {description !== "" && <small> {cleanProse(description)}</small>}
            </span>
          </label>
          {preview !== undefined && <ShownText text={preview} />}
        </div>
      ))}
      <TextBox
        label={ownWords}
        value={answer.text}
        onText={(text) => onChange({ chosen: several || text === "" ? answer.chosen : [], text })}
      />
    </fieldset>
  );
}
