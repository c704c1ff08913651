import * as fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { submitPrompt } from "../../../src/agent/submit-prompt.ts";
import type { HoldReason } from "../../../src/mail/agent-report.ts";
import { openComposer, type ComposerPane } from "../../support/composer-pane.ts";

const TRIGGER = "[MESSAGE from overlord] You have mail, note bcdfg. Call check_inbox.";
const RITUAL = Array.from({ length: 42 }, (_, index) => `line ${index} of the ritual`).join("\n");
const PATIENCE = { settleMs: 0, standsWithinMs: 300, takenWithinMs: 300 };
const PASTED = (text: string): string => `\u001b[200~${text}\u001b[201~`;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function submit(pane: ComposerPane, text: string): Promise<HoldReason | undefined> {
  const over = { is: false };
  const submitting = submitPrompt(pane, text, PATIENCE).finally(() => (over.is = true));
  while (!over.is) await vi.advanceTimersByTimeAsync(50);
  return submitting;
}

it.each([
  ["a trigger", TRIGGER],
  ["a ritual", RITUAL],
  ["a short text of two lines", "I am storm.\nこれは役目です。"],
])("R4 %s is pasted into an empty composer and sent, once and as it is", async (_, text) => {
  const pane = openComposer();
  expect(await submit(pane, text)).toBeUndefined();
  expect(pane.sent).toEqual([{ by: "us", prompt: text }]);
  expect([pane.draft(), pane.slate.left]).toEqual(["", undefined]);
});

it("a draft that stands there is left alone, also one of blank lines only", async () => {
  for (const draft of ["half a thou", "\\\r\\\r", PASTED("a\n\n\n")]) {
    const pane = openComposer({ columns: 40, rows: 10 });
    pane.press(draft);
    const before = pane.draft();
    expect(await submit(pane, TRIGGER)).toBe("draft");
    expect([pane.draft(), pane.sent]).toEqual([before, []]);
  }
});

function units(text: string): number {
  return Array.from(new Intl.Segmenter().segment(text)).length;
}

const letters = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 12 }),
    fc.stringMatching(/^[ぁ-ん一-龥ก-๙א-ת]{1,12}$/),
    fc.constantFrom("👨‍👩‍👧", "e\u0301", "ไทย", "\\", "\\\\ "),
  )
  // Nobody begins with a mark that has no letter to stand on: it would become part of our full stop.
  .filter((text) => units(`.${text}`) === 1 + units(text));
const words = fc.oneof(
  letters,
  letters.map(PASTED),
  fc.string({ minLength: 900, maxLength: 1_000 }).map(PASTED),
  fc.constant(PASTED("a\nb\nc\nd\ne")),
);
const moments = fc.array(fc.record({ step: fc.nat(8), keys: words }), { minLength: 1, maxLength: 4 });
const prompts = fc.constantFrom(TRIGGER, RITUAL, "I am storm.\nThat is all.");
const sizes = fc.constantFrom(
  { columns: 80, rows: 30 },
  { columns: 14, rows: 50 },
  { columns: 40, rows: 10 },
);

/** A person who types these words at these moments. */
function typing(what: readonly { step: number; keys: string }[]) {
  return (step: number, pane: ComposerPane): void => {
    for (const each of what) if (each.step === step) pane.press(each.keys);
  };
}

it("whatever a person types before, between and after ours is never sent and never damaged", async () => {
  await fc.assert(
    fc.asyncProperty(prompts, moments, sizes, async (text, what, size) => {
      const [pane, alone] = [openComposer(size, typing(what)), openComposer(size)];
      const why = await submit(pane, text);
      for (const { keys } of what.filter(({ step }) => step < pane.steps())) alone.press(keys);
      // What they typed in which order is what stands there, and nothing else was sent but ours, alone.
      for (const each of pane.sent) expect(each).toEqual({ by: "us", prompt: text });
      expect(pane.sent.length).toBe(why === undefined ? 1 : 0);
      const left = why === "not-taken-back" ? pane.draft().replace(text, "") : pane.draft();
      expect(sorted(left)).toBe(sorted(alone.draft()));
    }),
    { numRuns: 400 },
  );
}, 60_000);

it("a person's own Enter sends their words, and ours with them at most, and neither a second time", async () => {
  await fc.assert(
    fc.asyncProperty(letters, fc.nat(8), fc.nat(8), async (keys, first, then) => {
      const pane = openComposer(
        undefined,
        typing([
          { step: first, keys },
          { step: first + then, keys: "\r" },
        ]),
      );
      await submit(pane, TRIGGER);
      const all = [...pane.sent.map(({ prompt }) => prompt), pane.draft()].join("");
      expect(all.split(TRIGGER).length - 1).toBeLessThanOrEqual(1);
      const ours = pane.sent.filter(({ by }) => by === "us");
      expect(ours.every(({ prompt }) => prompt === TRIGGER)).toBe(true);
    }),
    { numRuns: 300 },
  );
}, 60_000);

it("what was typed into a pane that shows nothing of it is not typed again before its screen changes", async () => {
  const pane = openComposer();
  const frozen = await pane.screen();
  const writes: string[] = [];
  const asleep: ComposerPane = {
    ...pane,
    screen: async () => frozen,
    write: async (keys) => void writes.push(keys),
  };
  expect(await submit(asleep, TRIGGER)).toBe("not-taken");
  expect(await submit(asleep, TRIGGER)).toBe("not-taken");
  expect(writes).toHaveLength(1);
  // It wakes up, and what it was typed arrives.
  for (const keys of writes) pane.press(keys);
  expect(await submit({ ...pane, slate: asleep.slate }, TRIGGER)).toBeUndefined();
  expect(pane.sent).toEqual([{ by: "us", prompt: TRIGGER }]);
});

it("an agent that turns busy under the text gets no Enter, and the text is taken back", async () => {
  const pane = openComposer();
  let looks = 0;
  const busy: ComposerPane = { ...pane, whyNot: () => ((looks += 1) > 1 ? "busy" : undefined) };
  expect(await submit(busy, TRIGGER)).toBe("busy");
  expect([pane.sent, pane.draft(), pane.slate.left]).toEqual([[], "", undefined]);
});

it("DR3 a text that stays after Enter gets one more, and no third; then it is taken back", async () => {
  const pane = openComposer();
  let enters = 0;
  const deaf: ComposerPane = {
    ...pane,
    async write(keys) {
      if (!keys.includes("\r")) return pane.write(keys);
      enters += 1;
    },
  };
  expect(await submit(deaf, TRIGGER)).toBe("not-taken");
  expect([enters, pane.sent, pane.draft()]).toEqual([2, [], ""]);
});

it("a composer too small to show a text sends nothing, says so, and is empty again", async () => {
  const pane = openComposer({ columns: 14, rows: 6 });
  expect(await submit(pane, TRIGGER)).toBe("pane-too-small");
  expect([pane.sent, pane.draft()]).toEqual([[], ""]);
});

it("a text whose place behind a person's lines cannot be counted stays, and that is told", async () => {
  const pane = openComposer(undefined, typing([{ step: 1, keys: PASTED("two\nlines ") }]));
  expect(await submit(pane, TRIGGER)).toBe("not-taken-back");
  expect([pane.sent, pane.draft()]).toEqual([[], `two\nlines ${TRIGGER}`]);
});

function sorted(text: string): string {
  return Array.from(text).toSorted().join("");
}
