// Sixel: bands of six rows of pixels, colour by colour. A picture with at most 256 colours has exactly these; any other is drawn
// with 216 that are spread evenly, and dithered. Pixels that are more than half transparent are not drawn.

import type { Pixels } from "./png-pixels.ts";

const mostColours = 256;
const levels = 6;

interface Indexed {
  /** For each pixel its colour's index, or -1 where nothing is drawn. */
  readonly indexes: Int16Array;
  /** Red, green and blue, 0 to 255 each. */
  readonly palette: readonly (readonly [number, number, number])[];
}

export function sixelPicture(pixels: Pixels): string {
  const { indexes, palette } = exactColours(pixels) ?? spreadColours(pixels);
  const parts = [`\u001bP0;1;0q"1;1;${pixels.width};${pixels.height}`];
  for (const [index, colour] of palette.entries()) {
    parts.push(`#${index};2;${colour.map((value) => Math.round((value * 100) / 255)).join(";")}`);
  }
  for (let top = 0; top < pixels.height; top += 6) {
    if (top > 0) parts.push("-");
    parts.push(band(pixels, indexes, top));
  }
  return `${parts.join("")}\u001b\\`;
}

/** The colours of a band, one after the other from its left edge. */
function band({ width, height }: Pixels, indexes: Int16Array, top: number): string {
  const masks = new Map<number, Uint8Array>();
  for (let row = top; row < Math.min(top + 6, height); row++) {
    for (let column = 0; column < width; column++) {
      const index = indexes[row * width + column] ?? -1;
      if (index === -1) continue;
      let mask = masks.get(index);
      if (mask === undefined) {
        mask = new Uint8Array(width);
        masks.set(index, mask);
      }
      mask[column] = (mask[column] ?? 0) | (1 << (row - top));
    }
  }
  return Array.from(masks, ([index, mask]) => `#${index}${runs(mask)}`).join("$");
}

/** Runs of more than three are counted; what is empty at the end is left out. */
function runs(mask: Uint8Array): string {
  let end = mask.length;
  while (end > 0 && mask[end - 1] === 0) end--;
  let text = "";
  for (let at = 0; at < end; ) {
    let next = at + 1;
    while (next < end && mask[next] === mask[at]) next++;
    const character = String.fromCharCode(63 + (mask[at] ?? 0));
    text += next - at > 3 ? `!${next - at}${character}` : character.repeat(next - at);
    at = next;
  }
  return text;
}

function exactColours({ data }: Pixels): Indexed | undefined {
  const indexes = new Int16Array(data.length / 4);
  const known = new Map<number, number>();
  const palette: [number, number, number][] = [];
  for (let pixel = 0; pixel < indexes.length; pixel++) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(pixel * 4, pixel * 4 + 4);
    if (alpha < 128) {
      indexes[pixel] = -1;
      continue;
    }
    const colour = (red << 16) | (green << 8) | blue;
    let index = known.get(colour);
    if (index === undefined) {
      if (palette.length === mostColours) return undefined;
      index = palette.length;
      known.set(colour, index);
      palette.push([red, green, blue]);
    }
    indexes[pixel] = index;
  }
  return { indexes, palette };
}

const spreadPalette: readonly (readonly [number, number, number])[] = Array.from(
  { length: levels ** 3 },
  (_, index) => [
    Math.floor(index / levels ** 2) * 51,
    (Math.floor(index / levels) % levels) * 51,
    (index % levels) * 51,
  ],
);

/** Floyd and Steinberg's dithering: what a pixel lost is given to its neighbours. */
function spreadColours({ width, height, data }: Pixels): Indexed {
  const indexes = new Int16Array(width * height);
  const lost = new Float32Array((width + 2) * 3 * 2);
  for (let row = 0; row < height; row++) {
    const here = (row % 2) * (width + 2) * 3;
    const below = ((row + 1) % 2) * (width + 2) * 3;
    lost.fill(0, below, below + (width + 2) * 3);
    for (let column = 0; column < width; column++) {
      const pixel = row * width + column;
      if ((data[pixel * 4 + 3] ?? 0) < 128) {
        indexes[pixel] = -1;
        continue;
      }
      let index = 0;
      for (let channel = 0; channel < 3; channel++) {
        const at = (column + 1) * 3 + channel;
        const wanted = (data[pixel * 4 + channel] ?? 0) + (lost[here + at] ?? 0);
        const level = Math.max(0, Math.min(levels - 1, Math.round(wanted / 51)));
        index = index * levels + level;
        const rest = wanted - level * 51;
        lost[here + at + 3] = (lost[here + at + 3] ?? 0) + (rest * 7) / 16;
        lost[below + at - 3] = (lost[below + at - 3] ?? 0) + (rest * 3) / 16;
        lost[below + at] = (lost[below + at] ?? 0) + (rest * 5) / 16;
        lost[below + at + 3] = (lost[below + at + 3] ?? 0) + rest / 16;
      }
      indexes[pixel] = index;
    }
  }
  return { indexes, palette: spreadPalette };
}
