/** What the command line says: headings, short descriptions, and errors about its arguments. */

export interface CliTexts {
  headings: { usage: string; aliases: string; commands: string; flags: string; arguments: string };
  keywords: { default: string; separator: string };
  briefs: {
    army: string;
    summon: string;
    unsummon: string;
    send: string;
    log: string;
    continue: string;
    restart: string;
    status: string;
    answer: string;
    desk: string;
    armies: string;
    hub: string;
    join: string;
    insight: string;
    init: string;
    doctor: string;
    completion: string;
    ritual: string;
    relay: string;
    relayFull: string;
    practice: string;
    practiceAgent: string;
    help: string;
    helpAll: string;
    version: string;
    escape: string;
  };
  flags: {
    session: string;
    agent: string;
    resume: string;
    resumePractice: string;
    machines: string;
    fresh: string;
    detached: string;
    rituals: string;
    noRituals: string;
    ritualRoles(roles: string): string;
    dryRun: string;
    json: string;
    all: string;
    yes: string;
    force: string;
    forget: string;
    everywhere: string;
    subject: string;
    urgent: string;
    follow: string;
    role: string;
    since: string;
    grep: string;
    jsonLines: string;
    watch: string;
    floating: string;
    why: string;
    choose: string;
    answerText: string;
    request: string;
    overwrite: string;
    port: string;
    noOpen: string;
    export: string;
    noBodies: string;
    listen: string;
    server: string;
    tls: string;
    tlsCert: string;
    tlsKey: string;
    tlsCa: string;
    machine: string;
    valid: string;
    address: string;
  };
  places: {
    role(roles: string): string;
    text: string;
    messageId: string;
    armiesAction: string;
    insightAction: string;
    hubAction: string;
    joinFile: string;
    note: string;
    shell: string;
    wish: string;
    verdict: string;
  };
  /** The long description of each command. */
  unknownCommand(input: string): string;
  unknownFlag(input: string): string;
  surplusArgument(input: string): string;
  missingArgument(place: string): string;
  missingValue(flag: string): string;
  wrongChoice(input: string, place: string): string;
  oneOf(choices: readonly string[]): string;
  badArguments(reason: string): string;
  didYouMean(corrections: readonly string[]): string;
  seeHelp: string;
  failed(reason: string): string;
}

export const CLI_TEXTS: CliTexts = {
  headings: {
    usage: "Usage",
    aliases: "Aliases",
    commands: "Commands",
    flags: "Flags",
    arguments: "Arguments",
  },
  keywords: { default: "default:", separator: "separated by" },
  briefs: {
    army: "An army of Claude Code agents in one terminal",
    summon: "Open the army in this folder, or attach to it if it is already open",
    unsummon: "End the army, and keep its mail and conversations in the archive",
    send: "Send a message to a role as yourself",
    log: "Show every message and what happened to it",
    continue: "Resume agents that Ctrl-Z has suspended",
    restart: "End agents and bring them back in their conversations",
    status: "Show the state of each agent, and what needs you",
    answer: "Answer what agents ask you, without going to their panes",
    desk: "Show the army on a page in your browser, and answer it there",
    armies: "List the armies that are running, were cut off, or are in the archive",
    hub: "Run the hub through which an army lives on several machines",
    join: "Let this machine take part in an army on another machine's hub",
    insight: "Show or delete the notes your agents keep on this project",
    init: "Write the configuration file and the role prompts for you to edit",
    doctor: "Check your setup and suggest fixes",
    completion: "Print a completion script for your shell",
    ritual: "Give the roles of an open army their ritual, the prompt they start with",
    relay: "Serve one role's mail over MCP (an agent runs this, you do not)",
    relayFull:
      "Serves one role's mail to its agent, as an MCP server over stdin and stdout.\nNeeds OVLD_ROLE, OVLD_RELAY_DIR and OVLD_SESSION in its environment.",
    practice: "Watch an army at work: no account, no network, no tokens",
    practiceAgent: "Play one role of the practice army (ovld runs this in a pane, you do not)",
    help: "Show this help",
    helpAll: "Show this help, including hidden commands and flags",
    version: "Show the version",
    escape: "Treat everything that follows as an argument",
  },
  flags: {
    session: "The army's name",
    agent: "Which agent the panes run",
    resume: "Bring the last army back: its mail and its conversations",
    machines: "Put the roles on so many machines, each with its own folders, and a hub between them",
    resumePractice: "Go on with the last campaign in this folder that was cut off",
    fresh: "Start anew, and keep the last army in the archive",
    detached: "Open it in the background",
    rituals: "Read the role prompts from this folder",
    noRituals: "Give the agents no role prompts",
    ritualRoles: (roles) => `The roles: ${roles}; all six if you name none`,
    dryRun: "Only show what would be written and run",
    json: "Print one JSON document",
    all: "All armies",
    yes: "Do not ask",
    force: "End it even if ovld did not summon it, without Zellij, or with an invalid configuration",
    forget: "Keep nothing in the archive",
    everywhere: "Also end it on the other machines of an army on several",
    subject: "The subject; otherwise the first words of the text",
    urgent: "Tell the agent at once, where that is possible",
    follow: "Keep showing what happens",
    role: "Only what concerns this role",
    since: "Only what happened since then: 10m, 2h, 14:30, 2026-11-15, 2026-11-15T14:30",
    grep: "Only messages that contain this word, and what happened to them",
    jsonLines: "Print one JSON object per line",
    floating: "In the floating pane that the key of a session opens: go to the one that is open already",
    watch: "Keep showing it, redrawn in place",
    why: "Why you deny it; the agent reads this",
    choose: "The number of an option, or several separated by commas; for several questions once for each",
    answerText: "Your own words in answer to a question",
    request: "Which request of the role, by its name in the list",
    overwrite: "Replace existing files",
    port: "The port to listen on, if any free one will not do",
    noOpen: "Do not open the browser",
    export: "Write the campaign to one HTML file instead",
    noBodies: "Leave the text of messages out of the file",
    server: "Run one of three servers, with the file that the first one's machine has made",
    listen: "The address to listen on; 127.0.0.1:4222 if you name none",
    tls: "Use a certificate that ovld makes; so it does unless you name one",
    tlsCert: "Use this certificate",
    tlsKey: "The certificate's key",
    tlsCa: "The certificate of the authority that signed it",
    machine: "What to call the machine",
    valid: "For how long the machine may join with the file, such as 30m or 7d; 24h if you name none",
    address: "The address under which that machine reaches the hub, such as the near end of a tunnel",
  },
  places: {
    role: (roles) => `The role: ${roles}`,
    text: "The text; without it, or with -, it is read from stdin",
    shell: "The shell: bash, zsh, fish",
    messageId: "Show one message's whole history; the beginning of its id is enough",
    armiesAction: "remove and the names of armies; without it, all armies are listed",
    hubAction: "start, status, stop, doctor, service, requirements, invite ROLE… or revoke MACHINE",
    joinFile: "The file that ovld hub invite printed",
    insightAction: "show or forget; without it, all notes are listed",
    note: "The note's name, as the list shows it",
    wish: "What to ask the overlord for",
    verdict: "allow or deny; without it you are asked",
  },
  unknownCommand: (input) => `There is no command "${input}".`,
  unknownFlag: (input) => `There is no flag "${input}".`,
  surplusArgument: (input) => `"${input}" is one argument too many.`,
  missingArgument: (place) => `${place} is missing.`,
  missingValue: (flag) => `${flag} needs a value.`,
  wrongChoice: (input, place) => `"${input}" is not a valid value for ${place}.`,
  oneOf: (choices) => `Use one of: ${choices.join(", ")}.`,
  badArguments: (reason) => `The arguments are not valid: ${reason}.`,
  didYouMean: (corrections) => `Did you mean ${corrections.join(" or ")}?`,
  seeHelp: "Run ovld --help for usage.",
  failed: (reason) => `Unexpected error: ${reason} (OVLD_DEBUG=1 shows where)`,
};
