// What kind of image some bytes are and how large it is, from its header alone.
//
//   PNG    IHDR is the first chunk: width and height at 16 and 20
//   GIF    the logical screen at 6 and 8, little-endian
//   JPEG   segments of marker and length; a start of frame (C0-CF without C4, C8, CC) holds height and width
//   WebP   RIFF; VP8X has a canvas of 24 bits each, VP8L 14 bits each behind its signature, VP8 14 bits each
//   BMP    a header of 40 bytes or more at 14: width and height, which is negative for rows from the top

export interface ImageHeader {
  readonly mimeType: "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "image/bmp";
  readonly width: number;
  readonly height: number;
}

/** Undefined where the bytes are no image of a known kind, or its header is damaged. */
export function imageHeader(bytes: Uint8Array): ImageHeader | undefined {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const found = png(data) ?? gif(data) ?? jpeg(data) ?? webp(data) ?? bmp(data);
    return found !== undefined && found.width > 0 && found.height > 0 ? found : undefined;
  } catch (error) {
    // The header ends before it should.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function png(data: Buffer): ImageHeader | undefined {
  if (data.toString("latin1", 0, 8) !== "\x89PNG\r\n\x1a\n") return undefined;
  if (data.toString("latin1", 12, 16) !== "IHDR") return undefined;
  return { mimeType: "image/png", width: data.readUInt32BE(16), height: data.readUInt32BE(20) };
}

function gif(data: Buffer): ImageHeader | undefined {
  if (!/^GIF8[79]a$/.test(data.toString("latin1", 0, 6))) return undefined;
  return { mimeType: "image/gif", width: data.readUInt16LE(6), height: data.readUInt16LE(8) };
}

function jpeg(data: Buffer): ImageHeader | undefined {
  if (data.length < 3 || data.readUIntBE(0, 3) !== 0xffd8ff) return undefined;
  let at = 2;
  for (;;) {
    while (data.readUInt8(at) === 0xff && data.readUInt8(at + 1) === 0xff) at += 1;
    if (data.readUInt8(at) !== 0xff) return undefined;
    const marker = data.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) {
      return { mimeType: "image/jpeg", width: data.readUInt16BE(at + 7), height: data.readUInt16BE(at + 5) };
    }
    // Markers without a segment: restart, and the start of the image.
    const isBare = (marker >= 0xd0 && marker <= 0xd8) || marker === 0x01;
    at += isBare ? 2 : 2 + data.readUInt16BE(at + 2);
  }
}

function webp(data: Buffer): ImageHeader | undefined {
  if (data.toString("latin1", 0, 4) !== "RIFF" || data.toString("latin1", 8, 12) !== "WEBP") return undefined;
  const mimeType = "image/webp";
  const kind = data.toString("latin1", 12, 16);
  if (kind === "VP8X")
    return { mimeType, width: data.readUIntLE(24, 3) + 1, height: data.readUIntLE(27, 3) + 1 };
  if (kind === "VP8L") {
    const bits = data.readUInt32LE(21);
    return { mimeType, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (kind !== "VP8 ") return undefined;
  return { mimeType, width: data.readUInt16LE(26) & 0x3fff, height: data.readUInt16LE(28) & 0x3fff };
}

function bmp(data: Buffer): ImageHeader | undefined {
  if (data.toString("latin1", 0, 2) !== "BM" || data.readUInt32LE(14) < 40) return undefined;
  return { mimeType: "image/bmp", width: data.readInt32LE(18), height: Math.abs(data.readInt32LE(22)) };
}
