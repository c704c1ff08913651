/** An agent's questions, each answered by an option, by several, or in the person's own words. */
import { useId, useState } from "preact/hooks";
import type { Question, Verdict } from "../../../mail/records/request.ts";
import { cleanProse } from "../../../system/clean-text.ts";
import { ShownText, useTexts } from "../page-parts.tsx";

interface GivenAnswer {
  chosen: number[];
  text: string;
}

const NO_ANSWER: GivenAnswer = { chosen: [], text: "" };

interface QuestionFormProps {
  questions: readonly Question[];
  isAnswering: boolean;
  onAnswer: (verdict: Verdict) => void;
}

export function QuestionForm({ questions, isAnswering, onAnswer }: QuestionFormProps) {
  const { page } = useTexts().desk;
  const [given, setGiven] = useState<GivenAnswer[]>(() => questions.map(() => NO_ANSWER));
  const isComplete = given.every(({ chosen, text }) => chosen.length > 0 || text.trim() !== "");
  return (
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
          answer={given[index] ?? NO_ANSWER}
          onChange={(answer) => setGiven(given.with(index, answer))}
        />
      ))}
      <div class="answers">
        <button type="submit" class="good" disabled={isAnswering || !isComplete}>
          {page.answer}
        </button>
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
  const { ownWords } = useTexts().desk.page;
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
      <label>
        {ownWords}
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
