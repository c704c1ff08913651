import * as fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { withoutBlanks } from "../../../src/system/clean-text.ts";
import { submitPrompt, takeBackUnconfirmed, type Patience } from "../../../src/agent/submit-prompt.ts";
import type { HoldReason } from "../../../src/army/words.ts";
import { openComposer, type ComposerPane } from "../../support/composer-pane.ts";

const TRIGGER = "[MESSAGE from overlord] You have mail, note bcdfg. Call check_inbox.";
const RITUAL = Array.from({ length: 42 }, (_, index) => `line ${index} of the ritual`).join("\n");
const PATIENCE: Patience = { settleMs: 0, standsWithinMs: 300, takenWithinMs: 300 };
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
  ["a trigger", TRIGGER],
  ["a ritual", RITUAL],
  ["a short text of two lines", "I am storm.\nこれは役目です。"],
])("R4 %s is typed into an empty composer and sent, once and unchanged", async (_, text) => {
  const pane = openComposer();
  expect(await submit(pane, text)).toBeUndefined();
  expect(pane.sent).toEqual([{ by: "us", prompt: text }]);
  expect([pane.draft(), pane.memory.unconfirmed]).toEqual(["", undefined]);
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

it("an existing draft is left alone, even one of blank lines only", async () => {
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
  // No text begins with a combining mark: it would become part of our full stop.
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

/** A person who types these words at these steps. */
function typing(what: readonly { step: number; keys: string }[]) {
  return (step: number, pane: ComposerPane): void => {
    for (const each of what) if (each.step === step) pane.press(each.keys);
  };
}

it("whatever a person types before, between and after our text is never sent and never damaged", async () => {
  await fc.assert(
    fc.asyncProperty(prompts, moments, sizes, async (text, what, size) => {
      const [pane, alone] = [openComposer(size, typing(what)), openComposer(size)];
      const why = await submit(pane, text);
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
});

/** A person who presses these keys right before and right after the keys that we write first, or next. */
function crowd(pane: ComposerPane, before: string, behind: string, which = 1): ComposerPane {
  let writes = 0;
  return {
    ...pane,
    write: (keys) => pane.write((writes += 1) === which ? `${before}${keys}${behind}` : keys),
  };
}

const CROWDS: [string, string][] = [
  ["x", ""],
  ["", "x"],
  ["日本", "語"],
  ["x\u001b[D", ""],
  ["", PASTED("some words")],
  [PASTED("hello"), ""],
];

it.each(CROWDS)(
  "text in the same read as our text, %j before and %j after, is not sent, and stays",
  async (before, behind) => {
    const pane = openComposer({ columns: 14, rows: 50 });
    const alone = openComposer();
    alone.press(before + behind);
    expect(await submit(crowd(pane, before, behind), TRIGGER)).toBe("draft");
    expect([pane.sent, pane.draft()]).toEqual([[], alone.draft()]);
  },
);

it.each(CROWDS)(
  "text in the same read as our Enter, %j before and %j after, is not sent, and stays",
  async (before, behind) => {
    const pane = openComposer({ columns: 14, rows: 50 });
    const alone = openComposer();
    alone.press(before + behind);
    const why = await submit(crowd(pane, before, behind, 2), TRIGGER);
    expect(pane.sent).toEqual(before === "" ? [{ by: "us", prompt: TRIGGER }] : []);
    expect([why, pane.draft()]).toEqual([before === "" ? undefined : "draft", alone.draft()]);
  },
);

it("invisible spaces do not block prompts for good", async () => {
  const pane = openComposer();
  pane.press("  \u3000");
  expect(await submit(pane, TRIGGER)).toBe("draft");
  expect([pane.draft(), pane.sent]).toEqual(["", []]);
  expect(await submit(pane, TRIGGER)).toBeUndefined();
  expect(pane.sent).toEqual([{ by: "us", prompt: TRIGGER }]);
});

it("spaces with words after them stay", async () => {
  const pane = openComposer();
  expect(await submit(crowd(pane, "  ", "hello"), TRIGGER)).toBe("draft");
  expect([pane.draft(), pane.sent]).toEqual(["  hello", []]);
});

it("words that a person types into the middle of a prompt hold it: nothing is sent, nothing lost, and the result says so", async () => {
  const pane = openComposer(undefined, typing([{ step: 2, keys: `${"\u001b[D".repeat(4)} wide` }]));
  expect(await submit(pane, TRIGGER)).toBe("not-taken-back");
  expect([pane.sent, pane.draft()]).toEqual([[], TRIGGER.replace("box.", " widebox.")]);
});

it("text typed into a pane that does not show it is not typed again before the screen changes", async () => {
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
  // The agent wakes up, and the typed text arrives.
  for (const keys of writes) pane.press(keys);
  await submit({ ...pane, memory: asleep.memory }, TRIGGER);
  expect(pane.sent.map(({ prompt }) => prompt)).toEqual([TRIGGER]);
});

/** Whatever is written into it never arrives. */
function losing(pane: ComposerPane): ComposerPane & { lost: string[] } {
  const lost: string[] = [];
  return { ...pane, lost, write: async (keys) => void lost.push(keys) };
}

it("a trigger that Zellij lost without an error is typed again after a minute, and a ritual never", async () => {
  const [pane, other] = [openComposer(), openComposer()];
  const [bell, ritual] = [losing(pane), losing(other)];
  const patience = { ...PATIENCE, lostAfterMs: 60_000 };
  expect(await submit(bell, TRIGGER, patience)).toBe("not-taken");
  expect(await submit(ritual, RITUAL)).toBe("not-taken");
  await vi.advanceTimersByTimeAsync(50_000);
  expect(await submit(bell, TRIGGER, patience)).toBe("not-taken");
  expect(bell.lost).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await submit({ ...bell, write: pane.write }, TRIGGER, patience)).toBeUndefined();
  expect(pane.sent).toEqual([{ by: "us", prompt: TRIGGER }]);
  expect(await submit(ritual, RITUAL)).toBe("not-taken");
  expect(ritual.lost).toHaveLength(1);
});

it("an agent that becomes busy while the text is there gets no Enter, and the text is taken back", async () => {
  const pane = openComposer();
  let looks = 0;
  const busy: ComposerPane = { ...pane, whyNot: () => ((looks += 1) > 1 ? "busy" : undefined) };
  expect(await submit(busy, TRIGGER)).toBe("busy");
  expect([pane.sent, pane.draft(), pane.memory.unconfirmed]).toEqual([[], "", undefined]);
});

it("DR3 a text that stays after Enter is taken back without a second Enter, and can be typed again", async () => {
  for (const hear of [(keys: string) => keys.replace("\r", ""), () => ""]) {
    const pane = openComposer();
    let enters = 0;
    const deaf: ComposerPane = {
      ...pane,
      async write(keys) {
        enters += keys.includes("\r") ? 1 : 0;
        return pane.write(keys.includes("\r") ? hear(keys) : keys);
      },
    };
    expect(await submit(deaf, TRIGGER)).toBeDefined();
    expect([enters, pane.sent, pane.draft(), pane.memory.unconfirmed]).toEqual([1, [], "", undefined]);
    expect(await submit(pane, TRIGGER)).toBeUndefined();
    expect(pane.sent).toEqual([{ by: "us", prompt: TRIGGER }]);
  }
});

it("a letter that a person types after our text, whose Enter was lost, stays", async () => {
  const pane = openComposer(undefined, typing([{ step: 3, keys: "x" }]));
  const deaf: ComposerPane = {
    ...pane,
    write: (keys) => (keys.includes("\r") ? pane.write("") : pane.write(keys)),
  };
  expect(await submit(deaf, TRIGGER)).toBe("draft");
  expect([pane.sent, pane.draft()]).toEqual([[], "x"]);
});

/** From one of our writes on, what is typed waits, ours and the person's, until the agent handles all of it at once. */
function stalling(from: number, size: { columns: number; rows: number }) {
  const agent = openComposer(size);
  const waiting: (() => void)[] = [];
  let writes = 0;
  let isStalled = false;
  const handle = (action: () => void): void => void (isStalled ? waiting.push(action) : action());
  const pane: ComposerPane = {
    ...agent,
    press: (keys) => handle(() => agent.press(keys)),
    async write(keys) {
      writes += 1;
      if (writes === from) isStalled = true;
      handle(() => void agent.write(keys));
    },
    // As a hook would report, and the person's composer is never empty then.
    isTaken: () => agent.sent.length > 0,
  };
  const resume = (): void => {
    isStalled = false;
    for (const action of waiting.splice(0)) action();
  };
  return { pane, agent, resume };
}

const lines = fc.oneof(letters, letters.map(PASTED));

it("however late an agent handles our keys, what a person types meanwhile is neither sent nor damaged, and ours does not stay", async () => {
  const late = fc.array(fc.record({ after: fc.nat(3_000), keys: lines }), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(
      prompts,
      fc.integer({ min: 2, max: 4 }),
      late,
      fc.nat(2),
      async (text, from, what, retries) => {
        const { pane, agent, resume } = stalling(from, { columns: 200, rows: 30 });
        const alone = openComposer();
        const over = { is: false };
        const trying = (async () => {
          let isHeld = true;
          for (let attempt = 0; attempt <= retries && isHeld; attempt += 1) {
            isHeld = "held" in (await submitPrompt(pane, text, PATIENCE));
            await takeBackUnconfirmed(pane);
          }
        })().finally(() => (over.is = true));
        await vi.advanceTimersByTimeAsync(100);
        for (const { after, keys } of what) {
          await vi.advanceTimersByTimeAsync(after);
          pane.press(keys);
          alone.press(keys);
        }
        while (!over.is) await vi.advanceTimersByTimeAsync(1_000);
        await trying;
        resume();
        for (let sweep = 0; sweep < 3; sweep += 1) {
          const sweeping = takeBackUnconfirmed(pane);
          await vi.advanceTimersByTimeAsync(5_000);
          await sweeping;
        }
        for (const each of agent.sent) expect(each).toEqual({ by: "us", prompt: text });
        expect(agent.sent.length).toBeLessThanOrEqual(1);
        expect(agent.draft()).toBe(alone.draft());
      },
    ),
    { numRuns: 300 },
  );
});

function isTakingBack(keys: string): boolean {
  return !keys.includes("\u001b[200~") && !keys.includes("\r");
}

/** The keys that would remove our text are lost. */
function sluggish(pane: ComposerPane): ComposerPane {
  return { ...pane, write: (keys) => (isTakingBack(keys) ? Promise.resolve() : pane.write(keys)) };
}

it("a pane that has changed since a text was typed may look as before again, and is typed into", async () => {
  const pane = openComposer(undefined, typing([{ step: 1, keys: "x" }]));
  expect(await submit(sluggish(pane), TRIGGER)).toBe("not-taken-back");
  // The person clears everything.
  pane.press("\u0015");
  expect(await submit(pane, TRIGGER)).toBeUndefined();
  expect(pane.sent).toEqual([{ by: "us", prompt: TRIGGER }]);
});

it("what Enter has added to a text that could not be taken back is removed with it, once it is alone", async () => {
  const pane = openComposer(undefined, typing([{ step: 3, keys: "x" }]));
  expect(await submit(sluggish(pane), TRIGGER)).toBe("not-taken-back");
  expect(pane.draft()).toBe(`${TRIGGER}\nx`);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await submit(pane, TRIGGER)).toBe("not-taken-back");
  pane.press("\u007f");
  expect(await submit(pane, TRIGGER)).toBeUndefined();
  expect([pane.sent, pane.draft()]).toEqual([[{ by: "us", prompt: TRIGGER }], ""]);
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
  await takeBackUnconfirmed(pane);
  expect(pane.memory.unconfirmed?.text).toBe(TRIGGER);
  pane.press(held);
  pane.press(" and mine");
  const sweeping = takeBackUnconfirmed(pane);
  await vi.advanceTimersByTimeAsync(3_000);
  await sweeping;
  expect([pane.draft(), pane.memory.unconfirmed, pane.sent]).toEqual([" and mine", undefined, []]);
});

it("keys that take a text back are not written again while the agent may still handle them", async () => {
  const pane = openComposer();
  pane.press(
    `${TRIGGER} and then my own words, which are quite a few more than the trigger has, so that they would go`,
  );
  pane.memory.unconfirmed = { text: TRIGGER, screen: undefined, entered: false };
  let held = "";
  pane.write = async (keys) => void (held += keys);
  for (let look = 0; look < 2; look += 1) {
    const sweeping = takeBackUnconfirmed(pane);
    await vi.advanceTimersByTimeAsync(60_000);
    await sweeping;
  }
  pane.press(held);
  expect(pane.draft()).toBe(
    " and then my own words, which are quite a few more than the trigger has, so that they would go",
  );
});
