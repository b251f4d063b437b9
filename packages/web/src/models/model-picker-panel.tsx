// The list of models beside the composer.

import type { ProviderView } from "@stet/protocol/api/models";
import { createSignal, createUniqueId, For, onMount, Show } from "solid-js";
import { Button } from "../ui/button.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import { mendWords } from "./fault-field.ts";
import { ModelActions } from "./model-actions.tsx";
import {
  chooseForConversation,
  chooseFromNowOn,
  currentModel,
  hasOwnModel,
  toggleFavourite,
} from "./model-choice.ts";
import { openMend, openModelDialog } from "./model-dialog-state.ts";
import { ModelList } from "./model-list.tsx";
import type { ModelRow } from "./model-rows.ts";
import { shownModel, titleOf } from "./model-words.ts";
import { namedModel } from "./named-model.ts";
import { NamedNote } from "./named-note.tsx";
import { findProviders, groupsOf } from "./provider-groups.ts";
import { rememberName, useModelRows } from "./use-model-rows.ts";
import "./model-picker-panel.css";

/** More would hide the list; the dialog has them all. */
const maxUnready = 3;

type Reach = "conversation" | "always";

export function ModelPickerPanel(props: { readonly close: () => void }) {
  const workbench = useWorkbench();
  const note = createUniqueId();
  const group = createUniqueId();
  let panel!: HTMLDivElement;
  const [text, setText] = createSignal("");
  const [active, setActive] = createSignal<ModelRow>();
  const [problem, setProblem] = createSignal("");
  const [reach, setReach] = createSignal<Reach>("conversation");
  const rows = useModelRows();
  const providers = () => workbench.state.models?.providers ?? [];
  const known = (name: string) => providers().find((one) => one.name === name);
  const named = () => namedModel(text(), providers());
  const standard = () => workbench.state.models?.current ?? "practice";
  void workbench.loadModels();
  onMount(() => panel.querySelector("input")?.focus());

  const choose = (name: string) => {
    props.close();
    void (reach() === "always"
      ? chooseFromNowOn(workbench, name)
      : chooseForConversation(workbench, name === standard() ? "" : name));
  };
  const chooseRow = (row: ModelRow) => {
    if (row.hindrance === "") choose(row.name);
    else setProblem(row.hindrance);
  };
  const useTyped = () => {
    const found = named();
    if (found?.kind !== "offer") return;
    rememberName(workbench, found.name);
    choose(found.name);
  };
  const openDialog = (open: () => void) => {
    props.close();
    open();
  };
  /** Those that are looked for; else those of which somebody has set something. */
  const unready = () => {
    const { others } = groupsOf(providers());
    const isBegun = ({ keys, name }: ProviderView) =>
      keys.length > 0 || name === currentModel(workbench).split("/", 1)[0];
    const some = text().trim() === "" ? others.filter(isBegun) : findProviders(text(), others);
    return some.slice(0, maxUnready).map(({ name }) => name);
  };
  return (
    <div class="model-picker column" ref={panel}>
      <h3>Model</h3>
      <ModelList
        rows={rows()}
        current={currentModel(workbench)}
        text={text()}
        onType={(typed) => {
          setText(typed);
          setProblem("");
        }}
        onActive={setActive}
        onChoose={chooseRow}
        onFavourite={(row) => toggleFavourite(workbench, row.name)}
        onEnter={useTyped}
        note={note}
        isInvalid={named()?.kind === "problem"}
        empty={<NamedNote id={note} named={named()} onUse={useTyped} onLeave={props.close} />}
      />
      <Show when={problem()}>
        <p class="popover-fault" role="alert">
          {problem()}
        </p>
      </Show>
      <fieldset class="model-reach cluster">
        <legend class="unseen">What you choose holds</legend>
        <Reaches
          name={group}
          reach={reach()}
          value="conversation"
          label="In this conversation"
          onChoose={setReach}
        />
        <Reaches name={group} reach={reach()} value="always" label="From now on" onChoose={setReach} />
      </fieldset>
      <Show when={hasOwnModel(workbench)}>
        <p class="popover-note faint">
          New conversations begin with {shownModel(standard())}.{" "}
          <button
            type="button"
            class="link"
            onClick={() => {
              props.close();
              void chooseForConversation(workbench, "");
            }}
          >
            Use it here, too
          </button>
        </p>
      </Show>
      <Show when={active()}>{(row) => <ModelActions row={row()} />}</Show>
      <Show when={unready().length > 0}>
        <h4>Not ready</h4>
        <ul class="popover-list unlisted column">
          <For each={unready()}>
            {(name) => (
              <Show when={known(name)}>
                {(provider) => (
                  <li class="model-unready">
                    <span class="grow">
                      {titleOf(provider())} <small class="quiet">{provider().why}</small>
                    </span>
                    <Button
                      small
                      onPress={() =>
                        openDialog(() => openMend(provider().name, provider().mend?.field ?? "key"))
                      }
                    >
                      {mendWords(provider().mend?.field ?? "key", titleOf(provider()))}
                    </Button>
                  </li>
                )}
              </Show>
            )}
          </For>
        </ul>
      </Show>
      <div class="cluster">
        <Button small onPress={() => openDialog(openModelDialog)}>
          Connect a model
        </Button>
      </div>
    </div>
  );
}

function Reaches(props: {
  readonly name: string;
  readonly reach: Reach;
  readonly value: Reach;
  readonly label: string;
  readonly onChoose: (reach: Reach) => void;
}) {
  return (
    <label class="model-reach-choice">
      <input
        type="radio"
        name={props.name}
        checked={props.reach === props.value}
        onChange={() => props.onChoose(props.value)}
      />
      {props.label}
    </label>
  );
}
