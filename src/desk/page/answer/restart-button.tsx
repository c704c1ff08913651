/** Restarts an agent that is not running or cannot get mail; asks first. */
import { useState } from "preact/hooks";
import type { Role } from "../../../army/roles.ts";
import type { PageTexts } from "../../../i18n/texts.ts";
import type { DeskRestart } from "../../desk-routes.ts";
import type { DeskCalls } from "../call-desk.ts";

interface RestartProps {
  role: Role;
  calls: DeskCalls;
  texts: PageTexts;
  /** Called with what became of it. */
  onDone: (told: string) => void;
}

export function RestartButton({ role, calls, texts, onDone }: RestartProps) {
  const [step, setStep] = useState<"offer" | "ask" | "wait">("offer");
  const page = texts.desk.page;
  const restart = async (): Promise<void> => {
    setStep("wait");
    const answer = await calls.post<DeskRestart>("restart", { role });
    onDone("problem" in answer ? page.failed(answer.problem) : tellRestart(answer.value, texts));
    setStep("offer");
  };
  if (step === "wait") return <p role="status">{page.restarting(role)}</p>;
  if (step === "offer")
    return (
      <p>
        <button type="button" onClick={() => setStep("ask")}>
          {page.restart(role)}
        </button>
      </p>
    );
  return (
    <p role="group" aria-label={page.restartSure(role)}>
      {page.restartSure(role)}{" "}
      <button type="button" class="good" onClick={() => void restart()}>
        {page.restartYes}
      </button>{" "}
      <button type="button" onClick={() => setStep("offer")}>
        {page.cancel}
      </button>
    </p>
  );
}

function tellRestart({ role, outcome, why }: DeskRestart, { conversation, desk }: PageTexts): string {
  if (outcome === "not-needed") return desk.page.restartNotNeeded(role);
  return why === undefined
    ? conversation.restarts[outcome](role)
    : conversation.beginsAnew(role, conversation.beginnings[why]);
}
