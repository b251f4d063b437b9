// What the chips of the prompt stand for: pasted texts and pictures. A picture is read when it is attached, since a screenshot
// may be gone later; what is wrong with it is told when it is sent.

import { readFile, stat } from "node:fs/promises";
import { visibleName } from "@stet/protocol/visible";
import type { Editor } from "@stet/tui/editor/editor";
import { withPlainLineEnds } from "@stet/tui/editor/text-buffer";
import type { SentImage } from "../app.ts";
import { sentImages } from "../sent-images.ts";
import { chipLabel } from "./pasted.ts";

/** A picture, or why it cannot be attached, as a sentence. */
type PictureResult = SentImage | string;

type Content =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "picture"; readonly picture: Promise<PictureResult> };

export interface Expanded {
  readonly text: string;
  readonly images: readonly SentImage[];
}

const maxPictureBytes = 20 * 1024 ** 2;
const maxPictures = 20;
/** Characters of texts that stay known for undo and yank; the oldest go first. */
const maxKeptCharacters = 32 * 1024 ** 2;
const chip = /[\u{10f000}-\u{10fffd}]/gu;

export class Attachments {
  readonly #editor: Editor;
  /** By the character of the chip, the oldest first. */
  readonly #contents = new Map<string, Content>();
  #texts = 0;
  #pictures = 0;

  constructor(editor: Editor) {
    this.#editor = editor;
  }

  /** Puts a pasted text into the prompt, as a chip where it is long. */
  addText(pasted: string): void {
    // Terminals paste a line end as the key that makes one.
    const text = withPlainLineEnds(pasted);
    const label = chipLabel(text, this.#texts + 1);
    if (label === undefined) {
      this.#editor.insert(text);
      return;
    }
    this.#texts++;
    this.#contents.set(this.#editor.content.insertChip(label), { kind: "text", text });
    this.#forgetOld();
  }

  addPictureFile(path: string): void {
    this.#addPicture(pictureFile(path));
  }

  addPictureBytes(bytes: Uint8Array): void {
    this.#addPicture(pictureIn(bytes, "The picture of the clipboard"));
  }

  /** The next prompt counts from one again. */
  startOver(): void {
    this.#texts = 0;
    this.#pictures = 0;
  }

  /** The text with what was pasted in it, and the pictures in their order; or what is wrong, as a sentence. */
  async expand(text: string): Promise<Expanded | string> {
    const images: SentImage[] = [];
    for (const [character] of text.matchAll(chip)) {
      const content = this.#contents.get(character);
      if (content?.kind !== "picture") continue;
      const picture = await content.picture;
      if (typeof picture === "string") return picture;
      images.push(picture);
    }
    if (images.length > maxPictures)
      return `A message can have ${maxPictures} pictures, and this one has ${images.length}.`;
    return { text: this.textOf(text), images };
  }

  /** The text with what was pasted in it; a picture is its label. */
  textOf(text: string): string {
    return text.replace(chip, (character) => {
      const content = this.#contents.get(character);
      return content?.kind === "text" ? content.text : (this.#editor.content.chips.get(character) ?? "");
    });
  }

  #addPicture(picture: Promise<PictureResult>): void {
    this.#pictures++;
    const character = this.#editor.content.insertChip(`[Picture #${this.#pictures}]`);
    this.#contents.set(character, { kind: "picture", picture });
  }

  #forgetOld(): void {
    let characters = 0;
    for (const [character, content] of [...this.#contents].reverse()) {
      characters += content.kind === "text" ? content.text.length : 0;
      const isNewest = character === [...this.#contents.keys()].at(-1);
      if (characters > maxKeptCharacters && !isNewest && !this.#editor.text.includes(character))
        this.#contents.delete(character);
    }
  }
}

async function pictureFile(path: string): Promise<PictureResult> {
  const name = visibleName(path);
  try {
    const { size } = await stat(path);
    if (size > maxPictureBytes)
      return `${name} has ${(size / 1024 ** 2).toFixed(1)} MB; a picture can have ${maxPictureBytes / 1024 ** 2} MB.`;
    return await pictureIn(await readFile(path), name);
  } catch (error) {
    return `${name} cannot be read: ${error instanceof Error ? visibleName(error.message) : "it is gone"}.`;
  }
}

async function pictureIn(bytes: Uint8Array, name: string): Promise<PictureResult> {
  const { imageHeader } = await import("@stet/tools/code/read/image-header");
  const header = imageHeader(Buffer.from(bytes));
  if (header === undefined) return `${name} is not a picture that can be attached (PNG, JPEG, GIF, WebP).`;
  const { pictureOf } = await import("@stet/tools/code/read/picture");
  const picture = await pictureOf(bytes, header, AbortSignal.timeout(60_000));
  if (typeof picture === "string") return `${name} cannot be attached: ${picture}.`;
  const [image] = sentImages([picture.image]);
  return image ?? `${name} cannot be attached: no model takes ${picture.image.mimeType}.`;
}
