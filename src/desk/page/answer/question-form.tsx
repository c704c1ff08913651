/** An agent's questions, each answered by an option, by several, or in the person's own words. */
import { useId, useState } from "preact/hooks";
import type { Question } from "../../../mail/records/request.ts";
import type { Verdict } from "../../../mail/records/request.ts";
import type { PageTexts } from "../../../i18n/texts.ts";
import { cleanProse } from "../../../system/clean-text.ts";
import { ShownText } from "../shown-text.tsx";

interface GivenAnswer {
  chosen: number[];
  text: string;
}

interface QuestionFormProps {
  questions: readonly Question[];
  texts: PageTexts;
  isBusy: boolean;
  onAnswer: (verdict: Verdict) => void;
}

export function QuestionForm({ questions, texts, isBusy, onAnswer }: QuestionFormProps) {
  const [given, setGiven] = useState<GivenAnswer[]>(() => questions.map(() => ({ chosen: [], text: "" })));
  const [reason, setReason] = useState("");
  const page = texts.desk.page;
  const change = (index: number, answer: GivenAnswer): void =>
    setGiven(given.map((each, position) => (position === index ? answer : each)));
  const isComplete = given.every(({ chosen, text }) => chosen.length > 0 || text.trim() !== "");
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const answers = given.map(({ chosen, text }) => ({ chosen, ...(text.trim() !== "" && { text }) }));
          onAnswer({ verdict: "answer", answers });
        }}
      >
        {questions.map((question, index) => (
          <OneQuestion
            key={index}
            question={question}
            answer={given[index] ?? { chosen: [], text: "" }}
            texts={texts}
            onChange={(answer) => change(index, answer)}
          />
        ))}
        <div class="answers">
          <button type="submit" class="good" disabled={isBusy || !isComplete}>
            {page.answer}
          </button>
        </div>
      </form>
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
        <button type="submit" class="bad" disabled={isBusy}>
          {page.deny}
        </button>
      </form>
    </>
  );
}

interface OneQuestionProps {
  question: Question;
  answer: GivenAnswer;
  texts: PageTexts;
  onChange: (answer: GivenAnswer) => void;
}

function OneQuestion({ question, answer, texts, onChange }: OneQuestionProps) {
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
          {preview !== undefined && <ShownText text={preview} texts={texts} />}
        </div>
      ))}
      <label>
        {texts.desk.page.ownWords}
        <textarea
          rows={1}
          value={answer.text}
          onInput={(event) => {
            const text = event.currentTarget.value;
            onChange({ chosen: several || text === "" ? answer.chosen : [], text });
          }}
        />
      </label>
    </fieldset>
  );
}
