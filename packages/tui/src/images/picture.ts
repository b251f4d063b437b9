// A picture as it came from a file or a model: its bytes, and its size in pixels, which stands in the first of them.

export type PictureType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

export interface Picture {
  readonly mediaType: PictureType;
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Undefined where the bytes are none of the types, or their beginning is damaged. */
export function pictureOf(bytes: Uint8Array): Picture | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = pngSize(view) ?? gifSize(view) ?? jpegSize(view) ?? webpSize(view);
  return size === undefined || size.width < 1 || size.height < 1 ? undefined : { ...size, bytes };
}

interface Size {
  readonly mediaType: PictureType;
  readonly width: number;
  readonly height: number;
}

function pngSize(view: DataView): Size | undefined {
  if (view.byteLength < 24 || view.getUint32(0) !== 0x89504e47 || view.getUint32(12) !== 0x49484452)
    return undefined;
  return { mediaType: "image/png", width: view.getUint32(16), height: view.getUint32(20) };
}

function gifSize(view: DataView): Size | undefined {
  if (view.byteLength < 10 || view.getUint32(0) !== 0x47494638) return undefined;
  return { mediaType: "image/gif", width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function jpegSize(view: DataView): Size | undefined {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return undefined;
  let at = 2;
  while (at + 9 < view.byteLength) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    // The frame's header; C4, C8 and CC in the same range are tables.
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      return { mediaType: "image/jpeg", width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

function webpSize(view: DataView): Size | undefined {
  if (view.byteLength < 30 || view.getUint32(0) !== 0x52494646 || view.getUint32(8) !== 0x57454250)
    return undefined;
  const mediaType = "image/webp";
  const format = view.getUint32(12);
  if (format === 0x56503858) {
    return { mediaType, width: 1 + threeBytes(view, 24), height: 1 + threeBytes(view, 27) };
  }
  if (format === 0x5650384c) {
    const bits = view.getUint32(21, true);
    return { mediaType, width: 1 + (bits & 0x3fff), height: 1 + ((bits >> 14) & 0x3fff) };
  }
  if (format !== 0x56503820) return undefined;
  return { mediaType, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
}

function threeBytes(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}

export interface CellArea {
  readonly columns: number;
  readonly rows: number;
}

/** A cell of a terminal that does not say how large its cells are. */
const usualCell = { width: 9, height: 18 };

/** The cells that a picture takes: no more than there are, no larger than it is, and in its own proportions. */
export function cellArea(
  picture: { readonly width: number; readonly height: number },
  most: CellArea,
  cell: { readonly width: number; readonly height: number } = usualCell,
): CellArea {
  const scale = Math.min(
    1,
    (most.columns * cell.width) / picture.width,
    (most.rows * cell.height) / picture.height,
  );
  const cells = (pixels: number, size: number, limit: number): number =>
    Math.max(1, Math.min(limit, Math.round((pixels * scale) / size)));
  return {
    columns: cells(picture.width, cell.width, most.columns),
    rows: cells(picture.height, cell.height, most.rows),
  };
}
