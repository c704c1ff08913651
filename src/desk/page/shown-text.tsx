/** Text from agents, always as text: without characters that control a terminal or change the order of others. */
import { cleanCode } from "../../system/clean-text.ts";
import type { PageTexts } from "../../i18n/texts.ts";
import type { Sender } from "../../army/roles.ts";

/** A block that keeps its line breaks, and says so if something in it is not shown as it is. */
export function ShownText({ text, texts }: { text: string; texts: PageTexts }) {
  const shown = cleanCode(text);
  return (
    <>
      {/* Long text scrolls, so a person who uses only the keyboard must be able to reach it. */}
      <pre class="text" tabIndex={0}>
        {shown}
      </pre>
      <HiddenNote isHidden={shown !== text} texts={texts} />
    </>
  );
}

export function HiddenNote({ isHidden, texts }: { isHidden: boolean; texts: PageTexts }) {
  return isHidden ? <p class="note">{texts.desk.page.hiddenCharacters}</p> : null;
}

/** A role's name in its colour. */

export function RoleName({ role, texts }: { role: Sender; texts?: PageTexts }) {
  const name = role === "human" && texts ? texts.desk.page.you : role;
  return <span class={`role ${role}`}>{name}</span>;
}
