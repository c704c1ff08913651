/** What an agent wants to do, whole: a command, a change as a diff, a file's new content, the call itself, or a plan. */
import { Fragment, type ComponentChildren } from "preact";
import type { AgentRequest } from "../../../mail/records/request.ts";
import { diffLines } from "../../../requests/describe-request.ts";
import { cleanCode, cleanProse } from "../../../system/clean-text.ts";
import { HiddenNote, ShownText, useTexts } from "../page-parts.tsx";

type Action = Extract<AgentRequest, { kind: "permission" }>["action"];

export function ActionView({ action }: { action: Action }) {
  const { command, edit, write } = useTexts().desk.page.parts;
  if (action.what === "call") return <Target target={action.target} />;
  if (action.what === "command")
    return (
      <>
        <h4>{command}</h4>
        <ShownText text={action.command} />
      </>
    );
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
  const { answer } = useTexts();
  return target === undefined ? null : <p class="warning">{answer.target(cleanCode(target))}</p>;
}

const SIGNS = { kept: " ", removed: "-", added: "+" } as const;

interface Change {
  before: string;
  after: string;
  everywhere: boolean;
}

function Diff({ before, after, everywhere }: Change) {
  const { answer } = useTexts();
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
  const { answer } = useTexts();
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

/** A plan in Markdown, rendered as far as plans need it, and only ever as text: no links, no images, no markup. */
export function PlanView({ plan }: { plan: string }) {
  return <div class="plan">{blocksOf(cleanProse(plan))}</div>;
}

const FENCE = /^\s*(?:```|~~~)(.*)$/;
const HEADING = /^(#{1,6})\s+(.*)$/;
const ITEM = /^(\s*)(?:[-*+]|(\d+[.)]))\s+(.*)$/;

function blocksOf(text: string): ComponentChildren[] {
  const blocks: ComponentChildren[] = [];
  let code: string[] | undefined;
  for (const line of text.split("\n")) {
    const fence = FENCE.exec(line)?.[1]?.trim();
    if (fence !== undefined) {
      if (code) blocks.push(<CodeBlock lines={code} />);
      code = code ? undefined : [];
      // Usually the language, but it can be anything.
      if (fence !== "") blocks.push(<p class="note">{fence}</p>);
    } else if (code) code.push(line);
    else blocks.push(<PlanLine line={line} />);
  }
  // A block that is not closed is shown all the same.
  if (code) blocks.push(<CodeBlock lines={code} />);
  return blocks;
}

function CodeBlock({ lines }: { lines: string[] }) {
  return (
    <pre class="text" tabIndex={0}>
      {lines.join("\n")}
    </pre>
  );
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
