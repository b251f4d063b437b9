// Something that takes a while, in place of the prompt, until it is done or Esc stops it.

import type { InputComponent } from "@stet/tui/component";
import type { Input } from "@stet/tui/input/input";
import { truncateCells } from "@stet/tui/text/slice";
import type { App } from "../app.ts";

class WaitPanel implements InputComponent {
  isFocused = false;
  readonly #row: string;
  readonly #stop: () => void;

  constructor(row: string, stop: () => void) {
    this.#row = row;
    this.#stop = stop;
  }

  handleInput(input: Input): boolean {
    if (input.kind === "key" && (input.id === "escape" || input.id === "ctrl+c")) this.#stop();
    return true;
  }

  render(width: number): readonly string[] {
    return [truncateCells(this.#row, width)];
  }
}

export async function waitFor<Value>(
  app: App,
  what: string,
  action: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const stopping = new AbortController();
  const result = action(stopping.signal);
  const row = app.theme.fg("muted", `${app.theme.symbol("pending")} ${what} … (esc to cancel)`);
  await app.dialogs.panel((close) => {
    result.finally(close).catch(() => {});
    return new WaitPanel(row, () => stopping.abort());
  });
  return result;
}
