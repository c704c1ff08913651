/**
 * A picture on the whole terminal that is drawn again and again in its place.
 *
 * The terminal is given back as it was when the drawing ends, also when it ends by an error: as long as this
 * process has any say, the person gets their screen and their cursor back.
 */
export interface Drawing {
  draw(picture: string): void;
  end(): void;
}

const BEGIN = "\u001b[?1049h\u001b[?25l";
const HOME = "\u001b[H";
const CLEAR_LINE = "\u001b[K";
const CLEAR_BELOW = "\u001b[J";
const END = "\u001b[?25h\u001b[?1049l";

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
      write(`${HOME}${lines.map((line) => line + CLEAR_LINE).join("\r\n")}${CLEAR_BELOW}`);
    },
    end,
  };
}
