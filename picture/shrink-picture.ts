/** Makes a PNG of a screen a third of its size: with 256 colours, of which none is far from what was there. */
import { crc32, deflateSync } from "node:zlib";
import type { Page } from "playwright-core";

export async function shrinkPicture(page: Page, png: Buffer): Promise<Buffer> {
  // The browser has a decoder.
  const [width, height, encoded] = await page.evaluate<[number, number, string]>(`(async () => {
    const image = Object.assign(new Image(), { src: "data:image/png;base64,${png.toString("base64")}" });
    await image.decode();
    const { width, height } = image;
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    return [width, height, new Uint8Array(data.buffer).toBase64()];
  })()`);
  const data = Buffer.from(encoded, "base64");
  const pixels = Array.from({ length: width * height }, (_, index) => data.readUIntBE(4 * index, 3));
  const counts = new Map<number, number>();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const tones = [...counts].map(([colour, count]) => ({ colour, count, off: Infinity, place: 0 }));
  // One after the other, the colour that is missed most.
  const palette = Array.from({ length: 256 }, (_, place) => {
    const { colour } = tones.reduce((one, other) =>
      other.off * other.count > one.off * one.count ? other : one,
    );
    for (const tone of tones) {
      const off = distance(tone.colour, colour);
      if (off < tone.off) Object.assign(tone, { off, place });
    }
    return colour;
  });
  const places = new Map(tones.map(({ colour, place }) => [colour, place]));
  const rows = Buffer.alloc((width + 1) * height);
  for (const [index, pixel] of pixels.entries())
    rows[index + Math.floor(index / width) + 1] = places.get(pixel) ?? 0;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  // Eight bits, which are places in a palette.
  header.set([8, 3], 8);
  return Buffer.concat([
    png.subarray(0, 8),
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(palette.flatMap(partsOf))),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function distance(one: number, other: number): number {
  const parts = partsOf(other);
  return partsOf(one).reduce((sum, part, index) => sum + (part - (parts[index] ?? 0)) ** 2, 0);
}

function partsOf(colour: number): number[] {
  return [colour >> 16, (colour >> 8) & 255, colour & 255];
}

function chunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
