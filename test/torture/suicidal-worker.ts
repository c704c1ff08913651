/** Sends or reads as planned, reports what has happened, and kills itself in the middle. */
import { writeSync } from "node:fs";
import { openMail } from "../../src/mail/mail.ts";
import type { DeathStep, WorkerPlan } from "./plan.ts";

const plan: WorkerPlan = JSON.parse(process.argv[2] ?? "");
let occurrences = 0;

function reach(step: DeathStep): void {
  if (step !== plan.die.at) return;
  occurrences += 1;
  if (occurrences === plan.die.occurrence) process.kill(process.pid, "SIGKILL");
}

/** In one unbuffered write, so that exactly what has happened is reported. */
function report(line: object): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

const mail = openMail(plan.relayDir, { onStep: reach });

if (plan.task === "send") {
  for (const body of plan.bodies) {
    const { id } = mail.deliver({
      from: "overlord",
      to: "strategist",
      subject: "order",
      body,
      priority: "normal",
    });
    report({ stored: id });
  }
} else {
  const claim = mail.claim("strategist");
  report({ read: claim.messages });
  reach("answered");
  claim.settle();
}
