import { expect, it } from "vitest";
import { cleanCode, cleanProse } from "../../../src/system/clean-text.ts";

const UNSEEN = [0x00_ad, 0x11_5f, 0x20_0b, 0x20_60, 0x31_64, 0xfe_ff, 0xe_00_41];

it("characters that are not visible are named in code and in prose", () => {
  for (const code of UNSEEN) {
    const text = `bu${String.fromCodePoint(code)}ild.sh`;
    const shown = `bu⟦U+${code.toString(16).toUpperCase().padStart(4, "0")}⟧ild.sh`;
    expect([cleanCode(text), cleanProse(text)]).toEqual([shown, shown]);
  }
});

it("what holds an emoji or a word together stays in prose, and is named in code", () => {
  const text = "👩\u200D🚒 ❤\uFE0F می\u200Cخواهم";
  expect(cleanProse(text)).toBe(text);
  expect(cleanCode(text)).toBe("👩⟦U+200D⟧🚒 ❤⟦U+FE0F⟧ می⟦U+200C⟧خواهم");
});
