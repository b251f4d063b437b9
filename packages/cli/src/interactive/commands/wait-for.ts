// Something that takes long, in place of the prompt: a spinner with words, and Esc that stops it.

import type { InputComponent } from "@stet/tui/component";
import { Loader } from "@stet/tui/components/loader";
import type { Input } from "@stet/tui/input/input";
import type { App } from "../app.ts";

export async function waitFor<Result>(
  app: App,
  words: string,
  action: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController();
  if (app.dialogs.isLinear) {
    app.tell(`${words} …`);
    return action(stop.signal);
  }
  const work = action(stop.signal);
  const { theme } = app;
  const loader = new Loader({
    requestRender: () => app.requestRender(),
    message: `${words} (esc to cancel)`,
    spinnerStyle: (text) => theme.fg("accent", text),
    messageStyle: (text) => theme.fg("muted", text),
  });
  const shown = app.dialogs.panel((close) => {
    void work.finally(close).catch(() => {});
    return new Waiting(loader, stop);
  });
  loader.start();
  try {
    return await work;
  } finally {
    loader.stop();
    await shown;
  }
}

class Waiting implements InputComponent {
  isFocused = false;
  readonly #loader: Loader;
  readonly #stop: AbortController;

  constructor(loader: Loader, stop: AbortController) {
    this.#loader = loader;
    this.#stop = stop;
  }

  handleInput(input: Input): boolean {
    if (input.kind === "key" && (input.id === "escape" || input.id === "ctrl+c")) this.#stop.abort();
    return true;
  }

  render(width: number): readonly string[] {
    return this.#loader.render(width);
  }
}
