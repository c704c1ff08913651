/** The plan: each task that is not finished and the last that landed; opened, what it changes, its check, and what can be done. */
import { Fragment } from "preact";
import { useState } from "preact/hooks";
import { cleanCode, cleanForScreen, cleanProse } from "../../system/clean-text.ts";
import type { ChangedFile, PlannedTask, PlanView } from "../../view/describe-plan.ts";
import {
  Button,
  HiddenNote,
  ShownText,
  submits,
  SureButton,
  TextBox,
  useAnswer,
  useKeptFocus,
  usePage,
} from "./page-parts.tsx";
import { Mark, RoleName } from "./marks.tsx";
import { ColouredText } from "./pane-screen.tsx";

/** An army in the archive can only be looked at. */
export function Plan({ plan, isArchived }: { plan: PlanView; isArchived: boolean }) {
  const { words } = usePage();
  const { heading, hasFocus } = useKeptFocus();
  const [said, setSaid] = useState<string>();
  const { tasks, lastLanded, more, landed, dropped } = plan;
  const all = landed + tasks.length + more;
  // Known here, because one that lands moves to the other list, and stays open.
  const [open, setOpen] = useState<readonly string[]>([]);
  const toggle = (id: string): void =>
    setOpen(open.includes(id) ? open.filter((each) => each !== id) : [...open, id]);
  const card = (task: PlannedTask) => (
    <TaskCard
      key={task.id}
      isFixed={isArchived}
      isOpen={open.includes(task.id)}
      onToggle={() => toggle(task.id)}
      onDone={setSaid}
      task={task}
    />
  );
  return (
    <section aria-labelledby="plan" class="tasks" onFocusIn={() => (hasFocus.current = true)}>
      <h2 id="plan" ref={heading} tabIndex={-1}>
        {words.plan}{" "}
        {all > 0 && <progress value={landed} max={all} aria-label={words.landedOf(landed, all)} />}
        {all > 0 && <small aria-hidden="true">{`${landed}/${all}`}</small>}
      </h2>
      <div role="status">
        {said !== undefined && (
          <p class="notice">
            {cleanProse(said)}{" "}
            <Button class="quiet" label={words.dismiss} onClick={() => setSaid(undefined)} />
          </p>
        )}
      </div>
      {tasks.length === 0 && <p class="quiet">{words.nothingPlanned}</p>}
      <ul>{tasks.map(card)}</ul>
      {more > 0 && <p class="note">{words.moreTasks(more)}</p>}
      <ul class="over">{lastLanded.map(card)}</ul>
      {dropped > 0 && <p class="note">{words.dropped(dropped)}</p>}
      {landed > 0 && !isArchived && <LandButton onDone={setSaid} />}
    </section>
  );
}

interface ActionProps {
  onDone: (sentence: string) => void;
}

function LandButton({ onDone }: ActionProps) {
  const { texts, words, calls } = usePage();
  const [isWaiting, setWaiting] = useState(false);
  const land = async (): Promise<void> => {
    setWaiting(true);
    const answer = await calls.post("land", {});
    setWaiting(false);
    if ("problem" in answer) return onDone(words.failed(answer.problem));
    onDone(texts.work.home(answer.value.result, answer.value.target, false));
  };
  return (
    <p class="land">
      <Button disabled={isWaiting} label={words.bringHome} onClick={() => void land()} />{" "}
      <span role="status">{isWaiting && words.bringingHome}</span>
    </p>
  );
}

/** `isFixed`: nothing can be done with it. */
interface TaskProps extends ActionProps {
  task: PlannedTask;
  isFixed: boolean;
}

interface TaskCardProps extends TaskProps {
  isOpen: boolean;
  onToggle: () => void;
}

function TaskCard({ task, isFixed, isOpen, onToggle, onDone }: TaskCardProps) {
  const { texts, now } = usePage();
  const { id, title, state, owner, to, since, after, outcome } = task;
  const age = since === null ? "" : texts.status.age((now - Date.parse(since)) / 1_000);
  return (
    <li class={`card task ${state}`} data-task={id}>
      <button type="button" class="task-row" aria-expanded={isOpen} onClick={onToggle}>
        <span class={`task-mark ${state}`}>
          <Mark is={state} />
        </span>{" "}
        <b>{id}</b> <bdi>{cleanForScreen(title)}</bdi>
        <span class="task-facts">
          {owner && <RoleName role={owner} />}
          {to && !owner && (
            <>
              → <RoleName role={to} />
            </>
          )}{" "}
          <span class={`task-state ${state}`}>{texts.work.states[state]}</span> <span class="age">{age}</span>
        </span>
        {after.length > 0 && <small>{texts.work.after(after.join(", "))}</small>}
        {outcome?.is === "landed" && !outcome.checked && <small>{texts.work.outcome(outcome)}</small>}
        {outcome && outcome.is !== "landed" && (
          <span class="warning">{cleanProse(texts.work.outcome(outcome))}</span>
        )}
      </button>
      {isOpen && <TaskView {...{ task, isFixed, onDone }} />}
    </li>
  );
}

function TaskView({ task, isFixed, onDone }: TaskProps) {
  const { texts, words } = usePage();
  const { id, state, outcome, tries } = task;
  // What is known about it changes with its state.
  const { value, problem } = useAnswer("task", { id, state, tries: String(tries) });
  if (value === undefined) return <p class="note">{problem ? words.failed(problem) : words.connecting}</p>;
  const wasChecked = outcome?.is === "red" || (outcome?.is === "landed" && outcome.checked);
  return (
    <div class="task-body">
      {value.goal !== "" && <ShownText text={value.goal} />}
      <dl>
        <dt>{words.branch}</dt>
        <dd>
          <code>{cleanCode(value.branch)}</code>
        </dd>
        <dt>{words.check}</dt>
        <dd>{value.check === null ? words.noCheck : <code>{cleanCode(value.check)}</code>}</dd>
      </dl>
      {value.tries.map(({ number, outcome: came }) => (
        <Fragment key={number}>
          <h4>{words.attempt(number, cleanProse(texts.work.outcome(came)))}</h4>
          {(came?.is === "words" || came?.is === "conflict") && <ShownText text={came.said} />}
        </Fragment>
      ))}
      {(state === "landing" || wasChecked) && <CheckOutput id={id} isRunning={state === "landing"} />}
      {state !== "open" && <Changes task={task} />}
      {!isFixed && <Actions task={task} onDone={onDone} />}
    </div>
  );
}

const LOOK_EVERY_MS = 1_000;

function CheckOutput({ id, isRunning }: { id: string; isRunning: boolean }) {
  const { words } = usePage();
  const title = isRunning ? words.checkRuns : words.checkOutput;
  const looks = { everyMs: LOOK_EVERY_MS, times: isRunning ? Infinity : 1 };
  const { value, problem } = useAnswer("check", { id }, looks);
  const lines = value?.lines ?? [];
  return (
    <>
      <h4>{title}</h4>
      {problem && <p class="note">{words.failed(problem)}</p>}
      {lines.length === 0 ? (
        <p class="note">{words.noOutput}</p>
      ) : (
        <ColouredText lines={lines} label={title} />
      )}
    </>
  );
}

/** Read from git when the person opens the task, and again when something new was handed in. */
function Changes({ task: { id, state, tries } }: { task: PlannedTask }) {
  const { words } = usePage();
  const { value, problem } = useAnswer("diff", { id, state, tries: String(tries) });
  if (value === undefined) return <p class="note">{problem ? words.failed(problem) : words.connecting}</p>;
  const { files, more } = value;
  return (
    <>
      <h4>
        {state === "landed" ? words.hasChanged(files.length + more) : words.wouldChange(files.length + more)}
      </h4>
      {files.map((file) => (
        <FileView key={file.path} file={file} />
      ))}
      {more > 0 && <p class="note">{words.moreFiles(more, id)}</p>}
    </>
  );
}

function FileView({ file }: { file: ChangedFile }) {
  const { words } = usePage();
  const [isOpen, setOpen] = useState(false);
  const { path, from, added, removed, patch, isCut } = file;
  const name = from === undefined ? path : `${from} → ${path}`;
  const lines = patch.split("\n").map((line) => ({ line, shown: cleanCode(line.replaceAll("\r", "␍")) }));
  return (
    <details class="file" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <code>{cleanCode(name.replaceAll(/[\n\r]/g, "␊"))}</code>{" "}
        {added === null ? (
          <small>{words.binary}</small>
        ) : (
          <>
            <span class="plus">+{added}</span> <span class="minus">−{removed}</span>
          </>
        )}
      </summary>
      {isOpen && (
        <>
          {patch !== "" && (
            <pre class="text diff" tabIndex={0}>
              {lines.map(({ line, shown }, index) => (
                <span key={index} class={KINDS[line[0] ?? ""] ?? "told"}>{`${shown}\n`}</span>
              ))}
            </pre>
          )}
          <HiddenNote isHidden={lines.some(({ line, shown }) => line !== shown)} />
          {isCut && <p class="note">{words.cutFile}</p>}
        </>
      )}
    </details>
  );
}

const KINDS: Record<string, string> = { "+": "added", "-": "removed", " ": "kept" };

function Actions({ task: { id, state }, onDone }: Pick<TaskProps, "task" | "onDone">) {
  const { texts, words, calls } = usePage();
  const [reason, setReason] = useState("");
  if (state === "landed" || state === "landing") return null;
  const sendBack = async (): Promise<void> => {
    const answer = await calls.post("return", { id, said: reason });
    onDone("problem" in answer ? words.failed(answer.problem) : texts.work.returned(id));
  };
  const drop = async (): Promise<void> => {
    const answer = await calls.post("drop", { id });
    onDone("problem" in answer ? words.failed(answer.problem) : texts.work.dropped(id, answer.value.branch));
  };
  return (
    <div class="answers">
      {state === "ready" && (
        <form class="refusal" onSubmit={submits(() => void sendBack())}>
          <TextBox label={words.reason} value={reason} onText={setReason} />
          <Button type="submit" disabled={reason.trim() === ""} label={words.returnTask} />
        </form>
      )}
      <SureButton
        label={words.drop(id)}
        sure={words.dropSure(id)}
        yes={words.dropYes}
        waiting={words.dropping(id)}
        act={drop}
      />
    </div>
  );
}
