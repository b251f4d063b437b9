// The keys of a provider: where each is, and forgetting those that were kept here.

import type { ProviderView } from "@stet/protocol/api/models";
import { For, Show } from "solid-js";
import { plural } from "../status/word-count.ts";
import { Button } from "../ui/button.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import { isForgettable, keyWords, titleOf } from "./model-words.ts";

export function ProviderKeys(props: {
  readonly provider: ProviderView;
  /** Where the focus goes when no key is left. */
  readonly onEmpty: () => void;
}) {
  const workbench = useWorkbench();
  let section: HTMLElement | undefined;
  const title = () => titleOf(props.provider);
  const forget = async (key?: string) => {
    const asked = await workbench.dialogs.choose({
      title: key === undefined ? `Forget all keys of ${title()}?` : `Forget this key of ${title()}?`,
      text: "It is removed from this machine, and cannot be brought back from here.",
      choices: [{ id: "forget", label: "Forget", isDangerous: true }],
    });
    if (asked === undefined) return;
    const reply = await workbench.ask("disconnectProvider", {
      params: { provider: props.provider.name },
      query: key === undefined ? {} : { key },
    });
    if (reply === undefined) return;
    await workbench.loadModels();
    // The button that was pressed is gone with its key.
    const next = section?.isConnected === true ? section.querySelector<HTMLElement>("li button") : null;
    if (next === null) props.onEmpty();
    else next.focus();
    workbench.notices.tell({
      text: `${plural(reply.forgotten, "key")} of ${title()} forgotten.`,
      tone: "good",
    });
  };
  return (
    <Show when={props.provider.keys.length > 0}>
      <section class="connect-part column" aria-labelledby="connect-keys" ref={section}>
        <div class="row">
          <h3 id="connect-keys" class="grow">
            {props.provider.keys.length === 1 ? "Its key" : "Its keys take turns"}
          </h3>
          <Show when={props.provider.keys.filter(isForgettable).length > 1}>
            <Button small class="danger" onPress={() => forget()}>
              Forget all
            </Button>
          </Show>
        </div>
        <ul class="connect-list unlisted column">
          <For each={props.provider.keys}>
            {(key, index) => (
              <li class="connect-row">
                <span class="connect-name grow">
                  {`Key ${index() + 1}: ${keyWords(key)}`}
                  <Show when={key.added_at}>
                    {(added) => (
                      <small class="quiet">since {new Date(added()).toLocaleDateString("en-GB")}</small>
                    )}
                  </Show>
                </span>
                <Show when={isForgettable(key)}>
                  <Button small aria-label={`Forget key ${index() + 1}`} onPress={() => forget(key.id)}>
                    Forget
                  </Button>
                </Show>
              </li>
            )}
          </For>
        </ul>
      </section>
    </Show>
  );
}
