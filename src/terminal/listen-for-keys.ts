import { readProgram } from "../system/run-program.ts";

/** Reads keys from the terminal: each of them, or only Enter. */

const CTRL_C = "\u0003";

const PASTE_BEGINS = "\u001b[200~";
const PASTE_ENDS = "\u001b[201~";
/** A key that is more than a character, such as an arrow, or Alt with a letter; Escape alone is a key of its own. */
const SEQUENCE = /^\u001b(?:\[[0-?]*[ -/]*[@-~]|O.|.)/su;

/** The characters that were typed, without other keys and without pasted text. Pure. */
export function keysIn(typed: string, isPasting: boolean): { keys: string[]; isPasting: boolean } {
  const keys: string[] = [];
  let [rest, pasting] = [typed, isPasting];
  while (rest !== "") {
    if (pasting) {
      const end = rest.indexOf(PASTE_ENDS);
      if (end < 0) break;
      rest = rest.slice(end + PASTE_ENDS.length);
      pasting = false;
    } else if (rest.startsWith(PASTE_BEGINS)) {
      rest = rest.slice(PASTE_BEGINS.length);
      pasting = true;
    } else {
      const [sequence] = SEQUENCE.exec(rest) ?? [];
      const [key = ""] = rest;
      if (sequence === undefined) keys.push(key);
      rest = rest.slice((sequence ?? key).length);
    }
  }
  return { keys, isPasting: pasting };
}

/** Calls back for each key until it is closed. Ctrl-C is a signal, as everywhere else in the program. */
export function listenForKeys(press: (key: string) => void): { close: () => void } {
  const { stdin } = process;
  let isPasting = false;
  const read = (chunk: Buffer): void => {
    const typed = keysIn(chunk.toString("utf8"), isPasting);
    ({ isPasting } = typed);
    for (const key of typed.keys) {
      if (key === CTRL_C) process.kill(process.pid, "SIGINT");
      else press(key);
    }
  };
  const listen = (): void => void stdin.setRawMode(true);
  listen();
  stdin.on("data", read).resume();
  // A shell that had stopped this process has changed the terminal's mode.
  process.on("SIGCONT", listen);
  return {
    close() {
      process.off("SIGCONT", listen);
      stdin.off("data", read).pause();
      stdin.setRawMode(false);
    },
  };
}

/**
 * Calls back when the person presses Enter, or a program writes a line to our input, until it is closed.
 *
 * A process in the background of a terminal must not read there: the system would stop it as soon as the person types.
 */
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
