/** Notifies the person through their terminal of what agents begin to ask, where nothing else can. */
import type { CommandContext } from "../../../command/command-context.ts";
import { readSettings } from "../../../config/settings.ts";
import { openRequestBox } from "../../../requests/request-box.ts";
import { hasNotifier } from "../../../requests/notify-person.ts";
import { summarizeRequest } from "../../../requests/name-request.ts";
import { notifyOnTerminal } from "../../../terminal/redraw.ts";
import type { ArmyView } from "../../../view/describe-army.ts";

/** Call it with each view, the first one included: what is asked by then is on the screen. */
export function notifyOfRequests({ env, texts, hasTerminal }: CommandContext): (view: ArmyView) => void {
  const mayNotify = hasTerminal && env["TERM"] !== "dumb" && !hasNotifier(env);
  let known: Set<string> | undefined;
  return ({ session, relayDir, roles }) => {
    const open = roles.flatMap(({ requests }) => requests);
    const fresh = known === undefined ? [] : open.filter(({ id }) => !known?.has(id));
    known = new Set([...(known ?? []), ...open.map(({ id }) => id)]);
    if (fresh.length === 0 || !mayNotify || !readSettings(env).desk.notify) return;
    if (openRequestBox(relayDir).isDeskOpen()) return;
    for (const request of fresh)
      notifyOnTerminal(`${texts.answer.notification(request.role, session)}: ${summarizeRequest(request)}`);
  };
}
