// A picture made small enough to be sent: fewer pixels, and as JPEG where PNG stays too large. Runs apart (see apart.ts):
// a picture of few bytes can have more pixels than there is memory for.

import { PhotonImage, resize, SamplingFilter } from "@silvia-odwyer/photon-node";

export interface PictureJob {
  readonly bytes: Uint8Array;
  readonly isJpeg: boolean;
  /** Pixels on the longer side. */
  readonly maxSide: number;
  readonly maxBytes: number;
}

export interface FittedPicture {
  readonly bytes: Uint8Array;
  readonly mimeType: "image/png" | "image/jpeg";
  readonly width: number;
  readonly height: number;
}

const qualities = [85, 60];
/** Each next try has this part of the pixels on a side. */
const step = 0.7;
const maxTries = 5;

export function fitPicture(job: PictureJob): FittedPicture {
  const whole = PhotonImage.new_from_byteslice(job.bytes);
  const longer = Math.max(whole.get_width(), whole.get_height());
  for (let side = Math.min(longer, job.maxSide), tries = 0; tries < maxTries; side *= step, tries++) {
    const fitted = encoded(scaled(whole, side / longer), job);
    if (fitted !== undefined) return fitted;
  }
  throw new Error("it stays too large however small it is made");
}

function scaled(image: PhotonImage, factor: number): PhotonImage {
  if (factor === 1) return image;
  const size = (pixels: number) => Math.max(1, Math.round(pixels * factor));
  return resize(image, size(image.get_width()), size(image.get_height()), SamplingFilter.Lanczos3);
}

function encoded(image: PhotonImage, { isJpeg, maxBytes }: PictureJob): FittedPicture | undefined {
  const size = { width: image.get_width(), height: image.get_height() };
  if (!isJpeg) {
    const bytes = image.get_bytes();
    if (bytes.length <= maxBytes) return { bytes, mimeType: "image/png", ...size };
  }
  for (const quality of qualities) {
    const bytes = image.get_bytes_jpeg(quality);
    if (bytes.length <= maxBytes) return { bytes, mimeType: "image/jpeg", ...size };
  }
  return undefined;
}
