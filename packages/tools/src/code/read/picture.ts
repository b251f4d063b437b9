// A picture as a part of a message: as it is where every provider takes it, else a smaller copy.
//
// Providers refuse pictures of more than 5 MB of base64, and those with more than 2,000 pixels on a side where there are
// many; none of them sees more than that.

import type { ImageContent } from "@stet/protocol/message";
import { workApart } from "./apart.ts";
import type { ImageHeader } from "./image-header.ts";

export interface Picture {
  readonly image: ImageContent;
  /** What was done to it, for a sentence; empty where nothing was. */
  readonly note: string;
}

/** Base64 makes four bytes of three. */
const maxBytes = 3_750_000;
const maxSide = 2000;
const fitTime = 30_000;
const acceptedTypes: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** The picture, or why it cannot be shown, as a part of a sentence. */
export async function pictureOf(
  bytes: Uint8Array,
  { mimeType, width, height }: ImageHeader,
  signal: AbortSignal,
): Promise<Picture | string> {
  const isFit =
    acceptedTypes.includes(mimeType) && bytes.length <= maxBytes && Math.max(width, height) <= maxSide;
  if (isFit) return { image: imageOf(bytes, mimeType), note: "" };
  const job = { bytes, isJpeg: mimeType === "image/jpeg", maxSide, maxBytes };
  const end = await workApart("picture", job, { signal, milliseconds: fitTime });
  if (end.kind === "stopped")
    return end.by === "time" ? "making it smaller takes too long" : "it was stopped";
  if (end.kind === "failed") return `a smaller copy cannot be made (${end.reason})`;
  const { value } = end;
  const note = `shown as ${value.mimeType} of ${value.width}x${value.height} pixels`;
  return { image: imageOf(value.bytes, value.mimeType), note };
}

function imageOf(bytes: Uint8Array, mimeType: string): ImageContent {
  return { type: "image", data: Buffer.from(bytes).toString("base64"), mimeType };
}
