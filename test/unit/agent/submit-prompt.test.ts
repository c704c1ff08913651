import * as fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { withoutBlanks } from "../../../src/system/clean-text.ts";
import { submitPrompt, takeBackLeft, type Patience } from "../../../src/agent/submit-prompt.ts";
import type { HoldReason } from "../../../src/army/words.ts";
import { openComposer, type ComposerPane } from "../../support/composer-pane.ts";

const TRIGGER = "[MESSAGE from overlord] You have mail, note bcdfg. Call check_inbox.";
const RITUAL = Array.from({ length: 42 }, (_, index) => `line ${index} of the ritual`).join("\n");
const PATIENCE: Patience = { settleMs: 0, standsWithinMs: 300, takenWithinMs: 300 };
const AT_ONCE: Patience = { ...PATIENCE, atOnce: true };
/** Pasted and seen before Enter is pressed, or written together with Enter. */
const WAYS: [string, Patience][] = [
  ["pasted first", PATIENCE],
  ["with its Enter", AT_ONCE],
];
const PASTED = (text: string): string => `\u001b[200~${text}\u001b[201~`;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function submit(
  pane: ComposerPane,
  text: string,
  patience: Patience = PATIENCE,
): Promise<HoldReason | undefined> {
  const over = { is: false };
  const submitting = submitPrompt(pane, text, patience).finally(() => (over.is = true));
  while (!over.is) await vi.advanceTimersByTimeAsync(50);
  const result = await submitting;
  return "held" in result ? result.held : undefined;
}

it.each([
  ["a trigger", TRIGGER, PATIENCE],
  ["a trigger with its Enter", TRIGGER, AT_ONCE],
  ["a ritual", RITUAL, PATIENCE],
  ["a short text of two lines", "I am storm.\nこれは役目です。", PATIENCE],
])("R4 %s is typed into an empty composer and sent, once and unchanged", async (_, text, patience) => {
  const pane = openComposer();
  expect(await submit(pane, text, patience)).toBeUndefined();
  expect(pane.sent).toEqual([{ by: "us", prompt: text }]);
  expect([pane.draft(), pane.slate.left]).toEqual(["", undefined]);
});

it("a short text with tabs, which Claude Code turns into spaces, is sent alone, and otherwise taken back completely", async () => {
  const text = "You are\tstorm.\n\tWait\t\tfor orders.";
  const pane = openComposer();
  expect(await submit(pane, text)).toBeUndefined();
  expect(pane.sent).toEqual([{ by: "us", prompt: text.replaceAll("\t", "    ") }]);
  const crowded = openComposer(undefined, typing([{ step: 3, keys: "hello" }]));
  expect(await submit(crowded, text)).toBe("draft");
  expect([crowded.sent, crowded.draft()]).toEqual([[], "hello"]);
});

it.each(WAYS)("%s: an existing draft is left alone, even one of blank lines only", async (_, way) => {
  for (const draft of ["half a thou", "\\\r\\\r", PASTED("a\n\n\n")]) {
    const pane = openComposer({ columns: 40, rows: 10 });
    pane.press(draft);
    const before = pane.draft();
    expect(await submit(pane, TRIGGER, way)).toBe("draft");
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
  // No text begins with a combining mark: it would become part of our full stop.
  .filter((text) => units(`.${text}`) === 1 + units(text));
const words = fc.oneof(
  letters,
  letters.map(PASTED),
  fc.string({ minLength: 900, maxLength: 1_000 }).map(PASTED),
  fc.constant(PASTED("a\nb\nc\nd\ne")),
);
const moments = fc.array(fc.record({ step: fc.nat(8), keys: words }), { minLength: 1, maxLength: 4 });
const prompts = fc.constantFrom<[string, Patience]>(
  [TRIGGER, PATIENCE],
  [TRIGGER, AT_ONCE],
  [RITUAL, PATIENCE],
  ["I am storm.\nThat is all.", PATIENCE],
);
const sizes = fc.constantFrom(
  { columns: 80, rows: 30 },
  { columns: 14, rows: 50 },
  { columns: 40, rows: 10 },
);

/** A person who types these words at these steps. */
function typing(what: readonly { step: number; keys: string }[]) {
  return (step: number, pane: ComposerPane): void => {
    for (const each of what) if (each.step === step) pane.press(each.keys);
  };
}

it("whatever a person types before, between and after our text is never sent and never damaged", async () => {
  await fc.assert(
    fc.asyncProperty(prompts, moments, sizes, async ([text, way], what, size) => {
      const [pane, alone] = [openComposer(size, typing(what)), openComposer(size)];
      const why = await submit(pane, text, way);
      const inOrder = what.toSorted((one, other) => one.step - other.step);
      for (const { keys } of inOrder.filter(({ step }) => step < pane.steps())) alone.press(keys);
      // The composer contains what they typed, in order, and nothing was sent except our text, alone.
      for (const each of pane.sent) expect(each).toEqual({ by: "us", prompt: text });
      expect(pane.sent.length).toBe(why === undefined ? 1 : 0);
      // If our text stays, that is reported; our Enter may have broken a line in it. Spaces in front of nothing may go.
      const [left, theirs] =
        why === "not-taken-back"
          ? [without(text, pane.draft()), withoutBlanks(alone.draft())]
          : [pane.draft().trimStart(), alone.draft().trimStart()];
      expect(why === "not-taken-back" ? sorted(left) : left).toBe(
        why === "not-taken-back" ? sorted(theirs) : theirs,
      );
    }),
    { numRuns: 500 },
  );
});

it("a person's own Enter sends their words, at most with ours, and neither twice", async () => {
  await fc.assert(
    fc.asyncProperty(
      letters,
      fc.nat(8),
      fc.nat(8),
      fc.constantFrom(...WAYS),
      async (keys, first, then, [, way]) => {
        const pane = openComposer(
          undefined,
          typing([
            { step: first, keys },
            { step: first + then, keys: "\r" },
          ]),
        );
        await submit(pane, TRIGGER, way);
        const all = [...pane.sent.map(({ prompt }) => prompt), pane.draft()].join("");
        expect(all.split(TRIGGER).length - 1).toBeLessThanOrEqual(1);
        const ours = pane.sent.filter(({ by }) => by === "us");
        expect(ours.every(({ prompt }) => prompt === TRIGGER)).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});

/** A person who presses these keys right before and right after our first ones. */
function crowd(pane: ComposerPane, before: string, behind: string): ComposerPane {
  let writes = 0;
  return { ...pane, write: (keys) => pane.write((writes += 1) === 1 ? `${before}${keys}${behind}` : keys) };
}

it.each([
  ["x", ""],
  ["", "x"],
  ["日本", "語"],
  ["x\u001b[D", ""],
  ["", PASTED("some words")],
])(
  "text in the same read as our keys, %j before and %j after, is not sent, and stays",
  async (before, behind) => {
    const pane = openComposer({ columns: 14, rows: 50 });
    const alone = openComposer();
    alone.press(before + behind);
    const why = await submit(crowd(pane, before, behind), TRIGGER, AT_ONCE);
    expect(pane.sent).toEqual(before === "" ? [{ by: "us", prompt: TRIGGER }] : []);
    expect([why, pane.draft()]).toEqual([before === "" ? undefined : "draft", alone.draft()]);
  },
);

it.each(WAYS)("%s: invisible spaces do not block prompts for good", async (_, way) => {
  const pane = openComposer();
  pane.press("  \u3000");
  expect(await submit(pane, TRIGGER, way)).toBe("draft");
  expect([pane.draft(), pane.sent]).toEqual(["", []]);
  expect(await submit(pane, TRIGGER, way)).toBeUndefined();
  expect(pane.sent).toEqual([{ by: "us", prompt: TRIGGER }]);
});

it("spaces with words after them stay", async () => {
  const pane = openComposer();
  expect(await submit(crowd(pane, "  ", "hello"), TRIGGER, AT_ONCE)).toBe("draft");
  expect([pane.draft(), pane.sent]).toEqual(["  hello", []]);
});

it("words that a person adds at the very end, after a prompt that our Enter has broken, stay", async () => {
  const pane = openComposer();
  const why = await submit(crowd(pane, "hello", "\u001b[F world"), TRIGGER, AT_ONCE);
  expect([why, pane.draft()]).toEqual(["draft", "hello world"]);
});

it("a prompt that is recognised only in part stays, and the result says so", async () => {
  const pane = openComposer();
  const why = await submit(crowd(pane, "hello", " wide\u001b[F world"), TRIGGER, AT_ONCE);
  expect([why, pane.sent]).toEqual(["not-taken-back", []]);
  expect(pane.draft()).toMatch(/^hello\[MESSAGE .*check_i\n widenbox\. world$/);
});

it("a paste in the same read as our keys is not sent, although Claude Code then handles Enter last", async () => {
  const pane = openComposer();
  let writes = 0;
  const crowded: ComposerPane = {
    ...pane,
    write(keys) {
      writes += 1;
      return pane.write(writes === 1 ? `${PASTED("hello")}${keys.replace("\r", "")}\r` : keys);
    },
  };
  expect(await submit(crowded, TRIGGER, AT_ONCE)).toBe("draft");
  expect([pane.sent, pane.draft()]).toEqual([[], "hello"]);
});

it.each(WAYS)(
  "%s: text typed into a pane that does not show it is not typed again before the screen changes",
  async (_, way) => {
    const pane = openComposer();
    const frozen = await pane.screen();
    const writes: string[] = [];
    const asleep: ComposerPane = {
      ...pane,
      screen: async () => frozen,
      write: async (keys) => void writes.push(keys),
    };
    expect(await submit(asleep, TRIGGER, way)).toBe("not-taken");
    expect(await submit(asleep, TRIGGER, way)).toBe("not-taken");
    expect(writes).toHaveLength(1);
    // The agent wakes up, and the typed text arrives.
    for (const keys of writes) pane.press(keys);
    if (!way.atOnce) await submit({ ...pane, slate: asleep.slate }, TRIGGER, way);
    expect(pane.sent.map(({ prompt }) => prompt)).toEqual([TRIGGER]);
  },
);

/** Whatever is written into it never arrives. */
function losing(pane: ComposerPane): ComposerPane & { lost: string[] } {
  const lost: string[] = [];
  return { ...pane, lost, write: async (keys) => void lost.push(keys) };
}

it("a trigger that Zellij lost without an error is typed again after a minute, and a ritual never", async () => {
  const [pane, other] = [openComposer(), openComposer()];
  const [bell, ritual] = [losing(pane), losing(other)];
  expect(await submit(bell, TRIGGER, AT_ONCE)).toBe("not-taken");
  expect(await submit(ritual, RITUAL)).toBe("not-taken");
  await vi.advanceTimersByTimeAsync(50_000);
  expect(await submit(bell, TRIGGER, AT_ONCE)).toBe("not-taken");
  expect(bell.lost).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await submit({ ...bell, write: pane.write }, TRIGGER, AT_ONCE)).toBeUndefined();
  expect(pane.sent).toEqual([{ by: "us", prompt: TRIGGER }]);
  expect(await submit(ritual, RITUAL)).toBe("not-taken");
  expect(ritual.lost).toHaveLength(1);
});

it("an agent that becomes busy while the text is there gets no Enter, and the text is taken back", async () => {
  const pane = openComposer();
  let looks = 0;
  const busy: ComposerPane = { ...pane, whyNot: () => ((looks += 1) > 1 ? "busy" : undefined) };
  expect(await submit(busy, TRIGGER)).toBe("busy");
  expect([pane.sent, pane.draft(), pane.slate.left]).toEqual([[], "", undefined]);
});

it.each(WAYS)(
  "DR3 %s: a text that stays after Enter gets one more Enter, and no third; then it is taken back",
  async (_, way) => {
    const pane = openComposer();
    let enters = 0;
    const deaf: ComposerPane = {
      ...pane,
      async write(keys) {
        enters += keys.includes("\r") ? 1 : 0;
        return pane.write(keys.replace("\r", ""));
      },
    };
    expect(await submit(deaf, TRIGGER, way)).toBe("not-taken");
    expect([enters, pane.sent, pane.draft()]).toEqual([2, [], ""]);
  },
);

it("a pane that has changed since a text was typed may look as before again, and is typed into", async () => {
  const pane = openComposer(undefined, typing([{ step: 1, keys: "x" }]));
  const sluggish: ComposerPane = {
    ...pane,
    write: (keys) => (keys.includes("\r") ? pane.write(keys) : Promise.resolve()),
  };
  expect(await submit(sluggish, TRIGGER, AT_ONCE)).toBe("not-taken-back");
  // The person clears everything.
  pane.press("\u0015");
  expect(await submit(pane, TRIGGER, AT_ONCE)).toBeUndefined();
  expect(pane.sent).toEqual([{ by: "us", prompt: TRIGGER }]);
});

it("what Enter has added to a text that could not be taken back is removed with it the next time", async () => {
  const pane = openComposer(undefined, typing([{ step: 1, keys: "x" }]));
  const sluggish: ComposerPane = {
    ...pane,
    // The keys that would remove it are lost the first time.
    write: (keys) => (keys.includes("\r") ? pane.write(keys) : Promise.resolve()),
  };
  expect(await submit(sluggish, TRIGGER, AT_ONCE)).toBe("not-taken-back");
  expect(withoutBlanks(pane.draft())).toBe(`x${withoutBlanks(TRIGGER)}`);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await submit(pane, TRIGGER, AT_ONCE)).toBe("draft");
  expect([pane.sent, pane.draft()]).toEqual([[], "x"]);
});

it("a text that comes with its Enter is sent from a composer too small to show it", async () => {
  const pane = openComposer({ columns: 14, rows: 6 });
  expect(await submit(pane, TRIGGER, AT_ONCE)).toBeUndefined();
  expect(pane.sent).toEqual([{ by: "us", prompt: TRIGGER }]);
});

it("a composer too small to show a pasted text sends nothing, reports that, and is empty again", async () => {
  const pane = openComposer({ columns: 14, rows: 6 });
  expect(await submit(pane, TRIGGER)).toBe("pane-too-small");
  expect([pane.sent, pane.draft()]).toEqual([[], ""]);
});

it.each([
  ["a line", "x"],
  ["a line that ends in blanks", "x  "],
  ["two lines of any language", "hello\n日本語で"],
])("a trigger that an interrupted agent has put below %s of the person's is removed", async (_, kept) => {
  const pane = openComposer();
  pane.press(PASTED(`${kept}\n`) + TRIGGER);
  expect(await submit({ ...pane, recognise: () => TRIGGER }, TRIGGER)).toBe("draft");
  expect([pane.sent, pane.draft()]).toEqual([[], kept]);
});

it("a trigger below a line that may be wrapped stays, and the result says so", async () => {
  const pane = openComposer({ columns: 40, rows: 20 });
  pane.press(`${PASTED("one two three four five six seven\n")}${TRIGGER}`);
  const before = pane.draft();
  expect(await submit({ ...pane, recognise: () => TRIGGER }, TRIGGER)).toBe("not-taken-back");
  expect([pane.sent, pane.draft()]).toEqual([[], before]);
});

it("a text whose position after a person's lines cannot be counted stays, and the result says so", async () => {
  const pane = openComposer(undefined, typing([{ step: 1, keys: PASTED("two\nlines ") }]));
  expect(await submit(pane, TRIGGER)).toBe("not-taken-back");
  expect([pane.sent, pane.draft()]).toEqual([[], `two\nlines ${TRIGGER}`]);
});

/** A draft without our prompt, even if a person's words have split it; spaces are ignored. */
function without(prompt: string, draft: string): string {
  const [text, ours] = [withoutBlanks(draft), withoutBlanks(prompt)];
  if (text.includes(ours)) return text.replace(ours, "");
  for (let length = ours.length - 1; length > 0; length -= 1) {
    const [head, tail] = [ours.slice(0, length), ours.slice(length)];
    const start = text.indexOf(head);
    if (start >= 0 && text.endsWith(tail)) {
      return text.slice(0, start) + text.slice(start + length, text.length - tail.length);
    }
  }
  return text;
}

function sorted(text: string): string {
  return Array.from(text).toSorted().join("");
}

it("a prompt that an agent shows only later is taken back then, and what a person typed after it stays", async () => {
  const pane = openComposer();
  const { write } = pane;
  let held = "";
  pane.write = async (keys) => void (held += keys);
  pane.isTaken = () => false;
  expect(await submit(pane, TRIGGER)).toBe("not-taken");
  pane.write = write;
  await takeBackLeft(pane);
  expect(pane.slate.left?.text).toBe(TRIGGER);
  pane.press(held);
  pane.press(" and mine");
  const sweeping = takeBackLeft(pane);
  await vi.advanceTimersByTimeAsync(3_000);
  await sweeping;
  expect([pane.draft(), pane.slate.left, pane.sent]).toEqual([" and mine", undefined, []]);
});

it("keys that take a text back are not written again while the agent may still handle them", async () => {
  const pane = openComposer();
  pane.press(
    `${TRIGGER} and then my own words, which are quite a few more than the trigger has, so that they would go`,
  );
  pane.slate.left = { text: TRIGGER, screen: undefined, entered: "no" };
  let held = "";
  pane.write = async (keys) => void (held += keys);
  for (let look = 0; look < 2; look += 1) {
    const sweeping = takeBackLeft(pane);
    await vi.advanceTimersByTimeAsync(3_000);
    await sweeping;
  }
  pane.press(held);
  expect(pane.draft()).toBe(
    " and then my own words, which are quite a few more than the trigger has, so that they would go",
  );
});
