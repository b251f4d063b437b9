// Pictures of a message as the API takes them.

import type { ImageContent } from "@stet/protocol/message";
import type { SentImage } from "./app.ts";

const kinds = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;

export function sentImages(images: readonly ImageContent[]): SentImage[] {
  return images.flatMap(({ data, mimeType }) => {
    const kind = kinds.find((name) => name === mimeType);
    return kind === undefined ? [] : { data, mime_type: kind };
  });
}
