/** What each command does, in detail, and how it is used: for its own help and for docs/commands.md. */

export const COMMAND_TEXTS = {
  summon: {
    usage: "[flags]",
    examples: [
      { input: "", brief: "open the army in this folder, or go back to it" },
      { input: "--detached --army work", brief: "open one called work in the background" },
      { input: "--resume", brief: "bring the last army in this folder back" },
      { input: "--dry-run", brief: "only show what would be written and run" },
    ],
    full: "Opens one Zellij session with three tabs and six panes, each with its agent and its mail. Everything that could fail is checked first, and all problems are reported at once, before anything is created. If the army is already running, summon attaches to it; if it works in another folder and you did not name it with --army, summon asks first. For an army that is running, --fresh, --rituals, --no-rituals and another --agent come too late and are errors. If the last army in this folder can come back, because it was cut off or is in the archive, summon says when and how it ended, which conversations can be resumed and what mail is waiting, and asks whether to bring it back or to start anew. --resume and --fresh answer in advance; without a terminal, an army that was cut off needs one of them, and one that was ended is started anew. An archived army can also be named with --army. It comes back with the agent program it ran, and whatever it is replaced by, nothing of it is lost: starting anew puts it into the archive. Inside Zellij, summon opens the army in the background and switches to it. When Zellij returns, you have either detached, and the army is still running, or the army has ended and goes into the archive, as with ovld unsummon. An army whose Zellij session was renamed is found by its old name and by its new one. In the background the panes are small (50 columns for a whole tab) until somebody attaches.\n\nEach agent that is ready is given its ritual as its first prompt. Nothing is typed into an agent that is asking something or has not started: the other agents continue, and this one gets its ritual after you have answered, however long that takes. In the background, summon waits for the rituals as long as there is progress, and ends with exit code 1 if a role has no ritual yet; that role still gets its ritual later, by itself. The rituals are in the rituals folder of ~/.config/ovld, which the first summon fills, unless --rituals or the configuration names another folder; a folder that merely exists in the project is not used. On a terminal, summon asks before it tells Claude Code to trust a folder; elsewhere it says that each agent will ask.",
  },
  unsummon: {
    usage: "[flags]",
    examples: [
      { input: "", brief: "end the army, after asking" },
      { input: "--all --yes", brief: "end all armies without asking" },
      { input: "--everywhere --army camp", brief: "also on the other machines of the army" },
      { input: "--forget", brief: "end the army and keep nothing of it" },
    ],
    full: "Says what it will end, mentions waiting mail, and asks on a terminal unless you use --yes. Waiting mail, statuses, the journal and which conversation each agent was in are kept in the archive for 30 days (days under [archive] in the configuration), so that ovld summon --resume can bring the army back; with --forget nothing is kept, which without a terminal needs --yes. Of an army on several machines it ends the part on this machine; --everywhere tells the other machines to end theirs. Archived armies whose time is over are removed. In a pane of an army it ends that army, unless --army names another. An agent may not end an army, not even with --force, unless the configuration allows it. A process that does not end with its army is ended by its recorded pid and start time. A Zellij session that ovld did not summon is left alone, and without Zellij nothing is touched, unless you use --force; it does not skip the question. With an invalid configuration an army is ended only if --army names it, or with --all. Leftovers of a dead army are removed too.",
  },
  ritual: {
    usage: "[ROLE…] [flags]",
    examples: [
      { input: "", brief: "give every role its ritual" },
      { input: "storm shadow", brief: "give it to these two" },
    ],
    full: "Gives the roles of a running army the prompt they start with: the one the army was summoned with, or else your own. Each role's relay types it into its pane as soon as its agent is ready, however long that takes; this command waits and reports. Exit code 1 means that a role is still waiting, 3 that there is no such army.",
  },
  practice: {
    usage: "[WISH] [flags]",
    examples: [
      { input: "", brief: "watch a practice army carry out a wish" },
      { input: '"Build me a castle" --json', brief: "use a wish of your own, and print JSON" },
      { input: "--resume", brief: "go on with a campaign that was cut off" },
      { input: "--machines 3", brief: "the same on three machines that exist only for it" },
    ],
    full: "Summons an army of practice agents, which need no account, no network and no tokens, asks the overlord for something, and reports the result. On a terminal the army opens for you to watch, and ends when you leave it; elsewhere each message is shown when it is sent and when it is read, and the army is ended afterwards. A campaign that was cut off, by a crash or a reboot, goes on with --resume: its agents remember what they have done, and do nothing twice.",
  },
  send: {
    usage: "ROLE [TEXT|-] [flags]",
    examples: [
      { input: 'overlord "Find out why the tests are slow"', brief: "write to a role" },
      { input: "storm - --subject notes < notes.txt", brief: "send what comes in on stdin" },
    ],
    full: "Puts a message from human into the role's inbox, where it waits until it is delivered and read. The command then waits up to two seconds to say whether the agent was woken: rung, begun, delivered, held and why, or that no agent is running. If the role's relay has ended and its agent is running, send rings the agent by typing into its pane, as a sender's relay does, provided that this can do no harm. The command succeeds as soon as the message is safely in the inbox, whether or not the agent was woken.",
  },
  log: {
    usage: "[ID] [flags]",
    examples: [
      { input: "--follow", brief: "watch the mail as it is sent and read" },
      { input: "--role inferno --since 10m", brief: "what concerned inferno in the last ten minutes" },
      { input: "0mabc", brief: "one message's whole history, by the beginning of its id" },
      { input: "--army overlord@20261116-031200", brief: "what happened in an archived army" },
    ],
    full: "Shows what the journal holds, in order: messages waiting, rung for, begun, held, unanswered and read; rituals, statuses, and broken files that were set aside. If you filter, everything that happened to a selected message is shown with it. --follow continues until Ctrl-C or until the army ends. The journal of an army that was brought back goes on, with a line that says when and how it had ended; that of an archived army is shown with --army and its name, which ovld armies lists. With --json each line is an object as docs/store-format.md describes it; with ID, one document.",
  },
  continue: {
    usage: "[ROLE…] [flags]",
    examples: [
      { input: "", brief: "resume every suspended agent" },
      { input: "storm", brief: "only this one" },
    ],
    full: "Ctrl-Z suspends an agent, and its pane has no shell that could resume it. This command sends its process the signal to continue (SIGCONT). Agents that are not suspended are left alone.",
  },
  restart: {
    usage: "ROLE… [flags]",
    examples: [
      { input: "storm", brief: "end this agent and bring it back in its conversation" },
      { input: "inferno glacier", brief: "one after the other" },
    ],
    full: "Ends each of these agents and starts it again in its own pane. The new agent resumes the role's conversation; if that is not possible, it begins a new one and gets its ritual, and the command says why. Use it for an agent whose relay has ended, that does not answer, or that has exited. An agent that was in the middle of a turn is told so by a message from ovld. An agent may not restart another one, unless the configuration allows agents to end an army.",
  },
  status: {
    usage: "[flags]",
    examples: [
      { input: "", brief: "the state of each agent, and what needs you" },
      { input: "--watch", brief: "the same, redrawn in place, with keys to answer, write and go to a pane" },
      { input: "--all", brief: "all armies" },
    ],
    full: "Shows first what needs you, and how to get there; then for each role its agent's state (idle, working, asking you, suspended, starting, gone) with its age and where that was read, its waiting mail and the age of the oldest, its bell, its tab and pane, and the status it has set for itself. Looking changes nothing. It also reports an army that is not running and a damaged store. On a terminal, --watch has keys: a answers what agents ask, as ovld answer does; g and a number takes you to a role's pane, if you are inside the army, and otherwise says how to get there; w writes to a role, as ovld send does; q leaves. In a pipe, --watch prints the status again whenever it changes.",
  },
  answer: {
    usage: "[ROLE] [allow|deny] [flags]",
    examples: [
      { input: "", brief: "go through what agents ask, one by one" },
      { input: 'inferno deny --why "Run the tests first"', brief: "deny what inferno asks, with a reason" },
      { input: "storm --choose 1", brief: "choose the first option of its question, or the first offer" },
    ],
    full: "Answers what agents ask you: for a permission, a question, or a plan. On a terminal it shows each request completely (commands, files as a diff, plans) and asks; pressing Enter alone answers nothing. Elsewhere it lists the requests. With a role and allow or deny, or with --choose or --text, it gives that answer. For a permission or a plan, --choose picks from what the agent's own dialog offers to allow from now on, by its number; nothing else can be allowed. So that you never allow what you have not seen, such an answer shows the request and asks first, or needs --request with the name that the list gives it; only deny needs neither, unless the role asks several things. The question stays in the agent's pane meanwhile: the first answer counts, and the command says whether that was yours (exit code 5 if it was not). An agent may not run this command. What a subagent asks, and questions before an agent's first prompt, can be answered only in the pane.",
  },
  desk: {
    usage: "[flags]",
    examples: [
      { input: "", brief: "print a link, and open it in your browser" },
      {
        input: "--export campaign.html --no-bodies",
        brief: "write the campaign to one file, to look back at",
      },
    ],
    full: "Serves a page for your browser, on this machine only, until you press Ctrl-C. The page shows what needs you first: permissions, questions and plans can be answered there, and the first answer counts, there or in the pane. Below are the six roles, the campaign as a picture, a form to write to a role or to all, and your other armies. The link works once, for five minutes, and becomes a cookie. Enter prints a new link; without a terminal, a line on stdin does. With --json each link is an object. The army need not be running: the page waits for it, and also shows armies that have ended. Nothing of the army depends on the desk. From another machine, reach it with ssh -L; docs/desk.md says how. An agent cannot run this command. With --export, the campaign is written to one HTML file that needs no server.",
  },
  armies: {
    usage: "[remove NAME…] [flags]",
    examples: [
      { input: "", brief: "list all armies" },
      { input: "remove overlord@20261116-031200", brief: "delete an archived army, after asking" },
    ],
    full: "Lists the armies that are running, those that were cut off by a crash or a reboot, and those in the archive, with their age (how long they have been running, or how long ago they ended), their waiting mail, the number of conversations that can be resumed, and their folder. The names of archived armies can be used with ovld log --army and ovld summon --resume --army. remove deletes armies that are not running, for good; it asks unless you use --yes, which it needs without a terminal and with --json. An agent may not remove an army unless the configuration allows it.",
  },
  hub: {
    usage: "ACTION [ROLE…|MACHINE] [flags]",
    examples: [
      { input: "start --army camp", brief: "start the hub, and serve the army camp on it" },
      {
        input: "invite --army camp inferno glacier > b.join",
        brief: "let another machine have two roles",
      },
      { input: "status", brief: "see the hub, its armies and machines" },
      { input: "revoke machine-2 --army camp", brief: "take a machine's roles back" },
      { input: "service", brief: "print a file with which your system starts the hub" },
      {
        input: "requirements --army camp",
        brief: "print what the army needs on a NATS server that somebody else runs",
      },
    ],
    full: "A hub carries an army's mail between machines. It is a nats-server (2.12 or newer) that ovld finds on the PATH or in its cache, downloads if it knows the checksum of the release, or builds with Go. start makes keys, configuration and streams, and supervises the server in the background: it is started again when it ends, or when it no longer stores anything. The hub has a certificate, which start makes with openssl (or takes from --tls-cert, --tls-key and --tls-ca), and which is how machines know that it is the hub. It listens on 127.0.0.1 unless you name another address with --listen; ssh -L or a VPN lets other machines in. invite prints a join file with the address and the keys of these roles, which then can no longer be used here; the machine has to join within 24 hours (--valid). revoke takes the keys back. doctor checks the hub and suggests fixes. stop ends it; its mail stays stored. An army can also use a NATS server that somebody else runs (url and creds under [hub] in the configuration): requirements prints what to ask its administrator for, and start tests before anything is written that each role reaches what it needs there, and that none can write in another's name. An agent may not run start, stop, invite or revoke.",
  },
  join: {
    usage: "FILE [flags]",
    examples: [{ input: "b.join", brief: "take part in the army that the file names" }],
    full: "Checks a file that ovld hub invite printed, connects to the hub with each of its keys, and exchanges them for keys of this machine's own, which it keeps in the configuration folder; the file then works no more. After that, commands with --army and the army's name use the hub.",
  },
  insight: {
    usage: "[show NAME] [flags]",
    examples: [
      { input: "", brief: "list the notes on this project" },
      { input: "show build", brief: "read the note called build" },
    ],
    full: "Lists the notes your armies have kept on this project (how to build and test it, decisions, traps), with the age, size and first line of each note. The strategist writes these notes at the end of an order and reads them at the start of the next. They are Markdown files in one folder per project, in insight under ~/.config/ovld or in the folder that OVLD_INSIGHT_DIR names; subfolders and worktrees of a Git repository share one folder. The notes stay when the army ends. To delete one, delete its file.",
  },
  init: {
    usage: "[flags]",
    examples: [
      { input: "", brief: "write what is missing" },
      { input: "--lang ja --force", brief: "write everything again, in Japanese, after asking" },
    ],
    full: "Writes config.toml with every setting explained in comments, and the six role prompts, into ~/.config/ovld (or XDG_CONFIG_HOME). On a terminal it asks first, unless you use --yes. Existing files are kept unless you use --force; without a terminal, replacing them also needs --yes.",
  },
  doctor: {
    usage: "[flags]",
    examples: [{ input: "", brief: "check your setup and suggest fixes" }],
    full: "Checks Node.js, Zellij (a Zellij session is really created in the background and removed), Claude Code and its login, the mail folder, the configuration, the armies and the terminal. Settings that you have set are listed with where each value came from; --json lists all settings. Each line is good, a note or wrong, with the command that fixes it where there is one. The exit code is 1 if something is wrong.",
  },
  completion: {
    usage: "bash|zsh|fish",
    examples: [
      { input: "bash >> ~/.bashrc", brief: "for bash" },
      { input: 'zsh > "${fpath[1]}/_ovld"', brief: "for zsh" },
      { input: "fish > ~/.config/fish/completions/ovld.fish", brief: "for fish" },
    ],
    full: "Prints a script that completes commands, flags, roles and the names of armies in your shell.",
  },
};
