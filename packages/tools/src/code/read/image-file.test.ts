import assert from "node:assert/strict";
import { truncateSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import type { ImageContent } from "@stet/protocol/message";
import { openCodeFixture } from "@stet/testkit/code-fixture";
import { pngPicture } from "@stet/testkit/picture";
import { imageHeader } from "./image-header.ts";
import { read } from "./read.ts";

const onePixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

function png(width: number, height: number): Buffer {
  const data = Buffer.from(onePixel);
  data.writeUInt32BE(width, 16);
  data.writeUInt32BE(height, 20);
  return data;
}

/** A profile of 200 bytes, then a frame of 640x480. */
const jpeg = Buffer.concat([
  Buffer.from("ffd8ffe200ca", "hex"),
  Buffer.alloc(200),
  Buffer.from("ffffc2001108", "hex"),
  Buffer.from("01e00280", "hex"),
  Buffer.alloc(20),
]);

const gif = Buffer.concat([Buffer.from("GIF89a"), Buffer.from("2c01c800", "hex"), Buffer.alloc(10)]);

function webp(kind: string, payload: string): Buffer {
  const data = Buffer.concat([
    Buffer.from(`RIFF0000WEBP${kind}0000`),
    Buffer.from(payload, "hex"),
    Buffer.alloc(8),
  ]);
  return data;
}

test("the size of every kind of image is read from its header", () => {
  const cases: [Buffer, string, number, number][] = [
    [png(1920, 1080), "image/png", 1920, 1080],
    [jpeg, "image/jpeg", 640, 480],
    [gif, "image/gif", 300, 200],
    [webp("VP8X", "000000008f0100c70000"), "image/webp", 400, 200],
    [webp("VP8L", "2f8fc13100"), "image/webp", 400, 200],
    [webp("VP8 ", "0000009d012a9001c800"), "image/webp", 400, 200],
    [
      Buffer.concat([Buffer.from("BM"), Buffer.alloc(12), Buffer.from("280000009001000038ffffff", "hex")]),
      "image/bmp",
      400,
      200,
    ],
  ];
  for (const [data, mimeType, width, height] of cases) {
    assert.deepEqual(imageHeader(data), { mimeType, width, height });
  }
});

test("headers that are cut off or damaged are no images, wherever they end", () => {
  for (const whole of [png(2, 2), jpeg, gif, webp("VP8L", "2f8fc13100")]) {
    for (let length = 0; length < whole.length; length += 1) imageHeader(whole.subarray(0, length));
    assert.equal(imageHeader(whole.subarray(0, 5)), undefined);
  }
  assert.equal(imageHeader(png(0, 5)), undefined);
  assert.equal(imageHeader(Buffer.from("ffd8ffe00000ffe00000", "hex")), undefined);
});

test("an image is shown with what it is, and inline", async (t) => {
  const fixture = await openCodeFixture(t, [read], { files: { "pic.png": onePixel, "no-name": onePixel } });
  for (const path of ["pic.png", "no-name"]) {
    const answer = await fixture.call("read", { path });
    assert.match(answer.text, new RegExp(`^${path}: image/png, ${onePixel.length} bytes, 1x1 pixels`));
    assert.deepEqual(answer.content[1], {
      type: "image",
      data: onePixel.toString("base64"),
      mimeType: "image/png",
    });
  }
});

/** 24 bits a pixel, all black. */
function bmp(width: number, height: number): Buffer {
  const data = Buffer.alloc(54 + height * Math.ceil((width * 3) / 4) * 4);
  data.write("BM");
  data.writeUInt32LE(data.length, 2);
  data.writeUInt32LE(54, 10);
  data.writeUInt32LE(40, 14);
  data.writeInt32LE(width, 18);
  data.writeInt32LE(height, 22);
  data.writeUInt16LE(1, 26);
  data.writeUInt16LE(24, 28);
  return data;
}

test("a picture that is too large, or of a kind that models do not take, is shown as a smaller copy", async (t) => {
  const fixture = await openCodeFixture(t, [read], {
    files: {
      "wide.png": pngPicture(3000, 1500),
      "noise.png": pngPicture(1600, 1200, true),
      "a.bmp": bmp(30, 20),
    },
  });
  for (const [path, shown] of [
    ["wide.png", { mimeType: "image/png", width: 2000, height: 1000 }],
    ["noise.png", { mimeType: "image/jpeg", width: 1600, height: 1200 }],
    ["a.bmp", { mimeType: "image/png", width: 30, height: 20 }],
  ] as const) {
    const answer = await fixture.call("read", { path });
    const picture = { ...answer.content[1] } as Partial<ImageContent>;
    assert.equal(picture.type, "image", `${path}: ${answer.text}`);
    const bytes = Buffer.from(picture.data ?? "", "base64");
    assert.deepEqual(imageHeader(bytes), shown);
    assert.equal(picture.mimeType, shown.mimeType);
    assert.ok(bytes.length <= 3_750_000);
    assert.match(
      answer.text,
      new RegExp(`shown as ${shown.mimeType} of ${shown.width}x${shown.height} pixels`),
    );
  }
});

test("a picture of which no smaller copy can be made is described, and says why", async (t) => {
  const fixture = await openCodeFixture(t, [read], { files: { "broken.png": png(9000, 10) } });
  const answer = await fixture.call("read", { path: "broken.png" });
  assert.equal(answer.error, undefined);
  assert.equal(answer.content.length, 1);
  assert.match(answer.text, /The picture itself is not shown: a smaller copy cannot be made/);
});

test("an image over 20 MiB is refused", async (t) => {
  const fixture = await openCodeFixture(t, [read], { files: { "huge.png": onePixel } });
  truncateSync(join(fixture.place.root, "huge.png"), 20 * 1024 ** 2 + 1);
  const answer = await fixture.call("read", { path: "huge.png" });
  assert.equal(answer.error, "too_large");
  assert.match(answer.text, /20 MB at most/);
});

test("what is only named like an image is shown where it is text, else refused", async (t) => {
  const fixture = await openCodeFixture(t, [read], {
    files: {
      "a.png": "<html>not found</html>\n",
      "b.jpg": "",
      "c.gif": onePixel.subarray(0, 12),
      "d.svg": "<svg/>\n",
      "e.png": Buffer.from("caf\xe9\n", "latin1"),
    },
  });
  const shown = await fixture.call("read", { path: "a.png" });
  assert.equal(shown.error, undefined);
  assert.match(shown.text, /^\[a\.png is not an image: it is text\]\n1[a-z]{2}\|<html>not found<\/html>$/);
  assert.match(
    (await fixture.call("read", { path: "e.png" })).text,
    /text in another encoding, such as Latin-1/,
  );
  for (const path of ["b.jpg", "c.gif", "e.png"]) {
    assert.equal((await fixture.call("read", { path })).error, "not_readable", path);
  }
  assert.equal((await fixture.call("read", { path: "a.png:raw" })).text, "<html>not found</html>");
  assert.match((await fixture.call("read", { path: "d.svg" })).text, /\|<svg\/>/);
});
