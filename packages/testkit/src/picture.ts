// A real PNG of any size, for tests that send or shrink pictures.

import { crc32, deflateSync } from "node:zlib";

/** A smooth picture is small; noise cannot be packed. */
export function pngPicture(width: number, height: number, isNoise = false): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3));
  let seed = 1;
  for (let index = 0; index < rows.length; index++) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    rows[index] = index % (1 + width * 3) === 0 ? 0 : isNoise ? seed >> 16 : (index >> 8) & 255;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits for each of red, green and blue.
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows, { level: 1 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
