/**
 * Loaded into a relay: ends it as SIGKILL does, right before the step in OVLD_TEST_DIE_BEFORE.
 * post: it connects to its agent's socket. answer: it answers a hook with a bell. record: it records what its agent has
 * read in this turn. removal: it removes mail that has arrived.
 */
import fs from "node:fs";
import net from "node:net";

const dieBefore = process.env.OVLD_TEST_DIE_BEFORE;

/** `isStep` judges a call by its arguments. */
function guard(step, owner, name, isStep) {
  const real = owner[name];
  if (step !== dieBefore) return;
  owner[name] = (...args) => {
    if (isStep(...args)) {
      process.kill(process.pid, "SIGKILL");
      // The signal arrives at once, but not within this call.
      for (;;);
    }
    return real.apply(owner, args);
  };
}

guard("post", net, "createConnection", () => true);
guard("answer", process.stdout, "write", (text) => String(text).includes("additionalContext"));
guard("record", fs, "renameSync", (from, to) => {
  return /conversations.\w+\.json$/.test(to) && fs.readFileSync(from, "utf8").includes("readInTurn");
});
guard("removal", fs, "unlinkSync", (path) => /claimed/.test(path));
