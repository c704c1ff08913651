/** What the person can do about a need: a command, or where to go. */
import type { Texts } from "../i18n/texts.ts";
import { DEFAULT_SESSION } from "../army/words.ts";
import { cleanLine } from "../system/clean-text.ts";
import { shellWord } from "../system/shell-word.ts";
import type { RoleView } from "./army-view.ts";
import type { Need } from "./need.ts";

/** `within` is the session in which the person is, if any. */
export function wayTo(
  {
    session,
    view,
    need,
    within,
  }: { session: string; view: RoleView; need: Need; within: string | undefined },
  texts: Texts["status"],
): string {
  const { role, tab, tabNumber } = view;
  const flag = sessionFlag(session);
  if (need.kind === "suspended") return `ovld continue ${role}${flag}`;
  if (need.kind === "asking" && need.request && need.request.kind !== "oversized")
    return `ovld answer ${role}${flag}`;
  if (tab === null || tabNumber === null) return texts.beginAnew(flag);
  if (need.kind === "gone" || need.kind === "cut-off") return `ovld restart ${role}${flag}`;
  return wayToTab({ session, tab, tabNumber, within }, texts);
}

export function wayToTab(
  {
    session,
    tab,
    tabNumber,
    within,
  }: { session: string; tab: string; tabNumber: number; within: string | undefined },
  texts: Texts["status"],
): string {
  const key = `Ctrl-t ${tabNumber}`;
  return within === session
    ? texts.goThere(key, cleanLine(tab))
    : texts.attachFirst(`ovld summon${sessionFlag(session)}`, key, cleanLine(tab));
}

/** The flag that makes a command apply to this army. */
export function sessionFlag(session: string): string {
  return session === DEFAULT_SESSION ? "" : ` --session ${shellWord(session)}`;
}
