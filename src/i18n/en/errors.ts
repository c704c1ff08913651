/** The sentences for each error: what is wrong, and what to do next. */
import { MOST_MAIL } from "../../army/words.ts";
import { ROLES } from "../../army/roles.ts";
import { TREES_PROBLEMS } from "./work.ts";
import type { FileProblem } from "../../system/read-file.ts";
import type {
  DownloadProblem,
  Expectation,
  ForeignProblem,
  JoinFileProblem,
  RitualProblem,
  UnfitFacts,
  VerdictProblem,
} from "../../army/errors.ts";
import { shellWord } from "../../system/text.ts";
import { countOf, quote, type ErrorTexts } from "../sentences.ts";

export const ERROR_TEXTS: ErrorTexts = {
  "env-missing": ({ variable }) =>
    `The environment variable ${variable} is not set. ${
      variable === "HOME" ? "Set it to your home folder." : "The agent's MCP configuration has to set it."
    }`,
  "env-wrong": ({ variable, value, expected }) =>
    `The environment variable ${variable} is ${quote(value)}, which is not ${EXPECTATIONS[expected]}.`,
  "store-gone": ({ path }) =>
    `The mail folder ${path} is gone. Its army has probably been ended; summon it again.`,
  "store-newer": ({ path, found, known }) =>
    `The mail folder ${path} has format ${found}; this version of ovld supports formats up to ${known}. Update ovld.`,
  "store-foreign": ({ path }) =>
    `${path} was not created by ovld or cannot be read. Move it somewhere else and try again.`,
  "folder-taken": ({ path }) =>
    `${path} is not empty and is not a mail folder of ovld. Nothing in it was changed. Set OVLD_RELAY_DIR to a new or empty folder.`,
  "disk-full": ({ path }) => `The disk is full (${path}). Free some space and try again.`,
  "file-size-limit": ({ path }) =>
    `The file-size limit of this process is too small for ${path}. Raise the limit (ulimit -f) and try again.`,
  "not-writable": ({ path }) =>
    `${path} cannot be written to. Check its permissions and whether the disk is mounted read-only, then try again.`,
  "file-trouble": ({ reason }) => `The file system reported an error: ${reason}.`,
  "file-wrong": ({ path, reason }) => `${path} cannot be used: ${reason}. Correct it and try again.`,
  "file-unfit": ({ path, problem }) => `${path} ${FILE_PROBLEMS[problem]}`,
  "too-long": ({ field, length, unit, limit }) =>
    `The ${field} has ${length} ${unit}; the limit is ${limit} ${unit}. Write it to a file and send the path.`,
  "inbox-full": ({ role, limit, from }) =>
    from !== undefined
      ? `${role} has not read ${countOf(limit, "message")} of ${from}, and there is no room for more of them. Wait until some are read.`
      : `The inbox of ${role} is full: it already holds ${countOf(limit, "waiting message")}, which is the limit. Wait until ${role} has read them.`,
  "to-oneself": ({ role }) => `You are ${role}, and you cannot message yourself. Choose another recipient.`,
  "out-of-command": ({ role, to, instead }) =>
    `${role} may not write to ${to} here${instead.length > 0 ? `; write to ${instead.join(" or ")}` : ""}.`,
  "zellij-missing": ({ oldest }) =>
    `Zellij was not found. With --yes ovld downloads it (ovld summon --yes or ovld practice --yes); or install Zellij ${oldest} or newer.`,
  "zellij-not-provided": ({ version, why, said, cargo, command }) =>
    `Zellij ${version} could not be downloaded: ${DOWNLOAD_PROBLEMS[why](said)}. ${
      cargo === ""
        ? "cargo, which could build it, is not installed."
        : `cargo could not build it either; its last output:\n${cargo}\n`
    } Install it with: ${command}`,
  "zellij-too-old": ({ program, version, oldest }) =>
    `${program} is Zellij ${version}, but ovld needs ${oldest} or newer. Update it, or let ovld download one with --yes (ovld summon --yes or ovld practice --yes).`,
  "zellij-hangs": ({ seconds, command }) =>
    `Zellij did not answer within ${countOf(seconds, "second")} (zellij ${command}). Try again; if that does not help, end its server.`,
  "sockets-foreign": ({ path, owner }) =>
    `${path} belongs to another user (uid ${owner}), who could stop your Zellij or answer in its place. Set ZELLIJ_SOCKET_DIR to a folder of your own with a short path, such as ~/.zellij-sockets, and try again.`,
  "session-silent": ({ session, seconds, pid }) =>
    `The Zellij session ${session} did not answer within ${countOf(seconds, "second")}. ${
      pid === null
        ? "Find its server (zellij --server) and resume or end it."
        : `Its server is process ${pid}. If it was stopped, resume it with kill -CONT ${pid}; if it hangs, kill -KILL ${pid} ends it and every program in it.`
    }`,
  "port-taken": ({ port }) =>
    `Port ${port} is in use or not allowed. Choose another one with --port, or leave it out.`,
  "output-failed": ({ reason }) => `The output could not be written: ${reason}. Check where the output goes.`,
  "session-elsewhere": ({ session, folder }) =>
    `The army ${session} is running, but its session is in a different Zellij socket folder from yours. Attach to it with ZELLIJ_SOCKET_DIR=${shellWord(folder)} ovld summon --army ${shellWord(session)}.`,
  "session-lost": ({ session }) =>
    `The army ${session} is still running, but Zellij does not list it any more, so ovld cannot reach it. End it with ovld unsummon --army ${shellWord(session)}.`,
  "zellij-refused": ({ command, said }) => `Zellij reported an error (${command}): ${said}`,
  "agent-missing": ({ program }) =>
    `The program ${program} was not found. ovld doctor says how to get it; or try the army with ovld summon --agent practice.`,
  "agent-too-old": ({ program, agent, version, oldest, update }) =>
    `${program} is ${agent} ${version}, but ovld needs ${oldest} or newer. Update it with ${update}.`,
  "no-terminal": ({ command }) =>
    `ovld ${command} needs a terminal to open the army on, and there is none. Use --detached to open it in the background.`,
  "session-name-wrong": ({ name }) =>
    `${quote(name)} is not a valid name for an army. Use letters, digits, - and _, and start with a letter or digit.`,
  "session-name-too-long": ({ name, limit }) =>
    `The name ${name} is too long for the path of its socket: the limit here is ${countOf(limit, "character")}. Choose a shorter name, or set ZELLIJ_SOCKET_DIR to a folder with a shorter path.`,
  "session-live": ({ session }) =>
    `The army ${session} is already running. Attach to it from a terminal with ovld summon --army ${shellWord(session)}.`,
  "army-elsewhere": ({ session, folder }) =>
    `The army ${session} is already running, and works in ${folder}, not in this folder. Open another army here with --army NAME, or attach to that one from a terminal with ovld summon --army ${shellWord(session)}.`,
  "flag-too-late": ({ session, flag }) =>
    `The army ${session} is already running, and ${flag} applies only when an army starts. Attach to it without that flag, open another army with --army NAME, or end it first with ovld unsummon --army ${shellWord(session)}.`,
  "name-taken": ({ session }) =>
    `The name ${session} is already used by another Zellij session or by an army's mail. Choose another name, or end that army with ovld unsummon --army ${shellWord(session)}.`,
  "not-an-army": ({ session }) =>
    `The Zellij session ${session} was not summoned by ovld. End it with zellij kill-session, or use --force.`,
  "agent-may-not-end": ({ command, path }) =>
    `Only the person may run ${command}, not an agent. Ask them to do it in their own shell. They can allow agents to do it with may_unsummon = true under [agents] in ${path}.`,
  "agent-may-not-answer": ({ command }) =>
    `Only the person may run ${command}, not an agent. Wait for their answer.`,
  "army-running": ({ session }) =>
    `The army ${session} is running. End it first with ovld unsummon --army ${shellWord(session)}; with --forget nothing of it is kept.`,
  "no-army": ({ session }) =>
    `There is no army called ${session}. Summon it with ovld summon --army ${shellWord(session)}, or list all armies with ovld armies.`,
  "army-file": ({ problem, path }) =>
    problem === "newer"
      ? `The army's file ${path} was written by a newer version of ovld. Update ovld, or start a new army with ovld summon --fresh, which keeps it in the archive.`
      : `The army's file ${path} is damaged, so the army's folder and agent program are unknown. Correct it, or start a new army with ovld summon --fresh, which keeps it in the archive.`,
  "army-crashed": ({ session, folder }) =>
    `The army ${session} was cut off while it worked in ${folder}. Add --resume to bring it back, or --fresh to start a new one and keep it in the archive.`,
  "army-worked-elsewhere": ({ session, folder }) =>
    `The last army ${session} worked in ${folder}. Run the command there, or bring it back in this folder with ovld summon --resume --army ${shellWord(session)}.`,
  "army-agent": ({ session, was, asked }) =>
    `The last army ${session} ran ${was}, and ${asked} cannot resume its conversations. Leave out --agent to bring it back, or start a new one with --fresh.`,
  "army-roles": ({ session, roles }) =>
    `The army ${session} has other roles than this version of ovld: ${roles.join(", ")}. Use the ovld that summoned it, or start a new one with --fresh.`,
  "nothing-to-resume": ({ session, folder }) =>
    `No army ${session} that worked in ${folder} can be brought back. List the archived armies with ovld armies, and name one with --army.`,
  "needs-yes": ({ command }) =>
    `This cannot be undone, and ${command} cannot ask you without a terminal or with --json. Use --yes if you mean it.`,
  "resume-or-fresh": () => "Use either --resume or --fresh, not both.",
  "wish-and-resume": () =>
    "--resume continues with the wish that the army already has. Leave out the new one.",
  "no-archive": ({ name }) =>
    `The archive has no army called ${quote(name)}. List the archived armies with ovld armies.`,
  "archive-unreadable": ({ name, path }) =>
    `The archived army ${name} cannot be read. Check the owner and the permissions of ${path}, or move that folder somewhere else.`,
  "empty-message": ({ role }) => `The message to ${role} is empty. Give its text as an argument or on stdin.`,
  "no-such-message": ({ id }) =>
    `There is no message ${quote(id)} in the journal. See the ids with ovld log.`,
  "nothing-to-answer": () =>
    "No agent has written anything to you that has no answer yet. Write to one with ovld send, or name a message; ovld inbox --all shows their ids.",
  "several-to-answer": ({ letters }) =>
    `Several messages have no answer yet. Name the one you answer by its id: ${letters.join(", ")}.`,
  "nobody-to-answer": ({ id }) => `The message ${id} is from ovld itself, which reads no mail.`,
  "army-over": ({ session }) =>
    `The army ${session} has ended, so nobody would read this. Bring it back with ovld summon --resume --army ${shellWord(session)}.`,
  "no-answer-comes": ({ role }) =>
    `No answer can come: ${role}'s agent is not running. Your message waits in its inbox; ovld restart ${role} starts the agent again.`,
  "message-ambiguous": ({ count, orMore, id, candidates }) =>
    `${count}${orMore ? " or more" : ""} messages begin with ${quote(id)}: ${candidates.join(", ")}. Give more of the id.`,
  "no-such-note": ({ name, folder, meant }) =>
    `There is no note ${quote(name)} in ${folder}. ${meant ? `Did you mean ${meant}?` : "See the names with ovld notes."}`,
  "invalid-time": ({ text }) =>
    `${quote(text)} is not a valid time. Write 10m, 2h or 1d for how long ago, 14:30 for today, or a date such as 2026-11-15.`,
  "config-syntax": ({ path, line, reason }) =>
    `${path}, line ${line}, is not valid TOML: ${reason}. Correct the line, or write a new file with ovld init --force.`,
  "config-key": ({ path, line, key, meant, known }) =>
    `${path}, line ${line}: there is no setting ${quote(key)}. ${
      meant ? `Did you mean ${meant}?` : `Settings there: ${known.join(", ")}.`
    }`,
  "config-value": ({ path, line, key, expected, choices }) =>
    `${path}, line ${line}: ${key} must be ${EXPECTATIONS[expected]}${choices.length > 0 ? `: ${choices.join(", ")}` : ""}.`,
  "cwd-gone": () => "The folder you are in has been removed. Go to another one and try again.",
  "ritual-wrong": ({ path, problem }) => `The ritual ${path} ${RITUAL_PROBLEMS[problem]}`,
  "rituals-missing": ({ path }) =>
    `${path} is not a folder, so it contains no rituals. Name a folder that contains ${ROLES.map((role) => `${role}.md`).join(", ")}.`,
  "no-such-role": ({ word }) => `${quote(word)} is not a role. The roles are ${ROLES.join(", ")}.`,
  "answer-whom": () => `Name the role that you answer: ${ROLES.join(", ")}.`,
  "no-request": ({ role }) => `${role} is not asking that. Run ovld answer to see what agents ask.`,
  "several-requests": ({ role, ids }) =>
    `${role} asks several things. Name the one you answer with --request: ${ids.join(", ")}.`,
  "request-unnamed": ({ role }) =>
    `Name the request with --request, as ID:digest, so that you allow only what you have seen. ovld answer ${role} shows it, with the command that answers it.`,
  "answer-unfit": ({ problem, role }) => VERDICT_PROBLEMS[problem](role),
  "machine-failed": ({ machine, command, said }) =>
    `On the machine ${machine}, ovld ${command} failed: ${said}`,
  "git-failed": ({ command, said }) => `${command} failed: ${said}`,
  "no-trees": ({ problem, detail }) => TREES_PROBLEMS[problem](detail),
  "no-budget": ({ session, spender }) =>
    `The army ${session} was summoned without a budget${spender === "army" ? "" : ` for ${spender}`}. Set one under [budget] in the configuration; the next summon uses it.`,
  "budget-words": ({ words }) =>
    `ovld budget does not understand: ${words.join(" ")}. It takes: go, raise TOKENS, or raise TOKENS ROLE, with tokens such as 500k, 2M or 2000000.`,
  "army-without-trees": ({ session }) =>
    `The army ${session} has no trees and no tasks. Summon one with: ovld summon --trees`,
  "no-tree-of-yours": () =>
    "Only an agent with a tree takes tasks and hands them in: the strategist and the four generals.",
  "role-without-tree": ({ role }) =>
    `${role} has no tree on this machine, so it cannot take a task. Send it the work by mail instead.`,
  "tree-broken": ({ path }) =>
    `${path} is no longer a tree of this repository, and there may be work in it. Save what you need, remove the folder, and try again.`,
  "board-elsewhere": () =>
    "That is done on the machine of the overlord and the strategist: this one has only a copy of the tasks.",
  "board-silent": () =>
    "The machine with the tasks, that of the overlord and the strategist, does not answer. Try again later.",
  "hand-in-refused": ({ id, said }) => `${id} could not be handed in on the strategist's machine: ${said}`,
  "hand-in-too-large": ({ id, kilobytes, limit, branch }) =>
    `What ${id} changes has ${kilobytes} KB, and ${limit} KB at most can travel. Run git push REMOTE ${branch} here and git fetch on the strategist's machine, then ovld task done again.`,
  "tree-dirty": ({ file, others, command }) =>
    `${others === 0 ? `${file} is` : `${file} and ${others} more are`} not committed. Next: git add -A && git commit -m "…" && ${command}`,
  "target-in-use": ({ branch, path }) =>
    `${branch} is checked out in ${path}, so nothing can land on it. Switch to another branch there: git switch BRANCH`,
  "no-such-task": ({ id }) =>
    id === "" ? "There is no task to take now." : `There is no task ${id}. ovld task lists them.`,
  "task-of-another": ({ id, role }) => `${id} is for ${role}.`,
  "task-waits": ({ id, tasks }) => `${id} has to wait until this has landed: ${tasks}.`,
  "task-state": ({ id, state, role }) =>
    `${id} is ${state}${role === "" ? "" : ` (${role})`}, so this cannot be done with it now.`,
  "no-task-here": ({ branch }) =>
    `${branch === "" ? "Your tree is on no branch" : `The branch ${branch} belongs to no task`}. Next: ovld task take`,
  "nothing-committed": ({ id, branch }) =>
    `Nothing is committed on ${branch} yet that has not landed. Commit your work, then run ovld task done; if there is nothing to do, run: ovld task drop ${id}`,
  "wrong-arguments": ({ tool, problems }) => `Wrong arguments for ${tool}: ${problems.join("; ")}.`,
  "hub-no-server": ({ reason, oldest }) =>
    `There is no nats-server, which a hub needs, and none could be built: ${reason}. Install nats-server ${oldest} or newer (with Homebrew: brew install nats-server; or put the program from https://github.com/nats-io/nats-server/releases on the PATH), or install Go (https://go.dev/dl), with which ovld builds one. Then try again.`,
  "hub-server-old": ({ program, version, oldest }) =>
    `${program} is nats-server ${version}, but a hub needs ${oldest} or newer: older ones ignore parts of its configuration. Update it.`,
  "hub-none": () => "There is no hub on this machine. Start one with ovld hub start.",
  "hub-not-started": ({ reason, log }) => `The hub's server did not start: ${reason}. Its log is ${log}.`,
  "hub-not-stopped": ({ pid }) =>
    `Process ${pid} of the hub was killed but has not ended; the system is holding it, perhaps because of a disk that does not answer. Try ovld hub stop again later.`,
  "hub-port-taken": ({ listen }) =>
    `Another program is already listening on ${listen}. End it, or choose another port for the hub, for example with --listen 127.0.0.1:14222.`,
  "hub-stopped": () =>
    "The hub is not running, so nothing was changed. Start it with ovld hub start, and try again.",
  "hub-address": ({ listen }) =>
    `${quote(listen)} is not an address to listen on. Write it as ADDRESS:PORT, such as 127.0.0.1:4222.`,
  "hub-validity": ({ text }) =>
    `${quote(text)} is not a time for which a join file can be valid. Write it as 30m, 24h or 7d, at most a year.`,
  "hub-certificate": ({ reason }) =>
    `The certificate could not be made or read: ${reason}. Install openssl, or give a certificate with --tls-cert, its key with --tls-key and its authority with --tls-ca.`,
  "hub-no-army": ({ session }) =>
    `The hub has no army called ${session}. Name one of its armies with --army; ovld hub status lists them.`,
  "hub-no-machine": ({ session, machine, known }) =>
    `No machine of the army ${session} is called ${quote(machine)}. ${
      known.length > 0 ? `Its machines: ${known.join(", ")}.` : "No machine was invited yet."
    }`,
  "hub-machine-taken": ({ session, machine }) =>
    `The army ${session} already has a machine called ${machine}. Choose another name with --machine, or remove that machine first: ovld hub revoke ${machine} --army ${session}.`,
  "hub-joined-already": ({ session, machine, path }) =>
    `This machine already takes part in the army ${session}, as ${machine}, and would lose its roles. Use the join file on another machine. If this machine is to be another one from now on, revoke ${machine} at its hub first, or remove ${path} if that hub is gone.`,
  "hub-join-file": ({ path, problem }) => `${path} ${JOIN_FILE_PROBLEMS[problem]}`,
  "hub-unreachable": ({ servers, reason }) =>
    `The hub at ${servers.join(", ")} does not answer: ${reason}. Check that it runs (ovld hub status on its machine) and that this machine can reach it.`,
  "hub-refused": ({ servers, machine }) =>
    `The hub at ${servers.join(", ")} does not accept the keys of the machine ${machine}. It has been revoked or invited again since: ask for a new join file.`,
  "hub-person-only": ({ command }) => `Only you may run ${command}, not an agent. Run it in your own shell.`,
  "hub-unknown": ({ reason }) =>
    `It is unknown whether the message was stored: the hub did not confirm it, and it could not be kept on this machine (${reason}). Ask the recipient before you send it again.`,
  "hub-role-taken": ({ role, machine }) =>
    `${role} is already on another machine: ${machine}. A role can be on one machine only; end it there first, or invite this machine again.`,
  "hub-newer": ({ machine, found, known }) =>
    `The machine ${machine} has a newer ovld than this one (format ${found}, known here: ${known}). Update ovld on this machine.`,
  "hub-foreign": ({ problem, what }) => FOREIGN_PROBLEMS[problem](what),
  "hub-unfit": formatUnfit,
  "hub-full": ({ reason }) =>
    `The hub has no room for more mail: ${reason}. Free space on its disk; ovld hub doctor on its machine says how much is left.`,
};

const VERDICT_PROBLEMS: Record<VerdictProblem, (role: string) => string> = {
  "only-in-the-pane": (role) =>
    `What ${role} asks is too large to be shown here completely, so it can be answered only in its pane.`,
  "needs-answers": (role) =>
    `${role} asks a question: choose an option or write an answer for each question.`,
  "not-a-question": (role) => `${role} does not ask a question. Allow or deny what it asks for.`,
  "one-answer-each": (role) => `${role} asks several questions. Give one answer to each of them.`,
  "not-offered": (role) => `${role} does not offer that choice. Choose one of those that are listed.`,
  "only-one-option": (role) => `Only one option of the question of ${role} can be chosen.`,
};

/** What a rejected value should have been, as the end of a sentence. */
const EXPECTATIONS: Record<Expectation, string> = {
  "a role": `a role (${ROLES.join(", ")})`,
  "a key": `a key as Zellij spells it, such as "Alt s", "Ctrl Alt o" or "F9", or "off"`,
  "a session name": "a name for an army (letters, digits, - and _, starting with a letter or digit)",
  "an absolute path": "an absolute path",
  "a folder": "a folder",
  "a folder for notes alone":
    "a folder for notes alone, which contains neither your home, nor the project, nor ovld's own files",
  "a folder to write in": "an existing folder that can be written to",
  "a path": "an absolute path, or one that starts with ~/",
  "a text": "a text in quotes",
  "prices of models":
    "a table of models with the prices of a million tokens, such as claude-opus-5-5 = { input = 5, cached = 0.5, output = 25 }",
  "a list of texts": 'a list of texts, such as ["--verbose"]',
  "a table": "a table of settings",
  "a number in this range": "a whole number in this range",
  limits: `limits such as "unread=500,body=16384", none above the maximum (unread=${MOST_MAIL.unreadPerInbox},body=${MOST_MAIL.bodyBytes},journal=${MOST_MAIL.journalMegabytes})`,
  "true or false": "true or false",
  "claude or practice": "claude or practice",
  "auto or pane": "auto or pane",
  "a nats-server": "the path of a nats-server",
  "one of these": "one of these",
};

/** Why the released Zellij was not downloaded, as the end of a sentence. */
export const DOWNLOAD_PROBLEMS: Record<DownloadProblem, (said: string) => string> = {
  "no-release": (machine) => `there is no release for ${machine}`,
  "not-reached": (said) => said,
  "wrong-sum": () => "what was downloaded is not the released program, because its checksum is wrong",
  "no-program": () => "its archive does not contain the program",
  "does-not-run": () => "the downloaded program does not run on this machine",
};

/** What is wrong with a file, as the end of a sentence that begins with its path, and what to do. */
const FILE_PROBLEMS: Record<FileProblem, string> = {
  "not-a-file":
    "is not a plain file but a folder, a pipe or a device. Name a file, or move it away and try again.",
  "too-large": "is too large to read. Shorten it and try again.",
  "not-utf8": "is not UTF-8 text. Save it as UTF-8.",
  "not-understood": "is not the JSON that ovld expects. Correct it and try again.",
  newer: "was written by a newer version of ovld. Update ovld.",
  unreadable: "cannot be read. Check its permissions and try again.",
  "a-link": "is a link, and links are not followed here. Put the file itself there.",
  "dangling-link": "is a link whose target does not exist. Correct or remove the link and try again.",
  busy: "is being written by another program. Try again in a moment.",
};

/** The same for a role prompt. */
const RITUAL_PROBLEMS: Record<RitualProblem, string> = {
  missing: "does not exist. Put the file there, or use another folder.",
  unreadable: "cannot be read. Check that it is a plain file, and check its permissions.",
  empty: "is empty. Write what the role should do.",
  "too-large": "is larger than 32 KB. Shorten it; it can refer the agent to other files.",
  "not-utf8": "is not UTF-8 text. Save it as UTF-8.",
  "control-characters":
    "contains control characters other than newline and tab. Remove them; lines must end with LF alone.",
  "a-command": "starts with ! or /, so an agent would take it for a command. Start it with a word.",
};

const JOIN_FILE_PROBLEMS: Record<JoinFileProblem, string> = {
  missing: "does not exist. Name the file that ovld hub invite printed.",
  damaged: "is not a join file, or not a complete one. Use the file as ovld hub invite printed it.",
  expired: "has expired. Ask for a new one: ovld hub invite on the hub's machine prints it.",
  newer: "was made by a newer ovld. Update ovld on this machine.",
  used: "is not accepted by the hub any more: a machine has already joined with it (it works once), or it was revoked or has expired. Ask for a new one: ovld hub invite on the hub's machine prints it.",
  "no-authority":
    "has no certificate of the hub, so another program on its port could pretend to be the hub. On the hub's own machine, run ovld hub start. On another machine, ask for a new join file (ovld hub revoke and ovld hub invite on the hub's machine make one), and run ovld hub join.",
  plain:
    "names a NATS server on another machine without TLS, so anybody between the machines could pretend to be it. Ask for a join file in which its address begins with tls://.",
};

/** What is said about a NATS server that somebody else runs. */
const FOREIGN_PROBLEMS: Record<ForeignProblem, (what: string) => string> = {
  address: (what) =>
    `[hub] url in the configuration is not the address of a NATS server: ${what}. Write it as tls://nats.example.com:4222.`,
  plain: (what) =>
    `${what} is on another machine, and its address under [hub] url does not ask for encryption. Write it as tls://${what}; if its certificate comes from a private authority, name that authority's certificate with ca.`,
  "needs-creds": () =>
    "[hub] url needs creds: the folder with the keys that the administrator of that NATS server has made for you. ovld hub requirements prints what to ask for.",
  "needs-url": () =>
    "[hub] creds and ca belong to a NATS server that somebody else runs, but the configuration has no [hub] url. Add its address, or remove them.",
  ca: (what) =>
    `${what}, named as [hub] ca, does not exist. It has to be the certificate of the server's authority.`,
  missing: (what) =>
    `These files with keys are missing: ${what}. Ask the administrator of the NATS server for a key for each user; ovld hub requirements prints what to ask for.`,
  readable: (what) =>
    `Other users can read or change ${what}, which has secret keys. Run: chmod -R go= ${what}`,
  damaged: (what) =>
    `${what} is not a key of a NATS user, or not a complete one. A .creds file has a JWT and the seed that belongs to it; a .nk file has a seed.`,
  "own-hub": (what) =>
    `This machine's own hub serves the army ${what}, but the configuration has [hub] url. Choose another name with --army, or remove url from the configuration.`,
  elsewhere: (what) =>
    `The army ${what} is on another hub, which this machine has joined. Choose another name with --army.`,
  shared: (what) =>
    `The army ${what} has the same keys, and two armies must not share their mail. Ask the administrator of the NATS server for accounts of its own for each army.`,
  given: (what) =>
    `Another machine has these roles, and its keys still work: ${what}. Ask the administrator of the NATS server to revoke those keys and to make new ones, put them into the folder [hub] creds, and run ovld hub start again: the roles then run on this machine again.`,
  stop: () =>
    "Somebody else runs the NATS server of this hub, so ovld cannot stop it. ovld unsummon --everywhere ends the army; its administrator stops the server.",
  service: () =>
    "Somebody else runs the NATS server of this hub, so there is nothing to start on this machine. Its administrator makes it start with the system.",
  revoke: (what) =>
    `Somebody else runs the NATS server of this hub, so ovld cannot revoke ${what}. Ask its administrator to revoke the keys of that machine's users and to make new ones, put them into the folder [hub] creds, and run ovld hub start again: the roles then run on this machine again.`,
  valid: () =>
    "Somebody else runs the NATS server of this hub, so ovld cannot make a join file expire. Ask its administrator for keys that expire, and leave --valid out.",
  listen: () =>
    "Somebody else runs the NATS server of this hub ([hub] url in the configuration), so --listen and --tls cannot be used.",
};

export function formatUnfit({ servers, problem, who, what }: UnfitFacts): string {
  return `The NATS server at ${servers.join(", ")} ${UNFIT[problem](who, what)}`;
}

const ASK = "Ask its administrator";

const UNFIT: Record<UnfitFacts["problem"], (who: string, what: string) => string> = {
  silent: (_who, what) =>
    `does not answer: ${what}. Check [hub] url and that this machine can reach it, or ask its administrator whether it runs.`,
  "no-tls": () =>
    `does not offer TLS. ${ASK} for an address with TLS, or reach it on 127.0.0.1 through ssh -L.`,
  old: (_who, what) =>
    `is nats-server ${what}, but an army needs 2.12.0 or newer: older ones ignore parts of what it needs. ${ASK} to update it.`,
  small: (_who, what) =>
    `takes messages of ${what} bytes at most, but an army's can have 600000. ${ASK} for a larger max_payload, such as 1MB.`,
  expired: (who, what) => `no longer accepts the key of ${who}: it expired at ${what}. ${ASK} for a new one.`,
  refused: (who) =>
    `does not accept the key of ${who}. ${ASK} whether the user exists and has not been revoked.`,
  "no-streams": (_who, what) =>
    `does not let post make the army's streams: ${what}. ${ASK} for the limits that ovld hub requirements prints.`,
  unreached: (who, what) =>
    `does not let ${who} reach what it needs: ${what}. ${ASK} for the exports and imports that ovld hub requirements prints.`,
  "not-apart": (who, what) =>
    `does not keep the roles apart: ${who} can reach what belongs to others (${what}), and could write in their names. ${ASK} for an account for each user, as ovld hub requirements prints them.`,
};
