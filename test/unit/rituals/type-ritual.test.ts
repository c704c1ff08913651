import { expect, it } from "vitest";
import { typeRitual, type Desk } from "../../../src/rituals/type-ritual.ts";

interface Scene {
  /** What the composer shows, look by look; the last stays. */
  shows: (string | undefined)[];
  afterEnter: (string | undefined)[];
  isTaken?: boolean;
}

function play({ shows, afterEnter, isTaken = false }: Scene): {
  desk: Desk;
  keys: string[];
  stop: () => void;
} {
  const keys: string[] = [];
  const stopping = new AbortController();
  let screens = shows;
  const next = (): string | undefined => (screens.length > 1 ? screens.shift() : screens[0]);
  const desk: Desk = {
    write: async (text) => void keys.push(text),
    async pressEnter() {
      keys.push("\r");
      screens = afterEnter;
    },
    composer: async () => next(),
    isTaken: () => isTaken && keys.includes("\r"),
    stop: stopping.signal,
  };
  return { desk, keys, stop: () => stopping.abort() };
}

it("Enter follows only when the whole text stands there: a long one comes in pieces", async () => {
  const { desk, keys } = play({ shows: ["", "[1]", "[1][2]", "[1][2]"], afterEnter: ["[1][2]", ""] });
  expect(await typeRitual(desk, "text")).toBe("given");
  expect(keys).toEqual(["text", "\r"]);
});

it("what the relay says is evidence too", async () => {
  const { desk, keys } = play({ shows: ["text"], afterEnter: [undefined], isTaken: true });
  expect(await typeRitual(desk, "text")).toBe("given");
  expect(keys).toEqual(["text", "\r"]);
});

it("DR3 a text that stays gets one more Enter, and no third", async () => {
  const { desk, keys } = play({ shows: ["text"], afterEnter: ["text"] });
  expect(await typeRitual(desk, "text")).toBe("not-taken");
  expect(keys).toEqual(["text", "\r", "\r"]);
}, 20_000);

it("a dialog that came up after the Enter gets none", async () => {
  const { desk, keys } = play({ shows: ["text"], afterEnter: [undefined] });
  expect(await typeRitual(desk, "text")).toBe("not-taken");
  expect(keys).toEqual(["text", "\r"]);
}, 20_000);

it("a dialog that swallowed the text gets no Enter at all; asked to stop, nobody waits long for it", async () => {
  const { desk, keys, stop } = play({ shows: [undefined], afterEnter: [undefined] });
  stop();
  const began = Date.now();
  expect(await typeRitual(desk, "text")).toBe("not-taken");
  expect(Date.now() - began).toBeLessThan(3_000);
  expect(keys).toEqual(["text"]);
});
