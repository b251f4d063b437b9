// What can be done with the model that is marked in a list: make it a favourite, and try it.

import { type Fault, isFault } from "@stet/protocol/fault";
import StarIcon from "lucide-solid/icons/star";
import { createEffect, createMemo, createSignal, on, onCleanup, Show } from "solid-js";
import { Button } from "../ui/button.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import { toggleFavourite } from "./model-choice.ts";
import type { ModelRow } from "./model-rows.ts";
import { type ModelTest, testWords } from "./test-words.ts";

export function ModelActions(props: { readonly row: ModelRow }) {
  const workbench = useWorkbench();
  const [isBusy, setBusy] = createSignal(false);
  const [result, setResult] = createSignal<ModelTest | Fault>();
  let stop = new AbortController();
  // The list may be read again meanwhile: another row of the same name is still the same model.
  const name = createMemo(() => props.row.name);
  onCleanup(() => stop.abort());
  createEffect(
    on(name, () => {
      stop.abort();
      setBusy(false);
      setResult(undefined);
    }),
  );
  const attempt = async () => {
    stop = new AbortController();
    const { signal } = stop;
    setBusy(true);
    setResult(undefined);
    const reply = await workbench.client.call("testModel", { body: { model: name() } }, signal);
    if (signal.aborted) return;
    setBusy(false);
    setResult(reply);
  };
  const cancel = () => {
    stop.abort();
    setBusy(false);
  };
  const refusal = () => {
    const value = result();
    return isFault(value) ? value : undefined;
  };
  const answer = () => {
    const value = result();
    return value === undefined || isFault(value) ? undefined : value;
  };
  return (
    <div class="model-actions column">
      <div class="cluster">
        <span class="model-actions-name grow ellipsis">{props.row.label}</span>
        <Button small aria-pressed={props.row.isFavourite} onPress={() => toggleFavourite(workbench, name())}>
          <StarIcon size={12} fill={props.row.isFavourite ? "currentColor" : "none"} aria-hidden="true" />
          Favourite
        </Button>
        {/* One button, so that the focus stays where it is. */}
        <Button small onPress={() => (isBusy() ? cancel() : attempt())}>
          {isBusy() ? "Stop trying" : "Try it"}
        </Button>
      </div>
      <div role="status">
        <Show when={isBusy()}>
          <p class="model-result faint">Asking {props.row.label} for one word …</p>
        </Show>
        <Show when={answer()}>{(test) => <p class="model-result">{testWords(test())}</p>}</Show>
        <Show when={refusal()}>
          {(fault) => (
            <p class="model-result bad">
              {fault().message} {fault().suggestion}
            </p>
          )}
        </Show>
      </div>
    </div>
  );
}
