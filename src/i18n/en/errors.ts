/** The sentences for each error: what is wrong, and what to do next. */
import { MOST_MAIL } from "../../army/words.ts";
import { ROLES } from "../../army/roles.ts";
import type { FileProblem } from "../../system/read-file.ts";
import type { Expectation, RitualProblem, VerdictProblem } from "../../army/errors.ts";
import { shellWord } from "../../system/text.ts";
import { countOf, quote, type ErrorTexts } from "../sentences.ts";
import { HUB_ERROR_TEXTS } from "./hub-errors.ts";

export const ERROR_TEXTS: ErrorTexts = {
  ...HUB_ERROR_TEXTS,
  "env-missing": ({ variable }) =>
    `The environment variable ${variable} is not set. ${
      variable === "HOME" ? "Set it to your home folder." : "The agent's MCP configuration has to set it."
    }`,
  "env-wrong": ({ variable, value, expected }) =>
    `The environment variable ${variable} is ${quote(value)}, which is not ${EXPECTATIONS[expected]}.`,
  "store-gone": ({ path }) =>
    `The relay folder ${path} is gone. Its army has probably been ended; summon it again.`,
  "store-newer": ({ path, found, known }) =>
    `The relay folder ${path} has format ${found}; this version of ovld supports formats up to ${known}. Update ovld.`,
  "store-foreign": ({ path }) =>
    `${path} was not created by ovld or cannot be read. Move it somewhere else and try again.`,
  "folder-taken": ({ path }) =>
    `${path} is not empty and is not an ovld relay folder. Nothing in it was changed. Set OVLD_RELAY_DIR to a new or empty folder.`,
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
  "inbox-full": ({ role, limit }) =>
    `The inbox of ${role} is full: it already holds ${countOf(limit, "waiting message")}, which is the limit. Wait until ${role} has read them.`,
  "to-oneself": ({ role }) => `You are ${role}, and you cannot message yourself. Choose another recipient.`,
  "zellij-missing": ({ oldest }) =>
    `Zellij was not found. Install Zellij ${oldest} or newer, or run npm start in a clone of ovld, which downloads or builds one.`,
  "zellij-too-old": ({ program, version, oldest }) =>
    `${program} is Zellij ${version}, but ovld needs ${oldest} or newer. Update Zellij.`,
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
    `The army ${session} is still running, but it can no longer be reached: Zellij does not list it. End it with ovld unsummon --army ${shellWord(session)}.`,
  "zellij-refused": ({ command, said }) => `Zellij reported an error (${command}): ${said}`,
  "agent-missing": ({ program }) =>
    `The program ${program} was not found. Install it, or try the army with ovld summon --agent practice.`,
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
    `The army ${session} is already running, so ${flag} comes too late. Attach to it without that flag, open another army with --army NAME, or end it first with ovld unsummon --army ${shellWord(session)}.`,
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
      ? `The army's file ${path} was written by a newer version of ovld. Update ovld, or start anew with ovld summon --fresh, which keeps it in the archive.`
      : `The army's file ${path} is damaged, so nobody knows where the army worked and what it ran. Correct it, or start anew with ovld summon --fresh, which keeps it in the archive.`,
  "army-crashed": ({ session, folder }) =>
    `The army ${session} was cut off while it worked in ${folder}. Add --resume to bring it back, or --fresh to start anew and keep it in the archive.`,
  "army-worked-elsewhere": ({ session, folder }) =>
    `The last army ${session} worked in ${folder}. Run the command there, or bring it back in this folder with ovld summon --resume --army ${shellWord(session)}.`,
  "army-agent": ({ session, was, asked }) =>
    `The last army ${session} ran ${was}, and ${asked} cannot resume its conversations. Leave out --agent to bring it back, or start anew with --fresh.`,
  "army-roles": ({ session, roles }) =>
    `The army ${session} has other roles than this version of ovld: ${roles.join(", ")}. Use the ovld that summoned it, or start anew with --fresh.`,
  "nothing-to-resume": ({ session, folder }) =>
    `No army ${session} that worked in ${folder} can be brought back. List the archived armies with ovld armies, and name one with --army.`,
  "needs-yes": ({ command }) =>
    `This cannot be undone, and ${command} cannot ask you without a terminal or with --json. Use --yes if you mean it.`,
  "resume-or-fresh": () => "--resume and --fresh exclude each other. Use one of them.",
  "wish-and-resume": () => "--resume goes on with the wish that the army was given. Leave out the new one.",
  "no-archive": ({ name }) =>
    `The archive has no army called ${quote(name)}. List the archived armies with ovld armies.`,
  "archive-unreadable": ({ name, path }) =>
    `The archived army ${name} cannot be read. Check the owner and the permissions of ${path}, or move that folder somewhere else.`,
  "empty-message": ({ role }) => `The message to ${role} is empty. Give its text as an argument or on stdin.`,
  "no-such-message": ({ id }) =>
    `There is no message ${quote(id)} in the journal. See the ids with ovld log.`,
  "message-ambiguous": ({ count, orMore, id, candidates }) =>
    `${count}${orMore ? " or more" : ""} messages begin with ${quote(id)}: ${candidates.join(", ")}. Give more of the id.`,
  "no-such-note": ({ name, folder, meant }) =>
    `There is no note ${quote(name)} in ${folder}. ${meant ? `Did you mean ${meant}?` : "See the names with ovld insight."}`,
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
  "no-request": ({ role }) => `${role} is not asking that. See with ovld answer what agents ask.`,
  "several-requests": ({ role, ids }) =>
    `${role} asks several things. Name the one you answer with --request: ${ids.join(", ")}.`,
  "request-unnamed": ({ role }) =>
    `Name the request with --request, so that you allow only what you have seen. ovld answer ${role} shows it, with the command that answers it.`,
  "answer-unfit": ({ problem, role }) => VERDICT_PROBLEMS[problem](role),
  "machine-failed": ({ machine, command, said }) =>
    `On the machine ${machine}, ovld ${command} failed: ${said}`,
  "wrong-arguments": ({ tool, problems }) => `Wrong arguments for ${tool}: ${problems.join("; ")}.`,
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

/** What is wrong with a file, as the end of a sentence that begins with its path, and what to do. */
const FILE_PROBLEMS: Record<FileProblem, string> = {
  "not-a-file": "is not a plain file but a folder, a pipe or a device. Move it somewhere else and try again.",
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
