// Pictures that the person sends, above their message. The terminal keeps the newest ones; the setting says how many.

import { Image } from "@stet/tui/images/image";
import { ImageBudget } from "@stet/tui/images/image-budget";
import { type Picture, pictureOf } from "@stet/tui/images/picture";
import type { Block } from "@stet/tui/transcript/transcript";
import type { SentImage } from "./app.ts";
import type { Screen } from "./screen.ts";
import type { Theme } from "./theme/theme.ts";

type PictureScreen = Pick<Screen, "tui" | "transcript" | "show">;

export class SentPictures {
  readonly #screen: PictureScreen;
  readonly #theme: Theme;
  readonly #budget: ImageBudget;

  constructor(screen: PictureScreen, theme: Theme, most: number) {
    this.#screen = screen;
    this.#theme = theme;
    this.#budget = new ImageBudget(most);
  }

  show(images: readonly SentImage[], most: number): void {
    this.#budget.setMost(most);
    for (const { data } of images) {
      const picture = pictureOf(Buffer.from(data, "base64"));
      if (picture !== undefined) this.#screen.show(this.#block(picture));
    }
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

function describe({ mediaType, width, height, bytes }: Picture): string {
  const type = mediaType.slice("image/".length).toUpperCase();
  const size =
    bytes.length < 1024 * 1024
      ? `${Math.ceil(bytes.length / 1024)} KB`
      : `${(bytes.length / 1024 / 1024).toFixed(1)} MB`;
  return `picture: ${type}, ${width} × ${height}, ${size}`;
}
