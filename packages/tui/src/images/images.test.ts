// Pictures are tested on the bytes that a terminal gets: no emulator here draws them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32, deflateSync } from "node:zlib";
import { pngPicture } from "@stet/testkit/picture";
import { VirtualTerminal } from "@stet/testkit/virtual-terminal";
import { Tui } from "../renderer/tui.ts";
import type { Capabilities } from "../terminal/terminal.ts";
import { cellWidth } from "../text/width.ts";
import { Image } from "./image.ts";
import { ImageBudget } from "./image-budget.ts";
import { iterm2Picture } from "./iterm2.ts";
import { kittyDelete, kittyTransmit, mostPlaceholders, placeholderRows } from "./kitty.ts";
import { cellArea, type Picture, pictureOf } from "./picture.ts";
import { pngPixels, scalePixels } from "./png-pixels.ts";
import { sixelPicture } from "./sixel.ts";

function pictureFrom(bytes: Uint8Array): Picture {
  const picture = pictureOf(bytes);
  assert.ok(picture);
  return picture;
}

/** A PNG of any colour type, with one filter for all rows. */
function png(
  width: number,
  height: number,
  colourType: number,
  rows: readonly (readonly number[])[],
  extra: readonly Buffer[] = [],
): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length, 0);
    ends.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, colourType, 0, 0, 0], 8);
  const [palette, alpha] = extra;
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header),
    ...(palette === undefined ? [] : [chunk("PLTE", palette)]),
    ...(alpha === undefined ? [] : [chunk("tRNS", alpha)]),
    chunk("IDAT", deflateSync(Buffer.concat(rows.map((row) => Buffer.from(row))))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

test("the size of a picture is read from its first bytes, and damaged ones are none", () => {
  assert.deepEqual([pictureFrom(pngPicture(30, 20)).width, pictureFrom(pngPicture(30, 20)).height], [30, 20]);
  const gif = Buffer.from("474946383961400020000000", "hex");
  assert.deepEqual(
    [pictureFrom(gif).mediaType, pictureFrom(gif).width, pictureFrom(gif).height],
    ["image/gif", 64, 32],
  );
  const jpeg = Buffer.from(
    "ffd8ffe000104a46494600010100000100010000ffc0001108001000200301220002110103110100",
    "hex",
  );
  assert.deepEqual(
    [pictureFrom(jpeg).mediaType, pictureFrom(jpeg).width, pictureFrom(jpeg).height],
    ["image/jpeg", 32, 16],
  );
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.from("text"),
    pngPicture(2, 2).subarray(0, 20),
    jpeg.subarray(0, 22),
  ]) {
    assert.equal(pictureOf(bytes), undefined);
  }
});

test("a picture keeps its proportions, is no larger than the room it has and no larger than itself", () => {
  const cell = { width: 10, height: 20 };
  assert.deepEqual(cellArea({ width: 400, height: 400 }, { columns: 100, rows: 50 }, cell), {
    columns: 40,
    rows: 20,
  });
  assert.deepEqual(cellArea({ width: 4000, height: 2000 }, { columns: 80, rows: 50 }, cell), {
    columns: 80,
    rows: 20,
  });
  assert.deepEqual(cellArea({ width: 1, height: 9000 }, { columns: 80, rows: 20 }, cell), {
    columns: 1,
    rows: 20,
  });
});

test("kitty gets the bytes in chunks of 4096, quietly", () => {
  const bytes = pngPicture(100, 100, true);
  const sequences = kittyTransmit(7, bytes)
    .split("\u001b\\")
    .filter((part) => part !== "");
  const chunks = sequences.map((sequence) => /^_G([^;]*);(.*)$/.exec(sequence.slice(1)));
  assert.equal(chunks[0]?.[1], "a=t,f=100,i=7,q=2,m=1");
  assert.ok(chunks.slice(1, -1).every((chunk) => chunk?.[1] === "q=2,m=1" && chunk[2]?.length === 4096));
  assert.equal(chunks.at(-1)?.[1], "q=2,m=0");
  assert.deepEqual(Buffer.from(chunks.map((chunk) => chunk?.[2]).join(""), "base64"), bytes);
});

test("placeholders take their cells, and each names its row and column", () => {
  const rows = placeholderRows(0x010203, 2, { columns: 3, rows: 2 });
  assert.equal(mostPlaceholders, 297);
  assert.deepEqual(
    rows.map((row) => cellWidth(row)),
    [3, 3],
  );
  const cell = "\u{10eeee}";
  assert.equal(
    rows[1],
    `\u001b[38;2;1;2;3;58;2;0;0;2m${cell}\u030d\u0305${cell}\u030d\u030d${cell}\u030d\u030e\u001b[39;59m`,
  );
});

test("iTerm2 gets the file as it is", () => {
  const bytes = Buffer.from("abc");
  assert.equal(
    iterm2Picture({ bytes }, { columns: 4, rows: 2 }),
    "\u001b]1337;File=inline=1;size=3;width=4;height=2;preserveAspectRatio=1:YWJj\u0007",
  );
});

test("PNG of every colour type and filter becomes its pixels", () => {
  const red = [255, 0, 0, 255];
  const green = [0, 255, 0, 255];
  const pixelsOf = (bytes: Buffer): number[] => [...(pngPixels(bytes)?.data ?? [])];
  assert.deepEqual(pixelsOf(png(2, 1, 2, [[0, 255, 0, 0, 0, 255, 0]])), [...red, ...green]);
  assert.deepEqual(pixelsOf(png(1, 1, 6, [[0, 1, 2, 3, 4]])), [1, 2, 3, 4]);
  assert.deepEqual(pixelsOf(png(2, 1, 0, [[0, 9, 200]])), [9, 9, 9, 255, 200, 200, 200, 255]);
  assert.deepEqual(pixelsOf(png(1, 1, 4, [[0, 9, 100]])), [9, 9, 9, 100]);
  const palette = Buffer.from([255, 0, 0, 0, 255, 0]);
  assert.deepEqual(pixelsOf(png(2, 1, 3, [[0, 1, 0]], [palette, Buffer.from([7])])), [
    ...green,
    255,
    0,
    0,
    7,
  ]);
  // Left, up, mean and Paeth: each row is 10, 20, 30 in grey.
  const filtered = png(3, 5, 0, [
    [0, 10, 20, 30],
    [1, 10, 10, 10],
    [2, 0, 0, 0],
    [3, 5, 5, 5],
    [4, 0, 0, 0],
  ]);
  const grey = pixelsOf(filtered).filter((_, index) => index % 4 === 0);
  assert.deepEqual(grey, [10, 20, 30, 10, 20, 30, 10, 20, 30, 10, 20, 30, 10, 20, 30]);
});

test("a PNG that is damaged, cut off, interlaced or claims too much has no pixels", () => {
  const good = png(2, 1, 2, [[0, 255, 0, 0, 0, 255, 0]]);
  assert.ok(pngPixels(good));
  assert.equal(pngPixels(good.subarray(0, 50)), undefined);
  assert.equal(pngPixels(png(2, 9, 2, [[0, 255, 0, 0, 0, 255, 0]])), undefined);
  const interlaced = Buffer.from(good);
  interlaced[28] = 1;
  assert.equal(pngPixels(interlaced), undefined);
  const huge = Buffer.from(good);
  huge.writeUInt32BE(0x7fffffff, 16);
  assert.equal(pngPixels(huge), undefined);
});

test("Sixel: exact colours for few, bands of six rows, nothing where it is transparent", () => {
  const data = Uint8Array.from([255, 0, 0, 255, 255, 0, 0, 255, 0, 0, 255, 255, 0, 0, 0, 0]);
  assert.equal(
    sixelPicture({ width: 4, height: 1, data }),
    '\u001bP0;1;0q"1;1;4;1#0;2;100;0;0#1;2;0;0;100#0@@$#1??@\u001b\\',
  );
  const tall = new Uint8Array(5 * 7 * 4).fill(255);
  assert.equal(
    sixelPicture({ width: 5, height: 7, data: tall }),
    '\u001bP0;1;0q"1;1;5;7#0;2;100;100;100#0!5~-#0!5@\u001b\\',
  );
  const noise = pngPixels(pngPicture(40, 40, true));
  assert.ok(noise);
  assert.match(sixelPicture(noise), /#215;2;100;100;100/);
});

test("a smaller picture is the mean of its pixels, without the colour of transparent ones", () => {
  const data = Uint8Array.from([100, 0, 0, 255, 200, 0, 0, 255, 10, 20, 30, 0, 40, 80, 120, 255]);
  assert.deepEqual(
    [...scalePixels({ width: 4, height: 1, data }, 2, 1).data],
    [150, 0, 0, 255, 40, 80, 120, 127],
  );
});

function screen(capabilities: Partial<Capabilities>, most = 2) {
  const terminal = new VirtualTerminal(40, 20, { cellSize: { width: 10, height: 20 }, ...capabilities });
  const budget = new ImageBudget(most);
  const show = (bytes: Uint8Array, fallback = "[picture]"): Image =>
    new Image(pictureFrom(bytes), { terminal, budget, fallback });
  return { terminal, budget, show };
}

test("kitty: transmitted once, whatever is drawn again; a new width is a new placement", () => {
  const { terminal, show } = screen({ images: "kitty", kittyPlaceholders: true });
  const image = show(pngPicture(100, 100));
  const rows = image.render(40);
  assert.equal(rows.length, 5);
  assert.equal(image.render(40), rows);
  image.render(5);
  image.render(40);
  const written = terminal.writes.join("");
  assert.equal(written.split("a=t,").length - 1, 1);
  assert.equal(written.split("a=p,U=1").length - 1, 2);
});

test("one picture too many: the oldest is deleted by its id, and its rows stay as many", () => {
  const { terminal, show } = screen({ images: "kitty", kittyPlaceholders: true });
  const images = [1, 2, 3].map(() => show(pngPicture(100, 100)));
  const [first] = images.map((image) => image.render(40));
  const id = Number(/a=t,f=100,i=(\d+)/.exec(terminal.writes.join(""))?.[1]);
  assert.ok(terminal.writes.includes(kittyDelete(id)));
  const demoted = images[0]?.render(40) ?? [];
  assert.deepEqual(demoted, ["[picture]", "", "", "", ""]);
  assert.equal(demoted.length, first?.length);
  assert.equal(images[0]?.render(20).length, 5, "also at another width");
  assert.equal(images[1]?.render(40).length, 5);
});

test("without a protocol, or with one that does not take the type, or with no budget, there is one row of text", () => {
  const jpeg = Buffer.from(
    "ffd8ffe000104a46494600010100000100010000ffc0001108001000200301220002110103110100",
    "hex",
  );
  assert.deepEqual(screen({ images: "none" }).show(pngPicture(50, 50)).render(40), ["[picture]"]);
  assert.deepEqual(screen({ images: "kitty" }).show(jpeg).render(40), ["[picture]"]);
  assert.deepEqual(screen({ images: "sixel" }).show(jpeg).render(40), ["[picture]"]);
  assert.deepEqual(screen({ images: "kitty" }, 0).show(pngPicture(50, 50)).render(40), ["[picture]"]);
  assert.equal(screen({ images: "iterm2" }).show(jpeg).render(40).length, 1);
  const damaged = screen({ images: "sixel" }).show(pngPicture(50, 50).subarray(0, 60));
  assert.deepEqual(damaged.render(40), ["[picture]"]);
});

for (const images of ["kitty", "iterm2", "sixel"] as const) {
  test(`${images}: the renderer writes the picture once, over its rows, and text after it erases them`, async () => {
    const { terminal, show } = screen({ images });
    const image = show(pngPicture(100, 100));
    const tui = new Tui(terminal);
    tui.add({ render: () => ["above"] });
    tui.add(image);
    tui.add({ render: () => ["below"] });
    tui.start();
    await new Promise((resolve) => setTimeout(resolve, 40));
    await terminal.flush();
    assert.deepEqual(
      terminal.screen.filter((row) => row !== ""),
      ["above", "below"],
    );
    assert.equal(terminal.screen.indexOf("below"), 6);
    const start = { kitty: "a=p,i=", iterm2: "]1337;File=", sixel: "\u001bP0;1;0q" }[images];
    const written = (): string => terminal.writes.join("");
    assert.equal(written().split(start).length - 1, 1);
    assert.ok(written().includes("\u001b7\u001b[4A"));
    tui.requestRender();
    await new Promise((resolve) => setTimeout(resolve, 40));
    assert.equal(written().split(start).length - 1, 1, "not again with the next frame");
    const before = written().length;
    image.demote();
    tui.requestRender();
    await new Promise((resolve) => setTimeout(resolve, 40));
    await terminal.flush();
    assert.equal(written().slice(before).split("\u001b[K").length - 1, 5, "every row of it is erased");
    assert.equal(terminal.screen[1], "[picture]");
    assert.equal(terminal.screen.indexOf("below"), 6);
    tui.stop();
  });
}
