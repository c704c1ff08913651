/** What each command does, in detail, and how it is used: for its own help and for docs/commands.md. */

export const COMMAND_TEXTS = {
  summon: {
    examples: [
      { input: "", brief: "open the army in this folder, or go back to it" },
      { input: "--detached --army work", brief: "open one called work in the background" },
      { input: "--resume", brief: "bring the last army in this folder back" },
      { input: "--dry-run", brief: "only show what would be written and run" },
    ],
    full: "Opens one Zellij session with a pane for each of the six agents, or attaches to the army if it is running. If that army works in another folder and --army does not name it, summon asks first.\n\nIf the last army in this folder was cut off or archived, summon shows what can be resumed and asks whether to bring it back; --resume and --fresh answer in advance. --yes starts a new army, keeps the last one in the archive, leaves the question of trust to the agents, and attaches to no army in another folder. Without a terminal, an army that was cut off needs one of these flags. --army also takes the name of an archived army.\n\nEach agent gets its role prompt (ritual) as soon as it is ready. --detached waits for this; exit code 1 means that a role will get it later. More: ovld help getting-started.",
  },
  attach: {
    examples: [
      { input: "", brief: "go back to the running army" },
      { input: "storm", brief: "and to storm's pane" },
    ],
    full: "Attaches to an army that is running, and never starts one (exit code 3 if there is none). With a role it also goes to its pane, or says how to get there if somebody else is attached.",
  },
  unsummon: {
    examples: [
      { input: "", brief: "end the army, after asking" },
      { input: "--all --yes", brief: "end all armies without asking" },
      { input: "--everywhere --army camp", brief: "also on the other machines of the army" },
      { input: "--forget", brief: "end the army and keep nothing" },
    ],
    full: "Says what it will end and asks, unless you use --yes. Mail, statuses and conversations stay in the archive for 30 days (days under [archive] in the configuration), and ovld summon --resume brings the army back; with --forget nothing is kept. On several machines, only the part on this machine ends, unless you use --everywhere. In a pane of an army it ends that army. An agent may not end an army, not even with --force, unless the configuration allows it. --force also ends a Zellij session that ovld did not summon, and works without Zellij, but does not skip the question.",
  },
  rituals: {
    examples: [
      { input: "", brief: "list the prompts that the next army gets" },
      { input: "edit storm", brief: "open storm's prompt in your editor" },
      { input: "diff", brief: "show what you have changed in them" },
      { input: "give storm shadow", brief: "send these two roles of a running army their prompt again" },
    ],
    full: "Lists the role prompts (rituals): which file is used, whether it is your own, and whether it differs from the one that comes with ovld. edit opens one in $VISUAL or $EDITOR, as a file of your own, and checks it; shared is what all six have in common. diff compares with the one that comes with ovld.\n\ngive sends agents of a running army the prompt they started with: the one the army was summoned with, or else your own. Each agent gets it as soon as it is ready; the command waits and reports. Exit code 1 means that a role is still waiting, 3 that there is no such army.",
  },
  practice: {
    examples: [
      { input: "", brief: "watch a practice army carry out a wish" },
      { input: '"Build me a castle" --json', brief: "use a wish of your own, and print JSON" },
      { input: "--resume", brief: "continue a campaign that was cut off" },
      { input: "--trees", brief: "see a conflict and a failed check come back, and everything land" },
      { input: "--machines 3", brief: "the same on three simulated machines" },
    ],
    full: "Summons an army of practice agents, which need no account, no network and no tokens, asks the overlord for something, and reports the result. On a terminal the army opens for you to watch, and ends when you leave it. Elsewhere each message is printed when it is sent and when it is read. With --resume the agents remember what they have done, and do nothing twice.",
  },
  send: {
    examples: [
      { input: 'overlord "Find out why the tests are slow"', brief: "write to a role" },
      { input: "storm - --subject notes < notes.txt", brief: "send what is on stdin" },
      { input: 'overlord "How far are you?" --wait', brief: "and wait for the answer" },
    ],
    full: "Puts a message into the role's inbox and waits up to two seconds to say whether the agent was woken. It succeeds as soon as the message is safely in the inbox. If the role's relay has ended, send itself types into the agent's pane, if that is safe. --wait shows the role's answer; if ovld reports first that the agent stalls, fails or asks in its pane, it shows that and fails. Ctrl-C stops waiting, and ovld inbox shows the answer later; if the agent is not running, --wait is an error.",
  },
  inbox: {
    examples: [
      { input: "", brief: "read what is new" },
      { input: "--all", brief: "also what you have read before" },
    ],
    full: "Shows what agents have written to you, then marks it as read. If that is interrupted, the mail is shown again next time, marked. --all also works for an archived army. An agent may not run this command.",
  },
  reply: {
    examples: [
      { input: '"Port 8080"', brief: "answer the question that is waiting for you" },
      { input: '0mabc "Port 8080"', brief: "answer this message, by the beginning of its id" },
    ],
    full: "Writes to the agent that wrote to you, as ovld send does, and marks its message as read. Without an id it answers the agent that is waiting for you, or else the last message without an answer; if there are several, it lists them and sends nothing. An agent may not run this command.",
  },
  log: {
    examples: [
      { input: "--follow", brief: "watch the mail as it is sent and read" },
      { input: "--role inferno --since 10m", brief: "what concerned inferno in the last ten minutes" },
      { input: "-n 20", brief: "the newest twenty entries" },
      { input: "0mabc", brief: "one message's whole history, by the beginning of its id" },
      { input: "--army overlord@20261116-031200", brief: "what happened in an archived army" },
    ],
    full: "Shows in order what happened to messages (waiting, notified, working, held, unanswered, read), and rituals, statuses and broken files that were set aside. If you filter, everything that happened to a selected message is shown with it. --follow continues until Ctrl-C or until the army ends. --after shows everything after the first entry about that message. --army also takes the name of an archived army. With --json each line is an object; with ID, one document.",
  },
  restart: {
    examples: [
      { input: "storm", brief: "restart this agent in its conversation" },
      { input: "inferno glacier", brief: "one after the other" },
      { input: "--continue", brief: "resume every agent that Ctrl-Z has suspended" },
    ],
    full: "Ends each of these agents and starts it again in its own pane and conversation; if the conversation cannot be resumed, it starts a new one, and the command says why. Use it for an agent that has exited, that does not respond, or whose relay has ended. An agent may not restart another one, unless the configuration allows agents to end an army.\n\nCtrl-Z suspends an agent, and its pane has no shell to resume it. --continue ends nothing: it sends suspended agents the signal to continue (SIGCONT), and leaves the others alone.",
  },
  status: {
    examples: [
      { input: "", brief: "the state of each agent, and what needs you" },
      { input: "--watch", brief: "the same, redrawn in place, with keys to answer, write and go to a pane" },
    ],
    full: "Shows first what needs you, and how to get there; then, for each role, its agent's state, how long it has been so and how ovld knows, its waiting mail, whether it was notified of it, its tab and pane, and what it says about its work. On a terminal, --watch has keys: a answers what agents ask, g and a number goes to a role's pane, w writes to a role, q leaves. In a pipe, --watch prints the status again whenever it changes.",
  },
  answer: {
    examples: [
      { input: "", brief: "go through the requests one by one" },
      { input: 'inferno deny --why "Run the tests first"', brief: "deny inferno's request, with a reason" },
      { input: "storm --choose 1", brief: "choose the first option of its question, or the first offer" },
    ],
    full: "Answers requests of agents: permissions, questions and plans. On a terminal it shows each one completely and asks; Enter alone answers nothing. Elsewhere it lists them. With a role and allow or deny, or with --choose or --text, it gives that answer. For a permission or a plan, --choose takes the number of something that the agent's own dialog offers to allow from now on; nothing else can be allowed. So that you approve nothing unseen, it shows the request and asks first, or needs --request with its whole name from the list; deny does not. The dialog stays in the agent's pane, too: the first answer counts (exit code 5 if it was not yours). An agent may not run this command. Requests of subagents, and questions before an agent's first prompt, can be answered only in the pane.",
  },
  task: {
    examples: [
      { input: "", brief: "the tasks that are not finished" },
      { input: 'add "Parse dates" --to inferno --check "npm test"', brief: "add one for a role" },
      { input: "take T7", brief: "an agent takes it, on a branch in its own tree" },
      { input: "done", brief: "an agent hands in what it has committed" },
      { input: 'return T7 "Handle leap years, too"', brief: "return a task that is waiting to land" },
    ],
    full: "The tasks of an army that was summoned with --trees. A task is open, taken, ready (handed in), being checked, returned, landed or dropped. done hands in what is committed. It lands by itself: it is merged onto the branch ovld/ARMY if the check passes at exactly that commit; otherwise it goes back to its owner by mail. Nothing that has not landed is deleted. More: ovld help trees.",
  },
  land: {
    examples: [
      { input: "", brief: "merge it into the branch that you have checked out" },
      { input: "--dry-run", brief: "say whether that would work" },
    ],
    full: "Merges ovld/ARMY into your branch by a fast-forward in your checkout, which Git refuses if it would touch files that you have changed. Your uncommitted work is first saved to a ref. If your branch has new commits, they are first merged into ovld/ARMY and checked there. If this fails, the command says why and changes nothing (exit code 5).",
  },
  budget: {
    examples: [
      { input: "", brief: "what is used and left, for the army and for each role" },
      { input: "raise 2M", brief: "give the army two million more tokens" },
      { input: "go", brief: "continue once, for another tenth of each budget that is used up" },
    ],
    full: "Shows the tokens of the army and of each role: input, cached input and output, in all conversations of an agent and its subagents, as its transcripts record them. Budgets are set under [budget] in the configuration. At 80 % you get mail. When one is used up, running turns finish, but nobody is woken until you raise it or let the army continue. If ovld cannot count an agent's tokens for a minute, it treats the budget as used up. With [prices] in the configuration, the cost is shown, too.",
  },
  desk: {
    examples: [
      { input: "", brief: "print a link, and open it in your browser" },
      { input: "--export campaign.html --no-bodies", brief: "write the campaign to one file" },
    ],
    full: "Serves a page for your browser, on this machine only, until you press Ctrl-C: what needs you, the conversation, the tasks, the roles, and the campaign as a picture. The link works once, within five minutes. Enter prints a new one; without a terminal, a line on stdin does. With --json each link is an object. The army need not be running. An agent may not run this command. More: ovld help desk.",
  },
  armies: {
    examples: [
      { input: "", brief: "list all armies" },
      { input: "rm overlord@20261116-031200", brief: "delete an archived army, after asking" },
    ],
    full: "Lists the armies that are running, cut off (by a crash or a reboot) and archived, with their age, the roles that need you, waiting mail, number of conversations that can be resumed, and folder. --watch keeps showing the list. rm permanently deletes armies that are not running; it asks unless you use --yes, which it needs without a terminal and with --json. An agent may not remove an army unless the configuration allows it.",
  },
  hub: {
    examples: [
      { input: "start --army camp", brief: "start the hub, and serve the army camp on it" },
      { input: "invite --army camp inferno glacier > b.join", brief: "let another machine run two roles" },
      { input: "join b.join", brief: "on the other machine: join the army that the file names" },
      { input: "status", brief: "see the hub, its armies and machines" },
      { input: "revoke machine-2 --army camp", brief: "take a machine's roles back" },
      { input: "service", brief: "print a service file that starts the hub with your system" },
      {
        input: "requirements --army camp",
        brief: "print what the army needs on somebody else's NATS server",
      },
    ],
    full: "A hub carries an army's mail between machines. It is a nats-server (2.12 or newer) that ovld finds on the PATH or in its cache, or builds with Go. start makes its keys and its certificate (with openssl), and supervises the server in the background. It listens on 127.0.0.1 unless you use --listen. invite prints a join file with the keys of these roles, which then no longer run here. join exchanges the keys in such a file for keys of its own; the file is then used up, and commands with --army and the army's name use the hub. revoke takes the keys back; status names the machines. stop ends it; its mail stays stored. With a NATS server run by somebody else (url and creds under [hub] in the configuration), requirements prints what to ask its administrator for, and start tests that server first. An agent may not run start, stop, invite, join or revoke. More: ovld help several-machines.",
  },
  notes: {
    examples: [
      { input: "", brief: "list the notes on this project" },
      { input: "show build", brief: "read the note called build" },
    ],
    full: "Lists the notes your armies have kept on this project (how to build and test it, decisions, traps), with the age, size and first line of each. The strategist writes them at the end of an order. They are Markdown files in ~/.config/ovld/insight (or OVLD_INSIGHT_DIR), and outlive the army. To delete one, delete its file.",
  },
  init: {
    examples: [
      { input: "", brief: "write what is missing" },
      { input: "--lang ja --force", brief: "write everything again, in Japanese, after asking" },
    ],
    full: "Writes config.toml with every setting explained in comments, the six role prompts, and shared.md, which they share, into ~/.config/ovld (or XDG_CONFIG_HOME). On a terminal it asks first, unless you use --yes. Existing files are kept unless you use --force; without a terminal, replacing them also needs --yes. How to edit a prompt: ovld help rituals.",
  },
  doctor: {
    examples: [{ input: "", brief: "check your setup and suggest fixes" }],
    full: "Checks Node.js, Zellij, Claude Code and its login, the mail folder, the configuration, the armies and the terminal. Your own settings are listed with their source; --json lists all settings. Each line is ok, a note or a problem, with the command that fixes it, if there is one. The exit code is 1 if there is a problem.",
  },
  update: {
    examples: [{ input: "", brief: "show the command that updates this installation" }],
    full: "Says how this ovld was installed (with npm, with Homebrew, by npx, or from a clone), and prints the command that updates it. It changes nothing and contacts nobody.",
  },
  completion: {
    examples: [
      { input: "bash", brief: "in ~/.bashrc: source <(ovld completion bash)" },
      { input: "zsh", brief: "in ~/.zshrc: source <(ovld completion zsh)" },
      { input: "fish > ~/.config/fish/completions/ovld.fish", brief: "for fish" },
      { input: "nushell | save -f ($nu.user-autoload-dirs.0)/ovld.nu", brief: "for nushell" },
    ],
    full: "Prints a script that completes commands, flags, roles and the names of armies in your shell. In zsh it needs compinit first. The folders of fish and nushell must exist.",
  },
  relay: {
    examples: [],
    full: "Serves one role's mail to its agent, as an MCP server over stdin and stdout. Needs OVLD_ROLE, OVLD_RELAY_DIR and OVLD_SESSION in its environment.",
  },
};
