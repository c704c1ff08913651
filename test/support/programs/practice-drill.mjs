/**
 * The drill of practice agents in tests: loaded by the agent itself, and told what to do by the `roles` of the script.
 *
 *     {"roles": {"inferno": {
 *        "listTools": {"file": "/tmp/go"},        it lists its server's tools only then
 *        "acts": [
 *          {"when": "start", "draft": "half a th"},
 *          {"when": {"prompt": "work"}, "turn": [{"do": "busy", "for": {"file": "/tmp/worked"}}]},
 *          {"when": {"file": "/tmp/ask"}, "turn": [{"do": "ask", "command": "rm x", "ran": "/tmp/ran"}]},
 *          {"when": {"file": "/tmp/end"}, "exit": 1}
 *        ]}}}
 *
 * A moment is `{"file": PATH}`: as soon as that file exists. An act may set the draft, take a turn (after the current
 * one) and make the program exit; an act for a prompt is part of every turn whose prompt contains the words, and of
 * every piece of work that does. `ask` opens the yes/no question; only after "yes" does the command count as run and is
 * appended to the file `ran`. It is recorded as "asked", "approved" and "refused".
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

export function openDrill({ role, texts, stage, record, line, submit, leave }, env) {
  const script = env.OVLD_PRACTICE_SCRIPT;
  const { roles = {} } = script ? JSON.parse(readFileSync(script, "utf8")) : {};
  const { listTools, acts = [] } = roles[role] ?? {};
  /** Commands that the person has allowed until the agent ends. */
  const allowed = new Set();

  async function follow(steps, over) {
    for (const step of steps) {
      if (step.do === "busy") await waitFor(step.for, over.signal);
      else await askToRun(step, over);
    }
  }

  /**
   * Asks the person whether to run a command, as Claude Code does: the question is in the pane, the call of the hook is
   * open meanwhile, and the first answer counts. The danger in every agent program: an Enter that was meant for the
   * composer answers yes here.
   */
  async function askToRun({ command, ran }, over) {
    const rules = [{ toolName: "Bash", ruleContent: command }];
    const suggestion = { type: "addRules", rules, behavior: "allow", destination: "session" };
    const about = {
      tool_name: "Bash",
      tool_input: JSON.stringify({ command }),
      // What the dialog offers besides a single yes.
      permission_suggestions: JSON.stringify([suggestion]),
    };
    if (!allowed.has(command)) {
      record("asked", { command });
      const { by, decision } = await firstAnswer(command, about);
      if (decision.behavior === "deny") {
        record("refused", { command, by });
        // As in Claude Code, a refusal in the pane ends the turn, and one from outside does not.
        if (by === "outside") return stage.note(decision.message ?? "");
        over.abort();
        over.signal.throwIfAborted();
      } else if (decision.updatedPermissions !== undefined) allowed.add(command);
      record("approved", { command, by });
    }
    if (ran !== undefined) appendFileSync(ran, `${command}\n`);
    await line().fire("PostToolUse", about);
  }

  async function firstAnswer(command, about) {
    const over = new AbortController();
    const inPane = stage
      .ask(texts.askToRun(command), over.signal)
      .then((isYes) => ({ by: "pane", decision: { behavior: isYes ? "allow" : "deny" } }));
    const outside = line()
      .fire("PermissionRequest", about, over.signal)
      .then(({ decision }) => (decision ? { by: "outside", decision } : inPane));
    const first = await Promise.race([inPane, outside]);
    // Like Claude Code, it says nothing of a yes in the pane except by its next hook.
    if (first.by === "outside" || first.decision.behavior === "deny") over.abort();
    return first;
  }

  return {
    ready: async (stop) => listTools && waitFor(listTools, stop),
    begin(stop) {
      for (const { when, draft, turn, exit } of acts.filter((each) => each.when.prompt === undefined)) {
        const act = () => {
          if (draft !== undefined) stage.setDraft(draft);
          if (turn) submit((over) => follow(turn, over));
          if (exit !== undefined) leave(exit);
        };
        if (when === "start") act();
        // The agent may end before the moment comes.
        else waitFor(when, stop).then(act, () => {});
      }
    },
    during: (words, over) =>
      follow(
        acts.filter(({ when }) => words.includes(when.prompt ?? NaN)).flatMap(({ turn }) => turn ?? []),
        over,
      ),
  };
}

/** Throws if `stop` is aborted in the meantime. */
async function waitFor({ file }, stop) {
  while (!existsSync(file)) await pause(25, undefined, { signal: stop });
}
