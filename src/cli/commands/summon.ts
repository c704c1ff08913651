/**
 * `ovld summon`: checks everything, then opens the army's session, or attaches to the one that is there.
 *
 * Until the session is listed, a lock keeps a second summon waiting, and whatever goes wrong is undone. From then
 * on the session is Zellij's: when it returns, either the person has only left, and all goes on, or it has ended,
 * and what it kept on disk is removed.
 */
import type { AgentName } from "../../army/agent-names.ts";
import { AGENTS } from "../../agent/agents.ts";
import { armyStamp, listArmyFiles, planArmyFiles, type ArmyFiles } from "../../agent/army-files.ts";
import { fillRituals } from "../../rituals/fill-rituals.ts";
import type { LoadedRituals } from "../../rituals/load-rituals.ts";
import { openMail } from "../../mail/mail.ts";
import { cleanLine } from "../../system/clean-text.ts";
import { makeSecrets } from "../../mail/secrets.ts";
import { OvldError, type ErrorReport } from "../../system/ovld-error.ts";
import { shellWord } from "../../system/shell-word.ts";
import { waitForPanes } from "../../zellij/panes.ts";
import { presentName } from "../../zellij/session-record.ts";
import { attach, createInBackground, creationArgs } from "../../zellij/sessions.ts";
import { switchSession } from "../../zellij/switch-session.ts";
import { afterZellij } from "../aftermath.ts";
import { armyOf, type Army } from "../army.ts";
import { EXIT } from "../exit-code.ts";
import { runCommand, sayJson, sayLine, signalCode, tellProblems, textsOf, type Machine } from "../machine.ts";
import { mayJoin, type JoinFlags } from "../may-join.ts";
import { findOldMail, tellOldMail, type OldMail } from "../old-mail.ts";
import { openArmy, openOnTerminal } from "../open-army.ts";
import { findProblems, planArmy } from "../plan-army.ts";
import { showSources, tellRituals, wereAllGiven } from "../ritual-report.ts";
import { chooseRituals, ritualsOfArmy } from "../rituals.ts";
import { offerTrust } from "../trust.ts";

export interface SummonFlags extends JoinFlags {
  dryRun: boolean;
  json: boolean;
}

export function summon(machine: Machine, flags: SummonFlags): Promise<void> {
  return runCommand(machine, () => summonArmy(machine, flags));
}

async function summonArmy(machine: Machine, flags: SummonFlags): Promise<number> {
  const army = await armyOf(machine, flags.session);
  const agent = AGENTS[flags.agent ?? army.settings.agent];
  const rituals = chooseRituals(machine, flags, army.settings);
  // What is only shown must not give them away.
  const secrets = flags.dryRun ? makeSecrets(() => "(secret)") : undefined;
  const files = planArmyFiles(planArmy(machine, army, agent, rituals.texts, secrets));
  if (flags.dryRun) return showPlan(machine, army, files, rituals, flags);
  const problems = [...(await findProblems(machine, army, agent)), ...rituals.problems];
  const lacking = lackOfTerminal(machine, flags);
  if (problems.length > 0) return tellProblems(machine, [...problems, ...lacking]);
  if (lacking.length === 0) await offerTrust(machine, army, { agent, ask: !flags.json });
  const opening = await open(machine, army, files, rituals, flags, agent.name);
  return opening === "live" ? join(machine, army, flags) : opening;
}

/** A problem only where the session is not there yet: one that is there is a conflict, whatever the terminal. */
function lackOfTerminal({ hasTerminal }: Machine, { detached }: SummonFlags): ErrorReport[] {
  return hasTerminal || detached ? [] : [{ code: "no-terminal", facts: { command: "summon" } }];
}

/** Inside Zellij too: a client in a pane of another would be nested. */
function isInBackground({ env }: Machine, { detached }: SummonFlags): boolean {
  return detached || env["ZELLIJ"] !== undefined;
}

/** "live" if a session of this name is there already. */
async function open(
  machine: Machine,
  army: Army,
  files: ArmyFiles,
  rituals: LoadedRituals,
  flags: SummonFlags,
  agent: AgentName,
): Promise<number | "live"> {
  let found: OldMail | null = null;
  const opened = await openArmy(machine, army, files, {
    agent,
    check() {
      const [lacking] = lackOfTerminal(machine, flags);
      if (lacking) throw new OvldError(lacking);
      fillRituals(rituals);
      found = findOldMail(openMail(army.relayDir));
      if (found !== null && !flags.json) tellOldMail(machine, army.session, found);
    },
    async open(release) {
      if (isInBackground(machine, flags))
        return openInBackground(machine, army, files, rituals, flags, release, found);
      const stamp = armyStamp(army.relayDir);
      await openOnTerminal(machine, army, files, release);
      return { stamp };
    },
  });
  if (typeof opened !== "object") return opened;
  // Outside of what is undone when it fails: from here on the army is the person's.
  const { stamp } = opened;
  const exitCode = await afterZellij(machine, army, stamp);
  if (armyStamp(army.relayDir) === stamp) {
    tellRituals(machine, army.session, await ritualsOfArmy(machine, army, rituals.texts.keys(), "now"));
  }
  return exitCode;
}

async function openInBackground(
  machine: Machine,
  army: Army,
  files: ArmyFiles,
  rituals: LoadedRituals,
  flags: SummonFlags,
  release: () => void,
  found: OldMail | null,
): Promise<number | "live"> {
  const { zellij, session } = army;
  if (!(await createInBackground(zellij, session, files.layout.path, machine.stop))) return "live";
  const panes = await waitForPanes(zellij, session, machine.stop);
  const around = machine.env["ZELLIJ_SESSION_NAME"];
  const switched = !flags.detached && around !== undefined && (await switchSession(zellij, around, session));
  release();
  const texts = textsOf(machine);
  const next = flags.detached || switched ? texts.attachLater(session) : texts.switchYourself(session);
  if (!flags.json) sayLine(machine, `${texts.detached(session, cleanLine(machine.cwd))} ${next}`);
  const given = await ritualsOfArmy(machine, army, rituals.texts.keys(), "waits");
  if (flags.json) {
    const { relayDir } = army;
    const { folder, agent } = openMail(relayDir).army() ?? {};
    sayJson(machine, { session, relayDir, folder, agent, found, panes, rituals: given });
  }
  tellRituals(machine, session, given);
  if (machine.stop.aborted) return signalCode(machine.stop);
  return wereAllGiven(given) ? EXIT.done : EXIT.failed;
}

/** Brings the person to a session that is there; nothing of it is made again or written again. */
async function join(machine: Machine, army: Army, flags: SummonFlags): Promise<number> {
  const { zellij, session } = army;
  const name = presentName(zellij, session) ?? session;
  if (!(await mayJoin(machine, name, openMail(army.relayDir).army(), flags))) return EXIT.done;
  const around = machine.env["ZELLIJ_SESSION_NAME"];
  if (machine.env["ZELLIJ"] !== undefined && around !== undefined) {
    if (!(await switchSession(zellij, around, session)))
      sayLine(machine, textsOf(machine).switchYourself(name));
    return EXIT.done;
  }
  machine.stop.throwIfAborted();
  const stamp = armyStamp(army.relayDir);
  await attach(zellij, session, machine.stop);
  return afterZellij(machine, army, stamp);
}

function showPlan(
  machine: Machine,
  army: Army,
  files: ArmyFiles,
  rituals: LoadedRituals,
  flags: SummonFlags,
): number {
  if (rituals.problems.length > 0) return tellProblems(machine, rituals.problems);
  const { zellij, session } = army;
  const where = isInBackground(machine, flags) ? "background" : "terminal";
  const command = [zellij.program, ...creationArgs(session, files.layout.path, where)];
  const written = listArmyFiles(files);
  if (flags.json) {
    const plan = { session, relayDir: army.relayDir, files: written, rituals: rituals.sources, command };
    sayJson(machine, plan, 2);
    return EXIT.done;
  }
  const texts = textsOf(machine);
  for (const { path, content } of listArmyFiles({ ...files, rituals: [] })) {
    sayLine(machine, `${texts.wouldWrite(cleanLine(path))}\n${content}`);
  }
  showSources(machine, rituals);
  sayLine(machine, texts.wouldRun(command.map(shellWord).join(" ")));
  return EXIT.done;
}
