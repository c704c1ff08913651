/** A full-screen picture that is redrawn in place. */
import { steer } from "./steer.ts";

export interface Drawing {
  draw(picture: string): void;
  end(): void;
}

const BEGIN = steer("?1049h") + steer("?25l");
const HOME = steer("H");
const CLEAR_LINE = steer("K");
const CLEAR_BELOW = steer("J");
const END = steer("?25h") + steer("?1049l");

export function beginDrawing(write: (text: string) => void, rows: () => number): Drawing {
  let drawing = true;
  const end = (): void => {
    if (drawing) write(END);
    drawing = false;
    process.off("exit", end);
  };
  process.on("exit", end);
  write(BEGIN);
  return {
    draw(picture) {
      // One line more than there are would scroll the picture away.
      const lines = picture.trimEnd().split("\n").slice(0, rows());
      write(`${HOME}${lines.map((line) => line + CLEAR_LINE).join("\n")}${CLEAR_BELOW}`);
    },
    end,
  };
}
