/** `ovld`: all commands except a plain `ovld relay`, which does not load any of this. */
import { realpathSync } from "node:fs";
import { configuredLanguage } from "../config/folders.ts";
import type * as HelpTexts from "../i18n/en/help.ts";
import type { Machines } from "../mail/other-machines.ts";
import { chooseLanguage } from "../i18n/language.ts";
import type * as English from "../i18n/en.ts";
import type { LoadTexts } from "../i18n/texts.ts";
import { TAKE_UP } from "../army/words.ts";
import { print } from "../terminal/print.ts";
import { currentFolder } from "../system/platform.ts";
import { onceAskedToEnd } from "../system/process.ts";
import { isTerminal, readableColumns } from "../terminal/terminal.ts";
import type * as Guide from "./commands/guide/run.ts";
import type * as Help from "./commands/help/run.ts";
import type * as ProvideZellij from "../zellij/provide-zellij.ts";
import type * as TakeUp from "./commands/take-up/run.ts";
import type * as Welcome from "./commands/welcome/run.ts";
import type { LoadProgram } from "./syntax.ts";
import type { CommandContext } from "../command/command-context.ts";
import type * as App from "./run-app.ts";
import { readArguments } from "./read-arguments.ts";

/** Used only by the scripts that `ovld completion` prints. */
const COMPLETE = "complete";
const HELP_COMMAND = "help";
const HELP = new Set(["--help", "-h", HELP_COMMAND]);

/** Help and the welcome need no command tree, which takes longer to load than everything else. */
export async function runCli(args: readonly string[], load: LoadProgram): Promise<void> {
  const taken = readArguments(args);
  const { rest, wrong } = taken;
  const config = configuredLanguage(process.env);
  const language = chooseLanguage(process.env, { flag: taken.language, config });
  const loadTexts: LoadTexts = (wanted) => load<typeof English>(`texts-${wanted}`);
  const [first = "", topic] = rest;
  const asksTopic = first === HELP_COMMAND && rest.length === 2;
  if (wrong === undefined && (asksTopic || (rest.length === 1 && HELP.has(first)))) {
    const { CLI_TEXTS: cli, HELP_TEXTS: help } = load<typeof HelpTexts>(`help-${language}`);
    const { listGuides, guideText } = load<typeof Guide>("guide");
    const guides = { program: startedFile(), language, env: process.env, hasScreen: isTerminal(1) };
    const isShort = first === "-h";
    const layout = { columns: readableColumns(), isShort };
    const { formatHelp } = load<typeof Help>("help");
    const text =
      topic === undefined
        ? `${formatHelp({ cli, help }, layout, isShort ? [] : listGuides(guides)).join("\n\n")}\n`
        : guideText(guides, topic, { cli, help });
    if (text !== undefined) return void print("stdout", text);
  }
  const texts = loadTexts(language);
  if (taken.oldName !== undefined) {
    const { names, words } = taken.oldName;
    print("stderr", `ovld: ${texts.cli.renamed(`ovld ${names[0]}`, `ovld ${words}`)}\n`);
  }
  const loadMachines = (): Machines => load<Machines>("machines");
  const said = {
    texts,
    loadTexts,
    loadMachines,
    loadProvider: () => load<typeof ProvideZellij>("provide-zellij"),
    askedLanguage: taken.language,
    json: rest.some((word) => /^(--json|-[a-z]*j[a-z]*)$/.test(word)),
  };
  const context = (): CommandContext => thisMachine(said);
  if (args[0] === COMPLETE) {
    print("stdout", await load<typeof App>("app").completeWords(args.slice(1), texts, context, load));
    return;
  }
  if (first === TAKE_UP) {
    process.exitCode = await load<typeof TakeUp>("take-up").takeUp(context(), rest.slice(1));
    return;
  }
  if (wrong === undefined && rest.length === 0) {
    await load<typeof Welcome>("welcome").welcome(context(), load);
  } else {
    const debug = process.env["OVLD_DEBUG"] === "1";
    // `ovld help summon` and `ovld --help summon` are other ways to write `ovld summon --help`.
    const words = HELP.has(first) ? [...rest.slice(1), first === "-h" ? first : "--help"] : rest;
    const code = await load<typeof App>("app").runApp(
      { ...taken, rest: words },
      { ...said, debug },
      context,
      load,
    );
    process.exitCode ??= code;
  }
  if (process.exitCode === HANGUP || terminals.some((each) => !isTerminal(each))) dieOfHangup();
}

const HANGUP = 129;
/** Which descriptors were terminals at the start: a person who ends the session they are in loses their terminal. */
let terminals: (0 | 1 | 2)[] = [];

/** Without its terminal Node cannot exit cleanly, so the process ends by SIGHUP, as after any hangup. */
function dieOfHangup(): void {
  process.removeAllListeners("SIGHUP");
  process.kill(process.pid, "SIGHUP");
}

function startedFile(): string {
  return realpathSync(process.argv[1] ?? "");
}

function thisMachine(
  said: Pick<
    CommandContext,
    "texts" | "loadTexts" | "loadMachines" | "loadProvider" | "askedLanguage" | "json"
  >,
): CommandContext {
  const stop = new AbortController();
  onceAskedToEnd((signal) => stop.abort(signal));
  terminals = ([0, 1, 2] as const).filter(isTerminal);
  return {
    ...said,
    env: process.env,
    // A getter, because a removed folder is a problem only for commands that need it.
    get cwd() {
      return currentFolder();
    },
    hasTerminal: isTerminal(0) && isTerminal(1),
    hasScreen: isTerminal(1),
    ovld: { node: process.execPath, file: startedFile() },
    print,
    now: Date.now,
    endWith: (exitCode) => (process.exitCode = exitCode),
    stop: stop.signal,
  };
}
