/** What an agent wants to do, whole: a command, a change as a diff, a file's new content, or the call itself. */
import { Fragment, type ComponentChildren } from "preact";
import type { AgentRequest } from "../../../mail/records/request.ts";
import type { PageTexts } from "../../../i18n/texts.ts";
import { cleanCode, cleanProse } from "../../../system/clean-text.ts";
import { diffLines } from "../../../requests/diff-lines.ts";
import { HiddenNote, ShownText } from "../shown-text.tsx";

type Permission = Extract<AgentRequest, { kind: "permission" }>;
type Action = Permission["action"];

export function ActionView({
  action,
  rest,
  texts,
}: Pick<Permission, "action" | "rest"> & { texts: PageTexts }) {
  return (
    <>
      <MainPart action={action} texts={texts} />
      <RestOfCall rest={rest} texts={texts} />
    </>
  );
}

/** Nothing that is allowed is hidden. */
export function RestOfCall({ rest, texts }: { rest: Record<string, unknown>; texts: PageTexts }) {
  const entries = Object.entries(rest);
  const short = entries.filter(([, value]) => !isLines(value));
  return (
    <>
      {short.length > 0 && (
        <>
          <h4>{texts.answer.rest}</h4>
          <ShownText text={JSON.stringify(Object.fromEntries(short), undefined, 2)} texts={texts} />
        </>
      )}
      {entries.map(
        ([name, value]) =>
          isLines(value) && (
            <Fragment key={name}>
              <h4>
                {texts.answer.rest} <code>{cleanCode(name)}</code>
              </h4>
              <ShownText text={value} texts={texts} />
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

function MainPart({ action, texts }: { action: Action; texts: PageTexts }) {
  const { parts } = texts.desk.page;
  switch (action.what) {
    case "command":
      return (
        <>
          <h4>{parts.command}</h4>
          <ShownText text={action.command} texts={texts} />
        </>
      );
    case "edit":
      return (
        <>
          <h4>
            {parts.edit} <code>{cleanCode(action.path)}</code>
          </h4>
          <Target target={action.target} texts={texts} />
          {action.changes.map((change, index) => (
            <Diff key={index} {...change} texts={texts} />
          ))}
        </>
      );
    case "write":
      return (
        <>
          <h4>
            {parts.write} <code>{cleanCode(action.path)}</code>
          </h4>
          <Target target={action.target} texts={texts} />
          <ShownText text={action.content} texts={texts} />
        </>
      );
    case "call":
      return <Target target={action.target} texts={texts} />;
  }
}

function Target({ target, texts }: { target: string | undefined; texts: PageTexts }) {
  return target === undefined ? null : <p class="warning">{texts.answer.target(cleanCode(target))}</p>;
}

const SIGNS = { kept: " ", removed: "-", added: "+" } as const;

interface Change {
  before: string;
  after: string;
  everywhere: boolean;
}

function Diff({ before, after, everywhere, texts }: Change & { texts: PageTexts }) {
  const [old, fresh] = [cleanCode(before), cleanCode(after)];
  return (
    <>
      {everywhere && <p class="note">{texts.answer.everywhere}</p>}
      <pre class="text diff" tabIndex={0}>
        {diffLines(old, fresh).map(({ is, text }, index) => (
          <span key={index} class={is}>
            {`${SIGNS[is]} ${text}\n`}
          </span>
        ))}
      </pre>
      <HiddenNote isHidden={old !== before || fresh !== after} texts={texts} />
    </>
  );
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
