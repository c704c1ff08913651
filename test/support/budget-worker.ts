/** Tells the person a piece of the budget's news, and kills itself at a step of the mail's delivery. */
import { openMail } from "../../src/mail/mail.ts";
import { openBudgetBook } from "../../src/mail/records/budget.ts";

const [, , relayDir = "", news = "", at = ""] = process.argv;
const mail = openMail(relayDir, {
  onStep: (step) => void (step === at && process.kill(process.pid, "SIGKILL")),
});
openBudgetBook(relayDir).tellOnce(news, () => {
  mail.deliver({
    from: "ovld",
    to: "human",
    subject: "The army's budget is used up",
    body: "",
    priority: "normal",
  });
});
