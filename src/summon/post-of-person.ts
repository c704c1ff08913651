/** Sends mail from the command line to any role of an army, on whichever machine. */
import type { CommandContext } from "../command/command-context.ts";
import { readSettings } from "../config/settings.ts";
import type { OpenWayOut } from "../machines/carrier/hub-mail.ts";
import { storePaths } from "../mail/store/paths.ts";
import { openPost, type Post } from "../mail/post.ts";
import { identifyOurselves } from "../system/process.ts";
import type { ArmyMail } from "./mail-of-army.ts";
import { partOfArmy } from "./membership-files.ts";
import { findRunner, originOf } from "./surroundings.ts";

interface OpenPersonPost extends AsyncDisposable {
  post: Post;
}

export function postOfPerson(
  { env, loadHubMail }: CommandContext,
  { session, relayDir, mail }: ArmyMail,
): OpenPersonPost {
  const part = partOfArmy(env, { session, mail });
  if (part === undefined) return { post: openPost(mail, undefined), [Symbol.asyncDispose]: async () => {} };
  const out: OpenWayOut = loadHubMail().openWayOut({
    membership: part.membership,
    user: findRunner(env).role ?? "human",
    mail,
    folder: storePaths(relayDir).hub,
    limits: readSettings(env).limits,
    origin: { ...originOf(env), process: identifyOurselves() },
  });
  return { post: openPost(mail, out), [Symbol.asyncDispose]: () => out.close() };
}
