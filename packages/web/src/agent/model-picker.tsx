// Which model answers: the one that is set, one of a provider that is ready, or one that is named.

import CheckIcon from "lucide-solid/icons/check";
import CpuIcon from "lucide-solid/icons/cpu";
import { createSignal, createUniqueId, For, Show } from "solid-js";
import { BareButton } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { type Models, useWorkbench } from "../workspace/workbench.ts";
import { Popover, type PopoverControl } from "./popover.tsx";

export function shownModel(model: string): string {
  return model === "practice" ? "Practice model" : model.slice(model.indexOf("/") + 1);
}

export function ModelPicker(props: { readonly control: (control: PopoverControl) => void }) {
  const workbench = useWorkbench();
  const { layout } = workbench;
  const chosen = () => layout.state.model ?? workbench.state.models?.current ?? "practice";
  return (
    <Popover
      label={`Switch model: ${shownModel(chosen())}`}
      title={`Model: ${chosen()}`}
      class="picker chip bare aside"
      side="above"
      control={props.control}
      button={
        <>
          <CpuIcon size={14} aria-hidden="true" />
          <span class="picker-name ellipsis">{shownModel(chosen())}</span>
        </>
      }
    >
      {(close) => (
        <Choices
          onChoose={(model) => {
            layout.set({ model });
            close();
          }}
        />
      )}
    </Popover>
  );
}

/** How many typed names are kept. */
const maxNamed = 5;

function Choices(props: { readonly onChoose: (model: string | null) => void }) {
  const workbench = useWorkbench();
  const { layout } = workbench;
  const note = createUniqueId();
  const [text, setText] = createSignal("");
  const [problem, setProblem] = createSignal<NameProblem | null>(null);
  void workbench.loadModels();
  const chosen = () => layout.state.model;
  const current = () => workbench.state.models?.current ?? "practice";
  const isPractice = () => current() === "practice";
  const providers = (isReady: boolean) =>
    (workbench.state.models?.providers ?? []).filter((provider) => provider.is_ready === isReady);
  const isListed = (name: string) =>
    providers(true).some(({ models }) => models.some((model) => model.name === name));
  /** What is typed narrows the lists down. */
  const fits = (name: string) => name.toLowerCase().includes(text().trim().toLowerCase());
  const groups = () =>
    providers(true)
      .map((provider) => ({
        ...provider,
        models: provider.models.filter(({ name }) => name !== current() && fits(name)),
      }))
      .filter(({ models }) => models.length > 0);
  /** Those that no provider lists. */
  const named = () => {
    const names = new Set([...(chosen() === null ? [] : [chosen() ?? ""]), ...layout.state.namedModels]);
    return [...names].filter((name) => name !== current() && !isListed(name) && fits(name));
  };
  const useTyped = async () => {
    const name = text().trim();
    if (workbench.state.models === null) await workbench.loadModels();
    const found = isListed(name) ? null : problemOf(name, workbench.state.models?.providers ?? []);
    // A server may have a model that it does not list: whoever says it twice means it.
    if (found !== null && !(found.mayBeMeant && problem()?.name === name)) {
      setProblem(found);
      return;
    }
    const others = layout.state.namedModels.filter((other) => other !== name);
    if (!isListed(name)) layout.set({ namedModels: [name, ...others].slice(0, maxNamed) });
    props.onChoose(name === current() ? null : name);
  };
  return (
    <>
      <h3>Model</h3>
      <form
        class="popover-row row"
        onSubmit={(event) => {
          event.preventDefault();
          void useTyped();
        }}
      >
        <Field
          label="Another model"
          placeholder="Find, or name: provider/name"
          value={text()}
          aria-invalid={problem() !== null}
          aria-describedby={note}
          onType={(typed) => {
            setText(typed);
            setProblem(null);
          }}
        />
        <button type="submit" class="button" disabled={text().trim() === ""}>
          Use
        </button>
      </form>
      <Show when={problem()}>
        {(found) => (
          <p class="popover-fault" id={note} role="alert">
            {found().message}
          </p>
        )}
      </Show>
      <ul class="popover-list unlisted column">
        <li>
          <Choice
            isChosen={chosen() === null || chosen() === current()}
            name={isPractice() ? shownModel("practice") : current()}
            about={
              isPractice()
                ? "Without an account or network. It is used until a model is connected."
                : "The one that Stet was started with."
            }
            onChoose={() => props.onChoose(null)}
          />
        </li>
        <For each={named()}>
          {(name) => (
            <li>
              <Choice
                isChosen={chosen() === name}
                name={name}
                about="You named it."
                onChoose={() => props.onChoose(name)}
              />
            </li>
          )}
        </For>
      </ul>
      <For each={groups()}>
        {({ name: provider, why, models }) => (
          <section aria-label={`Models of ${provider}`}>
            <h4>{provider}</h4>
            <p class="popover-note faint">{why}</p>
            <ul class="popover-list unlisted column">
              <For each={models}>
                {({ name, context_window }) => (
                  <li>
                    <Choice
                      isChosen={chosen() === name}
                      name={name}
                      about={context_window === null ? "" : `${context_window.toLocaleString("en")} tokens`}
                      onChoose={() => props.onChoose(name)}
                    />
                  </li>
                )}
              </For>
            </ul>
          </section>
        )}
      </For>
      <Show when={providers(false).length > 0}>
        <h3>Not ready</h3>
        <ul class="popover-list unlisted column">
          <For each={providers(false)}>
            {({ name, why }) => (
              <li class="popover-choice-words grow picker-unready soft">
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

interface NameProblem {
  readonly name: string;
  readonly message: string;
  /** Whether it can be used all the same. */
  readonly mayBeMeant: boolean;
}

/** Why a name that was typed cannot be used, or may be mistyped. */
function problemOf(name: string, providers: Models["providers"]): NameProblem | null {
  const refuse = (message: string) => ({ name, message, mayBeMeant: false });
  const [provider = ""] = name.split("/", 1);
  if (name !== "practice" && !/^[^/]+\/./.test(name))
    return refuse("Write provider/name, as in ollama/qwen3:8b.");
  const known = providers.find((one) => one.name === provider);
  if (known === undefined) {
    const names = providers.map((one) => one.name).join(", ");
    return refuse(`There is no provider called ${provider}. There is ${names}.`);
  }
  if (!known.is_ready) return refuse(known.why);
  if (provider === "practice") return null;
  const message = `${provider} does not list ${name.slice(provider.length + 1)}. To try it all the same, choose Use again.`;
  return { name, message, mayBeMeant: true };
}

export function Choice(props: {
  readonly isChosen: boolean;
  readonly name: string;
  readonly about: string;
  readonly onChoose: () => void;
}) {
  return (
    <BareButton
      class="popover-choice stretched"
      aria-pressed={props.isChosen}
      onPress={() => props.onChoose()}
    >
      <span class="picker-check" aria-hidden="true">
        <Show when={props.isChosen}>
          <CheckIcon size={14} />
        </Show>
      </span>
      <span class="popover-choice-words grow">
        {props.name}
        <Show when={props.about !== ""}>
          <small>{props.about}</small>
        </Show>
      </span>
    </BareButton>
  );
}
