/** What an agent wants to do, whole: a command, a change as a diff, a file's new content, or the call itself. */
import { Fragment } from "preact";
import type { AgentRequest } from "../../mail/records/request.ts";
import type { PageTexts } from "../../i18n/texts.ts";
import { cleanCode } from "../../system/clean-text.ts";
import { diffLines } from "../../requests/diff-lines.ts";
import { HiddenNote, ShownText } from "./shown-text.tsx";

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
