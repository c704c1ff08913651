/** The syntax of each command. What a command does is in its folder in `commands/`. */
import {
  buildApplication,
  buildCommand,
  buildRouteMap,
  version,
  type Application,
  type CommandContext as StricliContext,
  type StricliIntegration,
} from "@stricli/core";
import { ROLES } from "../army/roles.ts";
import { AGENT_NAMES } from "../army/words.ts";
import type { CommandContext } from "../command/command-context.ts";
import type { Texts } from "../i18n/texts.ts";
import { machineCommands } from "../machines/commands/call.ts";
import type * as Relay from "../relay/main.ts";
import { readableColumns } from "../terminal/terminal.ts";
import type * as Answer from "./commands/answer/run.ts";
import type * as Armies from "./commands/armies/run.ts";
import type * as Attach from "./commands/attach/run.ts";
import type * as Budget from "./commands/budget/run.ts";
import type * as Completion from "./commands/completion/run.ts";
import type * as Desk from "./commands/desk/run.ts";
import type * as Doctor from "./commands/doctor/run.ts";
import { describeCommands, formatCommand, formatHelp } from "./commands/help/run.ts";
import type * as Inbox from "./commands/inbox/run.ts";
import type * as Init from "./commands/init/run.ts";
import type * as Land from "./commands/land/run.ts";
import type * as Log from "./commands/log/run.ts";
import type * as Notes from "./commands/notes/run.ts";
import type * as PracticeAgent from "./commands/practice-agent/run.ts";
import type * as Practice from "./commands/practice/run.ts";
import type * as Restart from "./commands/restart/run.ts";
import type * as Rituals from "./commands/rituals/run.ts";
import type * as Send from "./commands/send/run.ts";
import type * as Status from "./commands/status/run.ts";
import type * as Summon from "./commands/summon/run.ts";
import type * as Task from "./commands/task/run.ts";
import type * as Unsummon from "./commands/unsummon/run.ts";
import type * as Update from "./commands/update/run.ts";
import {
  actions,
  choicePlace,
  createSyntax,
  inOrder,
  offering,
  optional,
  stricliText,
  switchFlag,
  wordFlag,
  wordPlace,
  type LoadProgram,
  type Syntax,
} from "./syntax.ts";

export function buildApp(
  texts: Texts,
  context: () => CommandContext,
  load: LoadProgram,
  debug = false,
): Application<StricliContext> {
  const syntax = createSyntax(texts, context, load);
  const root = buildRouteMap({
    routes: commandsOf(syntax),
    docs: { brief: syntax.briefs.army, hideRoute: { "practice-agent": true } },
  });
  const getCurrentVersion = () => load<typeof Doctor>("doctor").describeVersions(context());
  return buildApplication(
    root,
    {
      name: "ovld",
      scanner: { caseStyle: "allow-kebab-for-camel", allowArgumentEscapeSequence: true },
      documentation: { disableAnsiColor: true },
      localization: { defaultLocale: texts.language, loadText: () => stricliText(texts.cli, debug) },
    },
    {
      help: helpFlag(texts, false),
      h: helpFlag(texts, true),
      version: version({ brief: "", info: { getCurrentVersion } }),
    },
  );
}

/** Prints our own help: `-h` one screen, `--help` everything. */
function helpFlag(texts: Texts, isShort: boolean): StricliIntegration<StricliContext> {
  return {
    flag: {
      brief: "",
      global: true,
      defaultForRouteMap: !isShort,
      aliases: isShort ? ["h"] : [],
      run(app, { result }) {
        const layout = { columns: readableColumns(), isShort };
        const found = describeCommands(app, texts.commands).find(({ target }) => target === result.target);
        const parts = found ? formatCommand(found, texts, layout) : formatHelp(texts, layout);
        this.process.stdout.write(`${parts.join("\n\n")}\n`);
      },
    },
  };
}

function commandsOf(syntax: Syntax) {
  const { briefs, flags, places, command, armyFlag, rolePlace, context, load } = syntax;
  const json = switchFlag(flags.json);
  const yes = switchFlag(flags.yes);
  const army = armyFlag();
  const watch = switchFlag(flags.watch);
  return {
    summon: command("summon", () => load<typeof Summon>("summon").summon, {
      flags: {
        army: armyFlag("archived"),
        agent: { ...wordFlag("NAME", flags.agent(AGENT_NAMES.join(", "))), ...choicePlace(AGENT_NAMES) },
        resume: switchFlag(flags.resume),
        fresh: switchFlag(flags.fresh),
        detached: switchFlag(flags.detached),
        rituals: wordFlag("DIR", flags.rituals),
        noRituals: switchFlag(flags.noRituals),
        trees: switchFlag(flags.trees),
        dryRun: switchFlag(flags.dryRun),
        yes: switchFlag(flags.noQuestions),
        json,
      },
    }),
    attach: command("attach", () => load<typeof Attach>("attach").attach, {
      flags: { army },
      positional: inOrder(optional(rolePlace)),
    }),
    unsummon: command("unsummon", () => load<typeof Unsummon>("unsummon").unsummon, {
      flags: {
        army: armyFlag("all"),
        all: switchFlag(flags.all),
        yes,
        force: switchFlag(flags.force),
        forget: switchFlag(flags.forget),
        everywhere: switchFlag(flags.everywhere),
      },
    }),
    send: command("send", () => load<typeof Send>("send").send, {
      flags: {
        subject: wordFlag("TEXT", flags.subject),
        urgent: switchFlag(flags.urgent),
        wait: switchFlag(flags.wait),
        army,
        json,
      },
      positional: inOrder(rolePlace, optional(wordPlace("TEXT", places.text))),
    }),
    inbox: command("inbox", () => load<typeof Inbox>("inbox").inbox, {
      flags: { all: switchFlag(flags.allLetters), army: armyFlag("archived"), json },
    }),
    reply: command("reply", () => load<typeof Inbox>("inbox").reply, {
      flags: { army, json },
      positional: { kind: "array", maximum: 2, parameter: wordPlace("[ID] TEXT", places.reply) },
    }),
    log: command("log", () => load<typeof Log>("log").log, {
      flags: {
        follow: switchFlag(flags.follow),
        role: { ...wordFlag("ROLE", flags.role), ...choicePlace(ROLES) },
        newest: wordFlag("N", flags.newest),
        after: wordFlag("ID", flags.afterEntry),
        since: wordFlag("TIME", flags.since),
        grep: wordFlag("WORD", flags.grep),
        army: armyFlag("archived"),
        json: switchFlag(flags.jsonLines),
      },
      aliases: { n: "newest" },
      positional: inOrder(optional(wordPlace("ID", places.messageId))),
    }),
    restart: command("restart", () => load<typeof Restart>("restart").restart, {
      flags: { continue: switchFlag(flags.continue), army, json },
      positional: { kind: "array", parameter: rolePlace },
    }),
    status: command("status", () => load<typeof Status>("status").status, {
      flags: {
        army,
        watch,
        json,
        floating: { ...switchFlag(flags.floating), hidden: true },
      },
    }),
    answer: command("answer", () => load<typeof Answer>("answer").answer, {
      flags: {
        why: wordFlag("TEXT", flags.why),
        choose: { ...wordFlag("N", flags.choose), variadic: true },
        text: wordFlag("TEXT", flags.answerText),
        request: wordFlag("ID", flags.request),
        army,
        json,
      },
      positional: inOrder(
        optional(rolePlace),
        optional({ ...wordPlace("allow|deny", places.verdict), ...choicePlace(["allow", "deny"]) }),
      ),
    }),
    task: command("task", () => load<typeof Task>("task").task, {
      flags: {
        to: { ...wordFlag("ROLE", flags.to), ...choicePlace(ROLES) },
        check: wordFlag("COMMAND", flags.check),
        after: wordFlag("ID,ID", flags.after),
        all: switchFlag(flags.allTasks),
        diff: switchFlag(flags.diff),
        army,
        json,
      },
      positional: actions(() => load<typeof Task>("task").wordsToOffer(context())),
    }),
    land: command("land", () => load<typeof Land>("land").land, {
      flags: { dryRun: switchFlag(flags.dryLand), now: switchFlag(flags.now), army, json },
    }),
    budget: command("budget", () => load<typeof Budget>("budget").budget, {
      flags: { army, json },
      positional: { kind: "array", parameter: wordPlace("ACTION", "") },
    }),
    desk: command("desk", () => load<typeof Desk>("desk").desk, {
      flags: {
        army,
        port: wordFlag("PORT", flags.port),
        noOpen: switchFlag(flags.noOpen),
        export: wordFlag("FILE", flags.export),
        noBodies: switchFlag(flags.noBodies),
        json,
      },
    }),
    armies: command("armies", () => load<typeof Armies>("armies").armies, {
      flags: { watch, yes, json },
      positional: actions(() => load<typeof Armies>("armies").wordsToOffer(context())),
    }),
    ...machineCommands(syntax),
    notes: command("notes", () => load<typeof Notes>("notes").projectNotes, {
      flags: { json },
      positional: inOrder(
        optional({ ...wordPlace("ACTION", ""), ...choicePlace(["show"]) }),
        optional({
          ...wordPlace("NAME", places.note),
          proposeCompletions: offering(() => load<typeof Notes>("notes").noteNames(context())),
        }),
      ),
    }),
    init: command("init", () => load<typeof Init>("init").init, {
      flags: { yes, force: switchFlag(flags.overwrite) },
    }),
    doctor: command("doctor", () => load<typeof Doctor>("doctor").doctor, { flags: { json } }),
    update: command("update", () => load<typeof Update>("update").update, { flags: { json } }),
    completion: command("completion", () => load<typeof Completion>("completion").completion, {
      positional: inOrder({ ...wordPlace("SHELL", ""), ...choicePlace(["bash", "zsh", "fish", "nushell"]) }),
    }),
    rituals: command("rituals", () => load<typeof Rituals>("rituals").rituals, {
      flags: { army, json },
      positional: actions(() => load<typeof Rituals>("rituals").wordsToOffer()),
    }),
    practice: command("practice", () => load<typeof Practice>("practice").practice, {
      flags: {
        // Offers no existing names, because a practice army needs a new one.
        army: wordFlag("NAME", flags.army),
        resume: switchFlag(flags.resumePractice),
        trees: switchFlag(flags.practiceTrees),
        machines: { ...wordFlag("NUMBER", flags.machines), ...choicePlace(["2", "3", "4", "5", "6"]) },
        yes: switchFlag(flags.provide),
        json,
      },
      positional: inOrder(optional(wordPlace("WISH", places.wish))),
    }),
    relay: buildCommand({
      docs: { brief: briefs.relay },
      parameters: {},
      func: () => load<typeof Relay>("relay").runRelay(load),
    }),
    // How a practice agent is started in its pane. Help does not show it, because it is not for a person to type.
    "practice-agent": command(
      "practiceAgent",
      () => load<typeof PracticeAgent>("practice-agent").practiceAgent,
      {
        flags: {
          mcpConfig: { kind: "parsed", ...wordPlace("FILE", "") },
          settings: { kind: "parsed", ...wordPlace("FILE", "") },
        },
      },
    ),
  };
}
