// Pictures between the blocks of the conversation: those that the person sends, above their message, and those that the agent
// looks at. The terminal keeps the newest ones; the setting says how many.

import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";

import type { Item } from "@stet/client/items";
import { Image } from "@stet/tui/images/image";
import { ImageBudget } from "@stet/tui/images/image-budget";
import { type Picture, pictureOf } from "@stet/tui/images/picture";
import type { Block } from "@stet/tui/transcript/transcript";
import type { SentImage } from "../app.ts";
import type { Theme } from "../theme/theme.ts";
import { readPicture } from "./read-picture.ts";
import type { Screen } from "./screen.ts";

type PictureScreen = Pick<Screen, "tui" | "transcript" | "show">;

export class Pictures {
  readonly #screen: PictureScreen;
  readonly #theme: Theme;
  readonly #budget: ImageBudget;
  /** Keys of the calls whose pictures were shown. */
  readonly #seen = new Set<string>();

  constructor(screen: PictureScreen, theme: Theme, most: number) {
    this.#screen = screen;
    this.#theme = theme;
    this.#budget = new ImageBudget(most);
  }

  setMost(most: number): void {
    this.#budget.setMost(most);
  }

  show(images: readonly SentImage[]): void {
    for (const { data } of images) this.#add(Buffer.from(data, "base64"));
  }

  /** Calls that read a picture, once they have: the file is in this folder, also where a server runs the agent. */
  async showRead(items: readonly Item[], folder: string): Promise<void> {
    // The call has a row already that says what was read.
    if (this.#screen.tui.terminal.capabilities.images === "none") return;
    for (const item of items) {
      const path = readPicture(item);
      if (path === undefined || this.#seen.has(item.key)) continue;
      this.#seen.add(item.key);
      const bytes = await fileBytes(resolve(folder, path));
      if (bytes !== undefined) this.#add(bytes);
    }
  }

  #add(bytes: Uint8Array): void {
    const picture = pictureOf(bytes);
    if (picture !== undefined) this.#screen.show(this.#block(picture));
  }

  #block(picture: Picture): Block {
    const { tui, transcript } = this.#screen;
    const image = new Image(picture, {
      terminal: tui.terminal,
      budget: this.#budget,
      fallback: this.#theme.fg("muted", `[${describe(picture)}]`),
      onChange: () => {
        transcript.redraw(block);
        tui.requestRender();
      },
    });
    const block: Block = { render: (width) => ["", ...image.render(width)] };
    return block;
  }
}

/** Larger ones than a terminal would take anyway. */
const maxFile = 16 * 1024 * 1024;

async function fileBytes(path: string): Promise<Uint8Array | undefined> {
  try {
    const { size } = await stat(path);
    return size > maxFile ? undefined : await readFile(path);
  } catch {
    // It is gone again, or stands in another place than the call named: the call itself is shown.
    return undefined;
  }
}

function describe({ mediaType, width, height, bytes }: Picture): string {
  const type = mediaType.slice("image/".length).toUpperCase();
  const size =
    bytes.length < 1024 * 1024
      ? `${Math.ceil(bytes.length / 1024)} KB`
      : `${(bytes.length / 1024 / 1024).toFixed(1)} MB`;
  return `picture: ${type}, ${width} × ${height}, ${size}`;
}
