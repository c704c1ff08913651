/** A role's name in its colour. */
import type { Sender } from "../../army/roles.ts";
import type { PageTexts } from "../../i18n/texts.ts";

export function RoleName({ role, texts }: { role: Sender; texts?: PageTexts }) {
  const name = role === "human" && texts ? texts.desk.page.you : role;
  return <span class={`role ${role}`}>{name}</span>;
}
