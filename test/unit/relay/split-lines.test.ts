import { PassThrough } from "node:stream";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { splitLines } from "../../../src/relay/json-rpc.ts";

const LONGEST = 16 * 1024 * 1024;

async function hear(chunks: Buffer[]): Promise<string[]> {
  const input = new PassThrough();
  const heard: string[] = [];
  splitLines(input, { line: (text) => heard.push(text), tooLong: () => heard.push("too long") });
  for (const chunk of chunks) input.write(chunk);
  input.end();
  await new Promise((resolve) => input.on("end", resolve));
  return heard;
}

it("lines are complete wherever the pieces end; an empty line is ignored, and one without its end is not yet a line", async () => {
  const text = fc.string({ unit: fc.constantFrom("a", "魔", "\n"), maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(text, fc.array(fc.nat(40), { maxLength: 6 }), async (written, places) => {
      const bytes = Buffer.from(written);
      const cuts = [0, ...places.filter((place) => place < bytes.length), bytes.length].toSorted(
        (a, b) => a - b,
      );
      const chunks = cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end));
      const lines = written.split("\n").slice(0, -1);
      expect(await hear(chunks)).toEqual(lines.filter((line) => line !== ""));
    }),
  );
});

it("a line of the maximum length is accepted, a longer one is refused, and its neighbours are accepted", async () => {
  const fits = Buffer.alloc(LONGEST, "x");
  const heard = await hear([
    Buffer.from("before\n"),
    fits,
    Buffer.from("\n"),
    fits,
    Buffer.from("y"),
    fits,
    Buffer.from("\nafter\n"),
  ]);
  expect(heard.map((line) => (line.length === LONGEST ? "longest" : line))).toEqual([
    "before",
    "longest",
    "too long",
    "after",
  ]);
});
