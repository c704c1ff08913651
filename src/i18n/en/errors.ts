/** The sentences for each error: what is wrong, and what to do next. */
import { MOST_MAIL } from "../../army/words.ts";
import { ROLES } from "../../army/roles.ts";
import type { ErrorReport } from "../../system/ovld-error.ts";
import type { FileProblem } from "../../system/read-file.ts";
import type { Expectation, RitualProblem, VerdictProblem } from "../../army/errors.ts";
import { shellWord } from "../../system/text.ts";
import { countOf, quote, isHubError } from "../sentences.ts";
import { formatHubError } from "./hub-errors.ts";

export function formatError(report: ErrorReport): string {
  if (isHubError(report)) return formatHubError(report);
  const { code, facts } = report;
  switch (code) {
    case "env-missing":
      return `The environment variable ${facts.variable} is not set. ${
        facts.variable === "HOME"
          ? "Set it to your home folder."
          : "The agent's MCP configuration has to set it."
      }`;
    case "env-wrong":
      return `The environment variable ${facts.variable} is ${quote(facts.value)}, which is not ${EXPECTATIONS[facts.expected]}.`;
    case "store-gone":
      return `The relay folder ${facts.path} is gone. Its army has probably been ended; summon it again.`;
    case "store-newer":
      return `The relay folder ${facts.path} has format ${facts.found}; this version of ovld supports formats up to ${facts.known}. Update ovld.`;
    case "store-foreign":
      return `${facts.path} was not created by ovld or cannot be read. Move it somewhere else and try again.`;
    case "folder-taken":
      return `${facts.path} is not empty and is not an ovld relay folder. Nothing in it was changed. Set OVLD_RELAY_DIR to a new or empty folder.`;
    case "disk-full":
      return `The disk is full (${facts.path}). Free some space and try again.`;
    case "file-size-limit":
      return `The file-size limit of this process is too small for ${facts.path}. Raise the limit (ulimit -f) and try again.`;
    case "not-writable":
      return `${facts.path} cannot be written to. Check its permissions and whether the disk is mounted read-only, then try again.`;
    case "file-trouble":
      return `The file system reported an error: ${facts.reason}.`;
    case "file-wrong":
      return `${facts.path} cannot be used: ${facts.reason}. Correct it and try again.`;
    case "file-unfit":
      return `${facts.path} ${FILE_PROBLEMS[facts.problem]}`;
    case "too-long":
      return `The ${facts.field} has ${facts.length} ${facts.unit}; the limit is ${facts.limit} ${facts.unit}. Write it to a file and send the path.`;
    case "inbox-full":
      return `The inbox of ${facts.role} is full: it already holds ${countOf(facts.limit, "waiting message")}, which is the limit. Wait until ${facts.role} has read them.`;
    case "to-oneself":
      return `You are ${facts.role}, and you cannot message yourself. Choose another recipient.`;
    case "zellij-missing":
      return `Zellij was not found. Install Zellij ${facts.oldest} or newer, or run npm start in a clone of ovld, which downloads or builds one.`;
    case "zellij-too-old":
      return `${facts.program} is Zellij ${facts.version}, but ovld needs ${facts.oldest} or newer. Update Zellij.`;
    case "zellij-hangs":
      return `Zellij did not answer within ${countOf(facts.seconds, "second")} (zellij ${facts.command}). Try again; if that does not help, end its server.`;
    case "sockets-foreign":
      return `${facts.path} belongs to another user (uid ${facts.owner}), who could stop your Zellij or answer in its place. Set ZELLIJ_SOCKET_DIR to a folder of your own with a short path, such as ~/.zellij-sockets, and try again.`;
    case "session-silent":
      return `The Zellij session ${facts.session} did not answer within ${countOf(facts.seconds, "second")}. ${
        facts.pid === null
          ? "Find its server (zellij --server) and resume or end it."
          : `Its server is process ${facts.pid}. If it was stopped, resume it with kill -CONT ${facts.pid}; if it hangs, kill -KILL ${facts.pid} ends it and every program in it.`
      }`;
    case "port-taken":
      return `Port ${facts.port} is in use or not allowed. Choose another one with --port, or leave it out.`;
    case "output-failed":
      return `The output could not be written: ${facts.reason}. Check where the output goes.`;
    case "session-elsewhere":
      return `The army ${facts.session} is running, but its session is in a different Zellij socket folder from yours. Attach to it with ZELLIJ_SOCKET_DIR=${shellWord(facts.folder)} ovld summon --army ${shellWord(facts.session)}.`;
    case "session-lost":
      return `The army ${facts.session} is still running, but it can no longer be reached: Zellij does not list it. End it with ovld unsummon --army ${shellWord(facts.session)}.`;
    case "zellij-refused":
      return `Zellij reported an error (${facts.command}): ${facts.said}`;
    case "agent-missing":
      return `The program ${facts.program} was not found. Install it, or try the army with ovld summon --agent practice.`;
    case "agent-too-old":
      return `${facts.program} is ${facts.agent} ${facts.version}, but ovld needs ${facts.oldest} or newer. Update it with ${facts.update}.`;
    case "no-terminal":
      return `ovld ${facts.command} needs a terminal to open the army on, and there is none. Use --detached to open it in the background.`;
    case "session-name-wrong":
      return `${quote(facts.name)} is not a valid name for an army. Use letters, digits, - and _, and start with a letter or digit.`;
    case "session-name-too-long":
      return `The name ${facts.name} is too long for the path of its socket: the limit here is ${countOf(facts.limit, "character")}. Choose a shorter name, or set ZELLIJ_SOCKET_DIR to a folder with a shorter path.`;
    case "session-live":
      return `The army ${facts.session} is already running. Attach to it from a terminal with ovld summon --army ${shellWord(facts.session)}.`;
    case "army-elsewhere":
      return `The army ${facts.session} is already running, and works in ${facts.folder}, not in this folder. Open another army here with --army NAME, or attach to that one from a terminal with ovld summon --army ${shellWord(facts.session)}.`;
    case "flag-too-late":
      return `The army ${facts.session} is already running, so ${facts.flag} comes too late. Attach to it without that flag, open another army with --army NAME, or end it first with ovld unsummon --army ${shellWord(facts.session)}.`;
    case "name-taken":
      return `The name ${facts.session} is already used by another Zellij session or by an army's mail. Choose another name, or end that army with ovld unsummon --army ${shellWord(facts.session)}.`;
    case "not-an-army":
      return `The Zellij session ${facts.session} was not summoned by ovld. End it with zellij kill-session, or use --force.`;
    case "agent-may-not-end":
      return `Only the person may run ${facts.command}, not an agent. Ask them to do it in their own shell. They can allow agents to do it with may_unsummon = true under [agents] in ${facts.path}.`;
    case "agent-may-not-answer":
      return `Only the person may run ${facts.command}, not an agent. Wait for their answer.`;
    case "army-running":
      return `The army ${facts.session} is running. End it first with ovld unsummon --army ${shellWord(facts.session)}; with --forget nothing of it is kept.`;
    case "no-army":
      return `There is no army called ${facts.session}. Summon it with ovld summon --army ${shellWord(facts.session)}, or list all armies with ovld armies.`;
    case "army-file":
      return facts.problem === "newer"
        ? `The army's file ${facts.path} was written by a newer version of ovld. Update ovld, or start anew with ovld summon --fresh, which keeps it in the archive.`
        : `The army's file ${facts.path} is damaged, so nobody knows where the army worked and what it ran. Correct it, or start anew with ovld summon --fresh, which keeps it in the archive.`;
    case "army-crashed":
      return `The army ${facts.session} was cut off while it worked in ${facts.folder}. Add --resume to bring it back, or --fresh to start anew and keep it in the archive.`;
    case "army-worked-elsewhere":
      return `The last army ${facts.session} worked in ${facts.folder}. Run the command there, or bring it back in this folder with ovld summon --resume --army ${shellWord(facts.session)}.`;
    case "army-agent":
      return `The last army ${facts.session} ran ${facts.was}, and ${facts.asked} cannot resume its conversations. Leave out --agent to bring it back, or start anew with --fresh.`;
    case "army-roles":
      return `The army ${facts.session} has other roles than this version of ovld: ${facts.roles.join(", ")}. Use the ovld that summoned it, or start anew with --fresh.`;
    case "nothing-to-resume":
      return `No army ${facts.session} that worked in ${facts.folder} can be brought back. List the archived armies with ovld armies, and name one with --army.`;
    case "needs-yes":
      return `This cannot be undone, and ${facts.command} cannot ask you without a terminal or with --json. Use --yes if you mean it.`;
    case "resume-or-fresh":
      return "--resume and --fresh exclude each other. Use one of them.";
    case "wish-and-resume":
      return "--resume goes on with the wish that the army was given. Leave out the new one.";
    case "no-archive":
      return `The archive has no army called ${quote(facts.name)}. List the archived armies with ovld armies.`;
    case "archive-unreadable":
      return `The archived army ${facts.name} cannot be read. Check the owner and the permissions of ${facts.path}, or move that folder somewhere else.`;
    case "empty-message":
      return `The message to ${facts.role} is empty. Give its text as an argument or on stdin.`;
    case "no-such-message":
      return `There is no message ${quote(facts.id)} in the journal. See the ids with ovld log.`;
    case "message-ambiguous":
      return `${facts.count}${facts.orMore ? " or more" : ""} messages begin with ${quote(facts.id)}: ${facts.candidates.join(", ")}. Give more of the id.`;
    case "no-such-note":
      return `There is no note ${quote(facts.name)} in ${facts.folder}. ${facts.meant ? `Did you mean ${facts.meant}?` : "See the names with ovld insight."}`;
    case "invalid-time":
      return `${quote(facts.text)} is not a valid time. Write 10m, 2h or 1d for how long ago, 14:30 for today, or a date such as 2026-11-15.`;
    case "config-syntax":
      return `${facts.path}, line ${facts.line}, is not valid TOML: ${facts.reason}. Correct the line, or write a new file with ovld init --force.`;
    case "config-key":
      return `${facts.path}, line ${facts.line}: there is no setting ${quote(facts.key)}. ${
        facts.meant ? `Did you mean ${facts.meant}?` : `Settings there: ${facts.known.join(", ")}.`
      }`;
    case "config-value":
      return `${facts.path}, line ${facts.line}: ${facts.key} must be ${EXPECTATIONS[facts.expected]}${facts.choices.length > 0 ? `: ${facts.choices.join(", ")}` : ""}.`;
    case "cwd-gone":
      return "The folder you are in has been removed. Go to another one and try again.";
    case "ritual-wrong":
      return `The ritual ${facts.path} ${RITUAL_PROBLEMS[facts.problem]}`;
    case "rituals-missing":
      return `${facts.path} is not a folder, so it contains no rituals. Name a folder that contains ${ROLES.map((role) => `${role}.md`).join(", ")}.`;
    case "no-such-role":
      return `${quote(facts.word)} is not a role. The roles are ${ROLES.join(", ")}.`;
    case "answer-whom":
      return `Name the role that you answer: ${ROLES.join(", ")}.`;
    case "no-request":
      return `${facts.role} is not asking that. See with ovld answer what agents ask.`;
    case "several-requests":
      return `${facts.role} asks several things. Name the one you answer with --request: ${facts.ids.join(", ")}.`;
    case "request-unnamed":
      return `Name the request with --request, so that you allow only what you have seen. ovld answer ${facts.role} shows it, with the command that answers it.`;
    case "answer-unfit":
      return VERDICT_PROBLEMS[facts.problem](facts.role);
    case "machine-failed":
      return `On the machine ${facts.machine}, ovld ${facts.command} failed: ${facts.said}`;
    case "wrong-arguments":
      return `Wrong arguments for ${facts.tool}: ${facts.problems.join("; ")}.`;
  }
}

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
