// The rows of the lists: of all ready providers, or of one.

import { createMemo } from "solid-js";
import { useWorkbench, type Workbench } from "../workspace/workbench.ts";
import { currentModel } from "./model-choice.ts";
import { type ModelRow, modelRows } from "./model-rows.ts";

export function useModelRows(provider: () => string | undefined = () => undefined): () => ModelRow[] {
  const workbench = useWorkbench();
  return createMemo(() => {
    const { providers = [], favourites = [], mode = "remote" } = workbench.state.models ?? {};
    const only = provider();
    return modelRows({
      providers: only === undefined ? providers : providers.filter(({ name }) => name === only),
      favourites,
      mode,
      current: currentModel(workbench),
      named: workbench.layout.state.namedModels,
    });
  });
}

/** How many typed names are kept. */
const maxNamed = 5;

export function rememberName({ layout }: Workbench, name: string): void {
  const others = layout.state.namedModels.filter((other) => other !== name);
  layout.set({ namedModels: [name, ...others].slice(0, maxNamed) });
}
