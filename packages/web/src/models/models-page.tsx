// The models of a provider, or of all: the one that is chosen is the default from then on.

import { createSignal, createUniqueId, Show } from "solid-js";
import { Button } from "../ui/button.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import { ModelActions } from "./model-actions.tsx";
import { chooseFromNowOn, currentModel, toggleFavourite } from "./model-choice.ts";
import { openModelDialog } from "./model-dialog-state.ts";
import { ModelList } from "./model-list.tsx";
import type { ModelRow } from "./model-rows.ts";
import { namedModel } from "./named-model.ts";
import { NamedNote } from "./named-note.tsx";
import { ThinkingChoice } from "./thinking-choice.tsx";
import { rememberName, useModelRows } from "./use-model-rows.ts";

export function ModelsPage(props: {
  readonly provider: string | undefined;
  readonly note: string | undefined;
  readonly onDone: () => void;
}) {
  const workbench = useWorkbench();
  const note = createUniqueId();
  const [text, setText] = createSignal("");
  const [active, setActive] = createSignal<ModelRow>();
  const [problem, setProblem] = createSignal("");
  const rows = useModelRows(() => props.provider);
  const provider = () => workbench.state.models?.providers.find(({ name }) => name === props.provider);
  /** Of one provider, its models can be typed without it. */
  const typed = () =>
    props.provider === undefined || text().trim() === "" || text().includes(`${props.provider}/`)
      ? text()
      : `${props.provider}/${text().trim()}`;
  const named = () => namedModel(typed(), workbench.state.models?.providers ?? []);
  const choose = async (name: string) => {
    if (await chooseFromNowOn(workbench, name)) props.onDone();
  };
  const chooseRow = (row: ModelRow) => {
    if (row.hindrance === "") void choose(row.name);
    else setProblem(row.hindrance);
  };
  const useTyped = () => {
    const found = named();
    if (found?.kind !== "offer") return;
    rememberName(workbench, found.name);
    void choose(found.name);
  };
  return (
    <>
      <Show when={props.note}>
        <p class="connect-note" role="status">
          {props.note}
        </p>
      </Show>
      <Show when={provider()?.lists_models === false}>
        <p class="soft">
          It does not say which models it has; these are known of it. Any other can be typed.
        </p>
      </Show>
      <ModelList
        rows={rows()}
        current={currentModel(workbench)}
        text={text()}
        onType={(next) => {
          setText(next);
          setProblem("");
        }}
        onActive={setActive}
        onChoose={chooseRow}
        onFavourite={(row) => toggleFavourite(workbench, row.name)}
        onEnter={useTyped}
        note={note}
        isInvalid={named()?.kind === "problem"}
        empty={<NamedNote id={note} named={named()} onUse={useTyped} onLeave={() => {}} />}
      />
      <Show when={problem()}>
        <p class="models-fault" role="alert">
          {problem()}
        </p>
      </Show>
      <Show when={active()}>{(row) => <ModelActions row={row()} />}</Show>
      <div class="connect-foot cluster">
        <ThinkingChoice />
        <span class="grow" />
        <Show when={props.provider !== undefined}>
          <Button onPress={() => openModelDialog({ kind: "models", provider: undefined })}>All models</Button>
        </Show>
        <Show when={active()}>
          {(row) => (
            <Button class="primary named" title={row().name} onPress={() => chooseRow(row())}>
              Use {row().label}
            </Button>
          )}
        </Show>
      </div>
    </>
  );
}
