// Images: what they are, and the picture itself where models accept it.

import { closeSync, readSync } from "node:fs";
import type { ToolOutcome } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import { systemFault } from "@stet/protocol/system-fault";
import type { Location } from "@stet/workspace/files/containment";
import { openRegular, readBytes } from "@stet/workspace/files/files";
import type { CodeContext } from "../code-context.ts";
import { type ImageHeader, imageHeader } from "./image-header.ts";
import { pictureOf } from "./picture.ts";
import { seemsToBe } from "./seems.ts";
import { sizeName } from "./size-name.ts";

const maxImageBytes = 20 * 1024 ** 2;
/** A JPEG may carry large profiles and previews before its frame. */
const headerBytes = 1024 ** 2;

const imageNames = /\.(png|jpe?g|gif|webp|bmp)$/i;

export function hasImageName(path: string): boolean {
  return imageNames.test(path);
}

/** The header of a file that is an image, whatever its name. */
export function imageHeaderOf(
  { workspace }: Pick<CodeContext, "workspace">,
  location: Location,
): { header: ImageHeader | undefined; start: Uint8Array; size: number } | Fault {
  const opened = openRegular(workspace.root, location);
  if (isFault(opened)) return opened;
  try {
    const size = Number(opened.stats.size);
    const start = Buffer.alloc(Math.min(size, headerBytes));
    const filled = readSync(opened.descriptor, start, 0, start.length, 0);
    return { header: imageHeader(start.subarray(0, filled)), start: start.subarray(0, filled), size };
  } catch (error) {
    return systemFault(error, "read", location.path);
  } finally {
    closeSync(opened.descriptor);
  }
}

/** Whether a file that is named like an image is UTF-8 text. */
export function isTextUnderImageName(context: Pick<CodeContext, "workspace">, location: Location): boolean {
  if (!hasImageName(location.path)) return false;
  const found = imageHeaderOf(context, location);
  if (isFault(found) || found.header !== undefined || found.size === 0 || found.start.includes(0))
    return false;
  try {
    // As a part of a stream: the last character may be cut off.
    new TextDecoder("utf-8", { fatal: true }).decode(found.start, { stream: true });
    return true;
  } catch {
    return false;
  }
}

export async function readImage(
  context: Pick<CodeContext, "workspace">,
  location: Location,
  signal: AbortSignal,
): Promise<ToolOutcome | Fault> {
  const { path } = location;
  const found = imageHeaderOf(context, location);
  if (isFault(found)) return found;
  const { header, start, size } = found;
  if (size > maxImageBytes) {
    return new Fault(
      "too_large",
      `${path} has ${sizeName(size)}; an image may have ${sizeName(maxImageBytes)} at most.`,
      "Make a smaller copy of it with a command, and read that.",
      { path, size },
    );
  }
  if (header === undefined) {
    return new Fault(
      "not_readable",
      `${path} is named like an image but cannot be read as one: ${size === 0 ? "it is empty" : `it seems to be ${seemsToBe(start)}`}.`,
      "Look at it with a program made for it, through bash.",
      { path, size },
    );
  }
  const { mimeType, width, height } = header;
  const content = readBytes(context.workspace.root, location, { maxBytes: maxImageBytes });
  if (isFault(content)) return content;
  const about = `${path}: ${mimeType}, ${size} bytes, ${width}x${height} pixels`;
  const picture = await pictureOf(content.bytes, header, signal);
  const isInline = typeof picture !== "string";
  const details = { path, mimeType, size, width, height, isInline };
  if (!isInline) return { content: `${about}\n[The picture itself is not shown: ${picture}.]`, details };
  const text = picture.note === "" ? about : `${about}, ${picture.note}`;
  return { content: [{ type: "text", text }, picture.image], details };
}
