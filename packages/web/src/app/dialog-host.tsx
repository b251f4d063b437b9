// Where questions appear: over everything, and the rest waits.

import { createEffect, createSignal, For, Match, onMount, Show, Switch } from "solid-js";
import { Button } from "../ui/button.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import type { Choice, OpenDialog } from "./dialogs.ts";
import "./dialog-host.css";

export function DialogHost() {
  const workbench = useWorkbench();
  return (
    <Show when={workbench.dialogs.open()} keyed>
      {(dialog) => <OpenOne dialog={dialog} />}
    </Show>
  );
}

function OpenOne(props: { readonly dialog: OpenDialog }) {
  let element!: HTMLDialogElement;
  const before = document.activeElement;
  createEffect(() => element.showModal());
  const answer = (value?: string) => {
    props.dialog.answer(value);
    if (before instanceof HTMLElement) before.focus();
  };
  return (
    <dialog
      class="dialog"
      ref={element}
      aria-labelledby="dialog-title"
      onCancel={(event) => {
        event.preventDefault();
        answer();
      }}
    >
      <h2 id="dialog-title">{props.dialog.request.title}</h2>
      <Switch>
        <Match when={props.dialog.kind === "choose" && props.dialog}>
          {(dialog) => (
            <>
              <Show when={dialog().request.text}>
                <p>{dialog().request.text}</p>
              </Show>
              <div class="dialog-choices cluster">
                <Button onPress={() => answer()}>Cancel</Button>
                <For each={inOrder(dialog().request.choices)}>
                  {(choice) => (
                    <Button
                      classList={{ primary: choice.isDefault === true, danger: choice.isDangerous === true }}
                      autofocus={choice.isDefault === true}
                      onPress={() => answer(choice.id)}
                    >
                      {choice.label}
                    </Button>
                  )}
                </For>
              </div>
            </>
          )}
        </Match>
        <Match when={props.dialog.kind === "prompt" && props.dialog}>
          {(dialog) => {
            const [text, setText] = createSignal(dialog().request.value ?? "");
            let field!: HTMLInputElement;
            // What is proposed is typed over, but for the ending of a file's name.
            onMount(() => {
              const dot = field.value.lastIndexOf(".");
              field.setSelectionRange(0, dot > 0 ? dot : field.value.length);
            });
            return (
              <form
                onSubmit={(event) => {
                  event.preventDefault();
                  answer(text());
                }}
              >
                <label class="dialog-label soft" for="dialog-text">
                  {dialog().request.label}
                </label>
                <input
                  id="dialog-text"
                  ref={field}
                  class="field"
                  autocomplete="off"
                  autofocus
                  value={text()}
                  onInput={(event) => setText(event.currentTarget.value)}
                />
                <div class="dialog-choices cluster">
                  <Button onPress={() => answer()}>Cancel</Button>
                  <button type="submit" class="button primary" disabled={text().trim() === ""}>
                    {dialog().request.action ?? "OK"}
                  </button>
                </div>
              </form>
            );
          }}
        </Match>
      </Switch>
    </dialog>
  );
}

/** What is meant to be chosen stands last, where it does in every other dialog. */
function inOrder(choices: readonly Choice[]): readonly Choice[] {
  return choices.toSorted((one, other) => Number(one.isDefault ?? false) - Number(other.isDefault ?? false));
}
