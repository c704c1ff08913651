/** A plan in Markdown, rendered as far as plans need it, and only ever as text: no links, no images, no markup. */
import type { ComponentChildren } from "preact";
import { cleanProse } from "../../system/clean-text.ts";

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
