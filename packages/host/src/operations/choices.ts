// What a request chooses for its session, and the pictures that belong to it.

import { accessProvider } from "@stet/model/providers";
import type { turnChoices } from "@stet/protocol/api/sessions";
import { Fault, isFault } from "@stet/protocol/fault";
import { attempt } from "@stet/protocol/system-fault";
import type { BlobStore } from "@stet/session/blob-store";
import type * as z from "zod";
import type { Host } from "../host.ts";
import { modelSources } from "../settings/model-settings.ts";
import type { JobRecord } from "../store/store.ts";
import type { SessionChoices } from "../turn/session-choices.ts";

type TurnChoices = z.output<typeof turnChoices>;

/** A model that no request could ever be sent to is refused. */
export function choicesIn(host: Host, asked: TurnChoices): SessionChoices | Fault {
  const configured = host.configuration();
  if (isFault(configured)) return configured;
  const { model, toolset, thinking, permission } = asked;
  const provider = model?.trim().split("/", 1)[0] ?? "";
  if (provider !== "" && provider !== "practice") {
    const access = accessProvider(provider, modelSources(configured.settings, host.environment));
    if ("kind" in access && access.kind === "not_found") return unknownModel(model ?? "", access.message);
  }
  return {
    ...(model === undefined ? {} : { model }),
    ...(toolset === undefined ? {} : { toolset }),
    ...(thinking === undefined ? {} : { thinking }),
    ...(permission === undefined ? {} : { "permission.mode": permission }),
  };
}

/** Choices as the API names them. */
export function choicesView({ "permission.mode": permission, ...choices }: SessionChoices) {
  return { ...choices, ...(permission === undefined ? {} : { permission }) };
}

/** Puts pictures into the store, each as every provider takes it. */
export async function storePictures(
  images: readonly { readonly data: string }[],
  blobs: BlobStore,
  signal: AbortSignal,
): Promise<NonNullable<JobRecord["pictures"]> | Fault> {
  const stored: { blob: string; mimeType: string }[] = [];
  for (const [index, { data }] of images.entries()) {
    const { imageHeader } = await import("@stet/tools/code/read/image-header");
    const { pictureOf } = await import("@stet/tools/code/read/picture");
    const bytes = Buffer.from(data, "base64");
    const header = imageHeader(bytes);
    const picture =
      header === undefined ? "it is not a PNG, JPEG, GIF or WebP" : await pictureOf(bytes, header, signal);
    if (typeof picture === "string") return noPicture(index, picture);
    const { image } = picture;
    const blob = attempt("stored", blobs.folder, () => blobs.put(Buffer.from(image.data, "base64")));
    if (isFault(blob)) return blob;
    stored.push({ blob, mimeType: image.mimeType });
  }
  return stored;
}

function noPicture(index: number, reason: string): Fault {
  return new Fault(
    "invalid_arguments",
    `The picture ${index + 1} cannot be sent to a model: ${reason}.`,
    "Send it as PNG, JPEG, GIF or WebP, or leave it out. No job was started.",
    { index },
  );
}

function unknownModel(model: string, message: string): Fault {
  return new Fault("invalid_arguments", message, "Name a model of GET /api/models. Nothing was started.", {
    model,
  });
}
