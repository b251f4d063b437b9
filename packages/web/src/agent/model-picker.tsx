// Which model answers: the one that is set, one of a provider that is ready, or one that is named.

import CheckIcon from "lucide-solid/icons/check";
import CpuIcon from "lucide-solid/icons/cpu";
import { createSignal, createUniqueId, For, Show } from "solid-js";
import { useDesk } from "../workspace/desk.ts";
import { Popover, type PopoverControl } from "./popover.tsx";

export function shownModel(model: string): string {
  return model === "practice" ? "Practice model" : model.slice(model.indexOf("/") + 1);
}

export function ModelPicker(props: { readonly control: (control: PopoverControl) => void }) {
  const desk = useDesk();
  const { layout } = desk;
  const chosen = () => layout.state.model ?? desk.state.models?.current ?? "practice";
  return (
    <Popover
      label={`Switch model: ${shownModel(chosen())}`}
      title={`Model: ${chosen()}`}
      class="picker"
      side="above"
      control={props.control}
      button={
        <>
          <CpuIcon size={14} aria-hidden="true" />
          <span class="picker-name">{shownModel(chosen())}</span>
        </>
      }
    >
      {(close) => (
        <Choices
          chosen={layout.state.model}
          onChoose={(model) => {
            layout.set({ model });
            close();
          }}
        />
      )}
    </Popover>
  );
}

function Choices(props: {
  readonly chosen: string | null;
  readonly onChoose: (model: string | null) => void;
}) {
  const desk = useDesk();
  const field = createUniqueId();
  const [text, setText] = createSignal("");
  const [problem, setProblem] = createSignal("");
  /** Why a name that was typed cannot be used; empty where it can. */
  const problemOf = (name: string) => {
    const [provider = ""] = name.split("/", 1);
    if (name !== "practice" && !/^[^/]+\/./.test(name)) return "Write provider/name, as in ollama/qwen3:8b.";
    const known = desk.state.models?.providers.find((one) => one.name === provider);
    if (known === undefined) return `There is no provider called ${provider}.`;
    return known.is_ready ? "" : known.why;
  };
  void desk.loadModels();
  const providers = (isReady: boolean) =>
    (desk.state.models?.providers ?? []).filter((provider) => provider.is_ready === isReady);
  const isPractice = () => (desk.state.models?.current ?? "practice") === "practice";
  const others = () =>
    providers(true).flatMap(({ models, why }) =>
      models.filter(({ name }) => name !== desk.state.models?.current).map(({ name }) => ({ name, why })),
    );
  /** One that was typed, and that no provider lists. */
  const typed = () => {
    const { chosen } = props;
    return chosen === null || others().some(({ name }) => name === chosen) ? undefined : chosen;
  };
  return (
    <>
      <h3>Model</h3>
      <ul class="popover-list">
        <li>
          <Choice
            isChosen={props.chosen === null}
            name={isPractice() ? shownModel("practice") : (desk.state.models?.current ?? "")}
            about={
              isPractice()
                ? "Without an account or network. It is used until a model is connected."
                : "The one that Stet was started with."
            }
            onChoose={() => props.onChoose(null)}
          />
        </li>
        <Show when={typed()}>
          {(name) => (
            <li>
              <Choice
                isChosen
                name={name()}
                about="The one that you named."
                onChoose={() => props.onChoose(name())}
              />
            </li>
          )}
        </Show>
        <For each={others()}>
          {({ name, why }) => (
            <li>
              <Choice
                isChosen={props.chosen === name}
                name={name}
                about={why}
                onChoose={() => props.onChoose(name)}
              />
            </li>
          )}
        </For>
      </ul>
      <form
        class="popover-row"
        onSubmit={(event) => {
          event.preventDefault();
          const problem = problemOf(text().trim());
          setProblem(problem);
          if (problem === "") props.onChoose(text().trim());
        }}
      >
        <label class="unseen" for={field}>
          Another model
        </label>
        <input
          id={field}
          class="field"
          autocomplete="off"
          placeholder="Another one: provider/name"
          value={text()}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" class="button" disabled={text().trim() === ""}>
          Use
        </button>
      </form>
      <Show when={problem() !== ""}>
        <p class="popover-note" role="alert">
          {problem()}
        </p>
      </Show>
      <Show when={providers(false).length > 0}>
        <h3>Not ready</h3>
        <ul class="popover-list">
          <For each={providers(false)}>
            {({ name, why }) => (
              <li class="popover-choice-words picker-unready">
                {name}
                <small>{why}</small>
              </li>
            )}
          </For>
        </ul>
      </Show>
    </>
  );
}

export function Choice(props: {
  readonly isChosen: boolean;
  readonly name: string;
  readonly about: string;
  readonly onChoose: () => void;
}) {
  return (
    <button
      type="button"
      class="popover-choice"
      aria-pressed={props.isChosen}
      onClick={() => props.onChoose()}
    >
      <span class="picker-check" aria-hidden="true">
        <Show when={props.isChosen}>
          <CheckIcon size={14} />
        </Show>
      </span>
      <span class="popover-choice-words">
        {props.name}
        <small>{props.about}</small>
      </span>
    </button>
  );
}
