/**
 * Calls back when the person presses Enter, or a program writes a line to our input, until it is closed.
 *
 * A process in the background of a terminal must not read there: the system would stop it as soon as the person types.
 */
import { readProgram } from "../system/run-program.ts";

export function onEnter(pressed: () => void): { close: () => void } {
  const { stdin } = process;
  const read = (typed: Buffer): void => {
    if (typed.includes("\n")) pressed();
  };
  const listen = (): void => void (mayRead() ? stdin.resume() : stdin.pause());
  // Input that cannot be read is as good as none.
  stdin.on("error", () => {});
  stdin.pause().on("data", read);
  listen();
  // Sent by a shell that brings this process to the foreground, or lets it go on in the background.
  process.on("SIGCONT", listen);
  return {
    close() {
      process.off("SIGCONT", listen);
      stdin.off("data", read).pause();
    },
  };
}

function mayRead(): boolean {
  // A plus in the state marks the process group in the foreground; if `ps` does not say, this is probably it.
  return (
    !process.stdin.isTTY || (readProgram("ps", "-o", "stat=", "-p", `${process.pid}`) ?? "+").includes("+")
  );
}
