// What can answer: servers of this machine, providers that are ready, all others by name, and where a model may run.

import type { ProviderView } from "@stet/protocol/api/models";
import type { Fault } from "@stet/protocol/fault";
import { createMemo, createSignal, For, Show } from "solid-js";
import { BareButton, Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import { connectHint } from "./connect-form.ts";
import { LocalServer } from "./local-server.tsx";
import { ModeChoice } from "./mode-choice.tsx";
import { chooseFromNowOn, currentModel } from "./model-choice.ts";
import { openModelDialog } from "./model-dialog-state.ts";
import { keyWords, titleOf } from "./model-words.ts";
import { findProviders, groupsOf, nameList } from "./provider-groups.ts";

export function StartPage(props: { readonly onDone: () => void }) {
  const workbench = useWorkbench();
  const [text, setText] = createSignal("");
  const [isLooking, setLooking] = createSignal(false);
  const [fault, setFault] = createSignal<Fault>();
  const groups = createMemo(() => groupsOf(workbench.state.models?.providers ?? []));
  const others = () => findProviders(text(), groups().others);
  // By name: the list comes anew now and then, and what has the focus stays.
  const names = (providers: readonly ProviderView[]) => providers.map(({ name }) => name);
  const known = (name: string) => workbench.state.models?.providers.find((one) => one.name === name);
  const look = async () => {
    if (isLooking()) return;
    setLooking(true);
    setFault(undefined);
    setFault(await workbench.loadModels());
    setLooking(false);
  };
  void look();
  const use = async (model: string) => {
    if (await chooseFromNowOn(workbench, model)) props.onDone();
  };
  return (
    <>
      <section class="connect-part column" aria-labelledby="connect-here">
        <div class="row">
          <h3 id="connect-here" class="grow">
            On this machine
          </h3>
          <Button small aria-disabled={isLooking()} onPress={look}>
            Look again
          </Button>
        </div>
        <Show when={fault()}>
          {(refusal) => (
            <p class="models-fault" role="alert">
              {refusal().message} {refusal().suggestion}
            </p>
          )}
        </Show>
        <For
          each={names(groups().here)}
          fallback={
            <Show when={fault() === undefined}>
              <p class="soft" role="status">
                {workbench.state.models === null || isLooking()
                  ? "Looking for servers on this machine …"
                  : "No model server answers here. Start Ollama, LM Studio or llama.cpp, and look again."}
              </p>
            </Show>
          }
        >
          {(name) => (
            <Show when={known(name)}>{(provider) => <LocalServer provider={provider()} onUse={use} />}</Show>
          )}
        </For>
      </section>
      <Show when={groups().ready.length > 0}>
        <section class="connect-part column" aria-labelledby="connect-ready">
          <h3 id="connect-ready">Ready</h3>
          <ul class="connect-list unlisted column">
            <For each={names(groups().ready)}>
              {(name) => (
                <Show when={known(name)}>
                  {(provider) => (
                    <li class="connect-row">
                      <span class="connect-name grow">
                        {titleOf(provider())}
                        <small class="quiet">
                          {provider().keys.length === 0
                            ? provider().why
                            : `Key ${nameList(provider().keys.map(keyWords))}.`}
                        </small>
                      </span>
                      <Button
                        small
                        aria-label={`Change ${titleOf(provider())}`}
                        onPress={() => openModelDialog({ kind: "connect", provider: provider().name })}
                      >
                        Change
                      </Button>
                      <Button
                        small
                        aria-label={`Choose a model of ${titleOf(provider())}`}
                        onPress={() => openModelDialog({ kind: "models", provider: provider().name })}
                      >
                        Choose a model
                      </Button>
                    </li>
                  )}
                </Show>
              )}
            </For>
          </ul>
        </section>
      </Show>
      <section class="connect-part column" aria-labelledby="connect-others">
        <h3 id="connect-others">Providers</h3>
        <Field
          label="Find a provider"
          placeholder="Find a provider"
          value={text()}
          onType={setText}
          onKeyDown={(event) => {
            const [first] = others();
            if (event.key !== "Enter" || first === undefined || text().trim() === "") return;
            event.preventDefault();
            openModelDialog({ kind: "connect", provider: first.name });
          }}
        />
        <ul class="connect-list unlisted column" aria-label="Providers to connect">
          <For each={names(others())}>
            {(name) => (
              <Show when={known(name)}>
                {(provider) => (
                  <li>
                    <BareButton
                      class="connect-row stretched hovers"
                      onPress={() => openModelDialog({ kind: "connect", provider: provider().name })}
                    >
                      <span class="connect-name grow">
                        {titleOf(provider())}
                        <small class="quiet">{connectHint(provider())}</small>
                      </span>
                    </BareButton>
                  </li>
                )}
              </Show>
            )}
          </For>
          <li>
            <BareButton
              class="connect-row stretched hovers"
              onPress={() => openModelDialog({ kind: "connect", provider: undefined })}
            >
              <span class="connect-name grow">
                Another server
                <small class="quiet">
                  A gateway, or a server of your own that speaks OpenAI's format, by its address.
                </small>
              </span>
            </BareButton>
          </li>
        </ul>
      </section>
      <ModeChoice />
      <section class="connect-part connect-row">
        <span class="connect-name grow">
          Practice model
          <small class="quiet">
            It renames, replaces and looks things up, without an account or network.
          </small>
        </span>
        <Show when={currentModel(workbench) !== "practice"} fallback={<span class="quiet">answers now</span>}>
          <Button small onPress={() => use("practice")}>
            Use the practice model
          </Button>
        </Show>
      </section>
    </>
  );
}
