/** As much of a terminal as it takes to see what an agent draws: it places whole lines, and clears. */
import { characterWidth } from "../../src/system/text-width.ts";

export interface Screen {
  write(text: string): void;
  lines(): string[];
}

const SEQUENCE = /\u001b\[(\?)?([0-9;]*)([A-Za-z])/y;

export function createScreen(): Screen {
  let rows: string[][] = [];
  let at = { row: 0, column: 0 };
  let rest = "";
  const steer = (parameters: string, final: string): void => {
    const [row = 1, column = 1] = parameters.split(";").map(Number);
    if (final === "H") at = { row: row - 1, column: column - 1 };
    else if (final === "J") rows = [];
  };
  return {
    write(text) {
      const input = rest + text;
      rest = "";
      for (let index = 0; index < input.length;) {
        if (input[index] === "\u001b") {
          SEQUENCE.lastIndex = index;
          const found = SEQUENCE.exec(input);
          if (!found) {
            rest = input.slice(index);
            return;
          }
          if (found[1] === undefined) steer(found[2] ?? "", found[3] ?? "");
          index += found[0].length;
          continue;
        }
        const character = String.fromCodePoint(input.codePointAt(index) ?? 0);
        const row = (rows[at.row] ??= []);
        row[at.column] = character;
        if (characterWidth(character) === 2) row[at.column + 1] = "";
        at.column += characterWidth(character);
        index += character.length;
      }
    },
    lines: () =>
      Array.from(rows, (row) =>
        Array.from(row ?? [], (cell) => cell ?? " ")
          .join("")
          .trimEnd(),
      ),
  };
}
