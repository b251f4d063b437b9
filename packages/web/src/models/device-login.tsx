// Connecting by a code that is typed on the provider's own page: the code, the page, and waiting until that is done.

import type { ProviderView } from "@stet/protocol/api/models";
import type { Reply } from "@stet/protocol/api/route";
import type { Routes } from "@stet/protocol/api/routes";
import { type Fault, isFault } from "@stet/protocol/fault";
import { createSignal, onCleanup, Show } from "solid-js";
import { Button } from "../ui/button.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import { connectedWords } from "./connect-form.ts";
import { openModelDialog } from "./model-dialog-state.ts";
import { titleOf } from "./model-words.ts";

type Login = Reply<Routes["startDeviceLogin"]>;

function timeOf(date: string): string {
  return new Date(date).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}

export function DeviceLogin(props: { readonly provider: ProviderView }) {
  const workbench = useWorkbench();
  const [login, setLogin] = createSignal<Login>();
  const [isBusy, setBusy] = createSignal(false);
  const [fault, setFault] = createSignal<Fault>();
  let section!: HTMLElement;
  let stop = new AbortController();
  onCleanup(() => stop.abort());
  /** One button takes the other's place, and with it the focus. */
  const show = (isWaiting: boolean) => {
    const hasFocus = section.contains(document.activeElement);
    setBusy(isWaiting);
    if (!isWaiting) setLogin(undefined);
    if (hasFocus) section.querySelector("button")?.focus();
  };
  const refuse = (refusal: Fault) => {
    show(false);
    setFault(refusal);
  };
  const begin = async () => {
    stop = new AbortController();
    const { signal } = stop;
    show(true);
    setFault(undefined);
    const { client } = workbench;
    const begun = await client.call("startDeviceLogin", { body: { provider: props.provider.name } }, signal);
    if (signal.aborted) return;
    if (isFault(begun)) return refuse(begun);
    setLogin(begun);
    const params = { login_id: begun.login_id };
    const reply = await client.call("finishDeviceLogin", { params }, signal);
    if (signal.aborted) return;
    if (isFault(reply)) return refuse(reply);
    await workbench.loadModels();
    openModelDialog({ kind: "models", provider: reply.provider.name, note: connectedWords(reply) });
  };
  const cancel = () => {
    stop.abort();
    show(false);
  };
  return (
    <section class="connect-part column" aria-label="Sign in" ref={section}>
      <Show
        when={isBusy()}
        fallback={
          <div class="cluster">
            <Button onPress={begin}>Sign in at {titleOf(props.provider)}</Button>
            <span class="quiet">You type a code on its page, and no key.</span>
          </div>
        }
      >
        <Show when={login()} fallback={<p role="status">Asking for a code …</p>}>
          {(known) => (
            <div role="status">
              <p>
                Type this code at{" "}
                <a href={known().page} target="_blank" rel="noreferrer">
                  {known().page}
                </a>
                :
              </p>
              <p class="device-code">{known().code}</p>
              <p class="quiet">
                Waiting until that is done. The code is valid until {timeOf(known().expires_at)}.
              </p>
            </div>
          )}
        </Show>
        <div class="cluster">
          <Button small onPress={cancel}>
            Cancel
          </Button>
        </div>
      </Show>
      <Show when={fault()}>
        {(refusal) => (
          <p class="models-fault" role="alert">
            {refusal().message} {refusal().suggestion}
          </p>
        )}
      </Show>
    </section>
  );
}
