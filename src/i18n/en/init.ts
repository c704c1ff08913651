/** What `ovld init` says, asks and writes. */

export const INIT_TEXTS = {
  willWrite: "Files to write:",
  willReplace: (path: string) => `${path} (replaces the existing file)`,
  willKeep: (path: string) => `${path} already exists and is kept.`,
  askToWrite: "Go ahead? [Y/n] ",
  no: /^\s*no?\s*$/i,
  wroteNothing: "Nothing was written.",
  wrote: (path: string) => `Wrote ${path}`,
  kept: (path: string) => `Kept  ${path} (--force replaces it)`,
  nothingToDo: "Everything already exists.",
  next: "Next: ovld doctor checks your setup, ovld summon opens the army.",
};

/** What the configuration file says about each setting. */
export const CONFIG_NOTES = {
  beginning:
    "The configuration of ovld. A line that begins with # has no effect: it shows the default, or an example. Flags take precedence over environment variables (OVLD_SESSION, OVLD_AGENT, OVLD_WAKE, OVLD_ZELLIJ, OVLD_RITUALS, OVLD_LIMITS, OVLD_LANG), and environment variables take precedence over this file.",
  session: "The army that a command works on if you do not use --army.",
  agent:
    'What the panes run: "claude" for Claude Code, "practice" for an army that needs no account and costs nothing.',
  wake: 'How an agent is woken for its mail: "auto" uses the gentlest way that works, "pane" only types into its pane.',
  language: `The language that ovld uses: "en" or "ja". Without it, your system's language decides.`,
  zellij: "The Zellij to use. Without it: the one on your PATH, or the one that ovld downloaded or built.",
  agents: "Whether an agent may end an army with ovld unsummon. If not, only you can.",
  claude:
    'How every Claude Code of the army is started: its program, the model, how it asks for permission ("manual", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions"), and any other arguments.',
  role: "The same for one role: overlord, strategist, inferno, glacier, shadow or storm. Its model and permission mode replace those above; its arguments are added after those above.",
  bell: "The notification that wakes an agent for its mail. Short mail (6 KB in all) comes with it, so that the agent need not ask for it; with false, it only says that there is mail.",
  brake:
    "The brake: agents that have exchanged this many messages, and done nothing else in between, are not woken for the next one until you say whether they go on (ovld answer). With 0 nothing is held.",
  budget:
    "A budget in tokens, for the army and for single roles (ovld budget): read, read from the cache, and written. When one is used up, nobody is woken until you decide. And what a million tokens of a model cost you, to see it as money.",
  desk: 'Outside the panes: whether you can answer there what agents ask (ovld answer), and whether you get a desktop notification when an agent begins to wait for you. The key opens ovld status --watch in the army, in a floating pane, unless you or Zellij already use it; "off" for none.',
  notify:
    "A command of your own instead of the desktop notification, also for mail to you; it gets the text on its stdin.",
  rituals:
    "The role prompts: the folder they are in, and whether giving them moves the focus from pane to pane.",
  trees:
    "In a Git repository, a worktree for each agent (ovld help trees): whether armies have them, the command that has to pass before work lands and for how many minutes it may run, a command that makes a new tree usable, the folder they are in, and whether what has landed goes into your branch by itself whenever that is safe.",
  limits:
    "How much mail is accepted: the number of waiting messages in an inbox, and the bytes in a message's text. A message beyond that is refused, and the sender is told. journal_mb is how much of the journal is kept; the oldest is deleted first. You can lower these limits, but not raise them. An army keeps the limits it was summoned with.",
  command: `The order of command: to whom each role may write ("human" is you). A role that is not named may write to anybody, the overlord always to you, and you to all. Mail against it is refused, and its sender is told whom to write to. A role in read_only may not change files of the project with Claude Code's own tools, except in .ovld/. An army keeps the order it was summoned with.`,
  archive:
    "For how many days an army that has ended is kept, so that ovld summon --resume can bring it back: its waiting mail, statuses, journal and conversations. With 0 nothing is kept.",
  hub: "An army on several machines (ovld help several-machines), if somebody else runs its NATS server: the server's address, the folder with the keys for it and, if it is a private one, the certificate of its authority. replicas says how many servers of a cluster keep each message.",
};
