/** Exchanges lines with a child process over its stdin and stdout; the same for ovld and for the floor. */
import { once } from "node:events";
import type { Child } from "./workplace.ts";

export interface LineTalk {
  say(line: string): void;
  /** The next line that the child prints. */
  hear(): Promise<string>;
  /** Closes the child's stdin and waits for it to end. */
  end(): Promise<void>;
}

interface Listener {
  resolve: (line: string) => void;
  reject: (reason: Error) => void;
}

export function talkWith(child: Child): LineTalk {
  const heard: string[] = [];
  const listeners: Listener[] = [];
  let unfinished: string[] = [];
  let isOver = false;

  const take = (line: string): void => {
    const listener = listeners.shift();
    if (listener) listener.resolve(line);
    else heard.push(line);
  };
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const [head = "", ...rest] = chunk.split("\n");
    unfinished.push(head);
    for (const next of rest) {
      take(unfinished.join(""));
      unfinished = [next];
    }
  });
  child.once("close", () => {
    isOver = true;
    for (const { reject } of listeners.splice(0)) reject(new Error("A child ended without answering."));
  });

  return {
    say: (line) => child.stdin.write(`${line}\n`),
    hear() {
      const line = heard.shift();
      if (line !== undefined) return Promise.resolve(line);
      if (isOver) return Promise.reject(new Error("A child has ended."));
      return new Promise((resolve, reject) => listeners.push({ resolve, reject }));
    },
    async end() {
      child.stdin.end();
      if (!isOver) await once(child, "close");
    },
  };
}
