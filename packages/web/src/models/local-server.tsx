// A server of this machine that answers: used with one press, by its first model or by another one.

import type { ProviderView } from "@stet/protocol/api/models";
import { Show } from "solid-js";
import { Button } from "../ui/button.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import { openModelDialog } from "./model-dialog-state.ts";
import { shownModel, titleOf } from "./model-words.ts";
import { firstModelOf, nameList } from "./provider-groups.ts";

export function LocalServer(props: {
  readonly provider: ProviderView;
  readonly onUse: (model: string) => Promise<void>;
}) {
  const workbench = useWorkbench();
  const first = () => firstModelOf(props.provider, workbench.state.models?.favourites ?? []);
  const names = () => {
    const chosen = first()?.name;
    const all = props.provider.models.map(({ name }) => name);
    return nameList(
      [...all.filter((name) => name === chosen), ...all.filter((name) => name !== chosen)].map(shownModel),
    );
  };
  return (
    <div class="connect-row card connect-local">
      <span class="connect-name grow">
        {titleOf(props.provider)} answers on this machine
        <small class="quiet connect-names">{names()}</small>
      </span>
      <Show when={props.provider.models.length > 1}>
        <Button
          small
          aria-label={`Others of ${titleOf(props.provider)}`}
          onPress={() => openModelDialog({ kind: "models", provider: props.provider.name })}
        >
          Others
        </Button>
      </Show>
      <Show when={first()}>
        {(model) => (
          <Button
            small
            class="primary named"
            title={model().name}
            data-first
            onPress={() => props.onUse(model().name)}
          >
            Use {shownModel(model().name)}
          </Button>
        )}
      </Show>
    </div>
  );
}
