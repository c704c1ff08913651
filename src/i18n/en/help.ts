/** What `ovld --help` and `ovld` alone say. */

export const HELP_TEXTS = {
  examples: "Examples",
  exampleLines: [
    ["ovld summon", "open the army in this folder, or go back to it"],
    ['ovld send overlord "Find out why the tests are slow"', "give it something to do"],
    ["ovld status", "see what the six agents are doing, and what needs you"],
    ["ovld log --follow", "watch their mail"],
    ["ovld unsummon", "end the army"],
  ] satisfies readonly (readonly [string, string])[],
  groups: { army: "The army", person: "You and the army", setUp: "Setup", inside: "For agents" },
  everywhere: "Flags of every command",
  flags: [
    ["--help, -h", "show help"],
    ["--lang en|ja", "use English or Japanese"],
    ["--version, -v", "show the version"],
  ] satisfies readonly (readonly [string, string])[],
  more: "ovld COMMAND --help explains one command.",
  welcome: {
    running: (armies: string) => `Running: ${armies}.`,
    ready: "Everything is ready to open an army.",
    noZellij: "Zellij, which runs the army's panes, was not found.",
    noClaude: "Claude Code, the program that the agents run, was not found.",
    next: "Next:",
    steps: {
      status: "see the state of its agents, and what needs you",
      attach: "go back to it",
      send: "give it something to do",
      practice: "watch a practice army, which needs no Claude Code",
      doctor: "see what is missing, and how to get it",
      init: "write a configuration and role prompts for you to edit",
      summon: "open the army in this folder",
      help: "see every command",
    },
  },
};
