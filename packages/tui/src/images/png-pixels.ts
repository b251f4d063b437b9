// The pixels of a PNG, for a terminal that takes nothing but pixels. Eight bits for each channel, not interlaced, which is what
// programs write; anything else is undefined, and so is a damaged file.

import { inflateSync } from "node:zlib";

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and alpha, one byte each, row by row. */
  readonly data: Uint8Array;
}

/** By colour type: grey, RGB, palette, grey with alpha, RGBA. */
const channelsOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** A picture that claims more is not decoded. */
const maxPixels = 40_000_000;

export function pngPixels(bytes: Uint8Array): Pixels | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.length < 33 || file.readUInt32BE(0) !== 0x89504e47 || file.readUInt32BE(12) !== 0x49484452)
    return undefined;
  const width = file.readUInt32BE(16);
  const height = file.readUInt32BE(20);
  const [bits = 0, colourType = 0, , , interlace = 0] = file.subarray(24, 29);
  const channels = channelsOf[colourType];
  if (bits !== 8 || interlace !== 0 || channels === undefined) return undefined;
  if (width < 1 || height < 1 || width * height > maxPixels) return undefined;
  const chunks = readChunks(file);
  const size = (1 + width * channels) * height;
  const rows = chunks === undefined ? undefined : inflate(chunks.data, size);
  if (chunks === undefined || rows === undefined || rows.length < size) return undefined;
  unfilter(rows, width * channels, height, channels);
  return { width, height, data: toRgba(rows, width, height, colourType, chunks) };
}

interface Chunks {
  readonly data: Buffer;
  readonly palette: Buffer;
  readonly alpha: Buffer;
}

function readChunks(file: Buffer): Chunks | undefined {
  const data: Buffer[] = [];
  let palette: Buffer = Buffer.alloc(0);
  let alpha: Buffer = Buffer.alloc(0);
  for (let at = 8; at + 12 <= file.length; ) {
    const length = file.readUInt32BE(at);
    const type = file.toString("latin1", at + 4, at + 8);
    const body = file.subarray(at + 8, at + 8 + length);
    if (body.length < length) return undefined;
    if (type === "IDAT") data.push(body);
    else if (type === "PLTE") palette = body;
    else if (type === "tRNS") alpha = body;
    else if (type === "IEND") break;
    at += 12 + length;
  }
  return { data: Buffer.concat(data), palette, alpha };
}

function inflate(data: Buffer, size: number): Buffer | undefined {
  try {
    return inflateSync(data, { maxOutputLength: size + 1024 });
  } catch {
    return undefined;
  }
}

/** Each row begins with the number of the filter that its bytes were taken through. */
function unfilter(rows: Buffer, rowLength: number, height: number, channels: number): void {
  const stride = rowLength + 1;
  for (let row = 0; row < height; row++) {
    const start = row * stride + 1;
    const filter = rows[start - 1] ?? 0;
    for (let index = 0; index < rowLength; index++) {
      const at = start + index;
      const left = index >= channels ? (rows[at - channels] ?? 0) : 0;
      const up = row > 0 ? (rows[at - stride] ?? 0) : 0;
      const corner = row > 0 && index >= channels ? (rows[at - stride - channels] ?? 0) : 0;
      rows[at] = (rows[at] ?? 0) + predicted(filter, left, up, corner);
    }
  }
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const [toLeft, toUp, toCorner] = [
    Math.abs(up - corner),
    Math.abs(left - corner),
    Math.abs(left + up - 2 * corner),
  ];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

function toRgba(rows: Buffer, width: number, height: number, colourType: number, chunks: Chunks): Uint8Array {
  const channels = channelsOf[colourType] ?? 1;
  const data = new Uint8Array(width * height * 4);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const from = row * (1 + width * channels) + 1 + column * channels;
      const to = (row * width + column) * 4;
      const value = (index: number): number => rows[from + index] ?? 0;
      if (colourType === 2 || colourType === 6) {
        data.set([value(0), value(1), value(2), colourType === 6 ? value(3) : 255], to);
      } else if (colourType === 3) {
        const entry = value(0) * 3;
        const { palette, alpha } = chunks;
        data.set(
          [palette[entry] ?? 0, palette[entry + 1] ?? 0, palette[entry + 2] ?? 0, alpha[value(0)] ?? 255],
          to,
        );
      } else data.set([value(0), value(0), value(0), colourType === 4 ? value(1) : 255], to);
    }
  }
  return data;
}

/** The picture in another size: each new pixel is the mean of those it covers. */
export function scalePixels(pixels: Pixels, width: number, height: number): Pixels {
  if (width === pixels.width && height === pixels.height) return pixels;
  const data = new Uint8Array(width * height * 4);
  for (let row = 0; row < height; row++) {
    const top = Math.floor((row * pixels.height) / height);
    const bottom = Math.max(top + 1, Math.floor(((row + 1) * pixels.height) / height));
    for (let column = 0; column < width; column++) {
      const left = Math.floor((column * pixels.width) / width);
      const right = Math.max(left + 1, Math.floor(((column + 1) * pixels.width) / width));
      data.set(meanOf(pixels, left, right, top, bottom), (row * width + column) * 4);
    }
  }
  return { width, height, data };
}

function meanOf(pixels: Pixels, left: number, right: number, top: number, bottom: number): number[] {
  let [red, green, blue, alpha] = [0, 0, 0, 0];
  for (let row = top; row < bottom; row++) {
    for (let column = left; column < right; column++) {
      const at = (row * pixels.width + column) * 4;
      const weight = pixels.data[at + 3] ?? 0;
      red += (pixels.data[at] ?? 0) * weight;
      green += (pixels.data[at + 1] ?? 0) * weight;
      blue += (pixels.data[at + 2] ?? 0) * weight;
      alpha += weight;
    }
  }
  const count = (right - left) * (bottom - top);
  return alpha === 0 ? [0, 0, 0, 0] : [red / alpha, green / alpha, blue / alpha, alpha / count];
}
