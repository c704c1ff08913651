/** What an agent wants to do, whole: a command, a change as a diff, a file's new content, the call itself, or a plan. */
import { Fragment, type ComponentChildren } from "preact";
import type { AgentRequest } from "../../../mail/records/request.ts";
import { diffLines } from "../../../requests/describe-request.ts";
import { cleanCode, cleanProse } from "../../../system/clean-text.ts";
import { HiddenNote, ShownText, usePage } from "../page-parts.tsx";

type Action = Extract<AgentRequest, { kind: "permission" }>["action"];

export function ActionView({ action }: { action: Action }) {
  const { edit, write } = usePage().words.parts;
  if (action.what === "call") return <Target target={action.target} />;
  if (action.what === "command") return <ShownText text={action.command} />;
  return (
    <>
      <h4>
        {action.what === "edit" ? edit : write} <code>{cleanCode(action.path)}</code>
      </h4>
      <Target target={action.target} />
      {action.what === "write" && <ShownText text={action.content} />}
      {action.what === "edit" && action.changes.map((change, index) => <Diff key={index} {...change} />)}
    </>
  );
}

function Target({ target }: { target: string | undefined }) {
  const { answer } = usePage().texts;
  return target === undefined ? null : <p class="warning">{answer.target(cleanCode(target))}</p>;
}

const SIGNS = { kept: " ", removed: "-", added: "+" } as const;

type Change = Extract<Action, { what: "edit" }>["changes"][number];

function Diff({ before, after, everywhere }: Change) {
  const { answer } = usePage().texts;
  const [old, fresh] = [cleanCode(before), cleanCode(after)];
  return (
    <>
      {everywhere && <p class="note">{answer.everywhere}</p>}
      <pre class="text diff" tabIndex={0}>
        {diffLines(old, fresh).map(({ is, text }, index) => (
          <span key={index} class={is}>
            {`${SIGNS[is]} ${text}\n`}
          </span>
        ))}
      </pre>
      <HiddenNote isHidden={old !== before || fresh !== after} />
    </>
  );
}

/** Everything else in the call, because nothing that is allowed is hidden. */
export function RestOfCall({ rest }: { rest: Record<string, unknown> }) {
  const { answer } = usePage().texts;
  const entries = Object.entries(rest);
  const short = entries.filter(([, value]) => !isLines(value));
  return (
    <>
      {short.length > 0 && (
        <>
          <h4>{answer.rest}</h4>
          <ShownText text={JSON.stringify(Object.fromEntries(short), undefined, 2)} />
        </>
      )}
      {entries.map(
        ([name, value]) =>
          isLines(value) && (
            <Fragment key={name}>
              <h4>
                {answer.rest} <code>{cleanCode(name)}</code>
              </h4>
              <ShownText text={value} />
            </Fragment>
          ),
      )}
    </>
  );
}

/** Text of several lines is shown as such, for example the code of a notebook. */
function isLines(value: unknown): value is string {
  return typeof value === "string" && value.includes("\n");
}

/** Markdown, rendered as far as plans and mail need it, and only ever as text: no links, no images, no markup. */
export function ProseView({ text }: { text: string }) {
  return <div class="prose">{blocksOf(cleanProse(text))}</div>;
}

const FENCE = /^[^\S\n]*(?:```|~~~)(.*)\n?/m;
const HEADING = /^(#{1,6})\s+(.*)$/;
const ITEM = /^(\s*)(?:[-*+]|(\d+[.)]))\s+(.*)$/;

/** Lines, what stands behind a fence, code, what stands behind the next fence, and so on. */
function blocksOf(text: string): ComponentChildren[] {
  return text.split(FENCE).map((part, index) => {
    // Usually the language, but it can be anything.
    if (index % 2 === 1) return part.trim() !== "" && <p class="note">{part.trim()}</p>;
    if (index % 4 === 0) return part.split("\n").map((line) => <PlanLine line={line} />);
    return (
      <pre class="text" tabIndex={0}>
        {part.replace(/\n$/, "")}
      </pre>
    );
  });
}

function PlanLine({ line }: { line: string }) {
  const heading = HEADING.exec(line)?.[2];
  if (heading !== undefined) return <p class="plan-heading">{phrasesOf(heading)}</p>;
  const [, indent = "", number = "•", item] = ITEM.exec(line) ?? [];
  if (item !== undefined)
    return (
      <p class={indent.length > 1 ? "plan-item deep" : "plan-item"}>
        {number} {phrasesOf(item)}
      </p>
    );
  return line.trim() === "" ? null : <p>{phrasesOf(line)}</p>;
}

/** Code and strong words; everything else as it is. */
function phrasesOf(text: string): ComponentChildren[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (/^`[^`]+`$/.test(part)) return <code>{part.slice(1, -1)}</code>;
    if (/^\*\*[^*]+\*\*$/.test(part)) return <strong>{part.slice(2, -2)}</strong>;
    return part;
  });
}
