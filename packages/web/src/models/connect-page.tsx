// Connecting one provider: its fields, the keys that it has, and where a person gets one. It is asked first, and kept only
// where it answers. A refusal stands at the field that it is about; what was typed stays.

import type { ProviderView } from "@stet/protocol/api/models";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { ModelField } from "@stet/protocol/model-stream";
import { createSignal, For, onCleanup, onMount, Show } from "solid-js";
import { Button } from "../ui/button.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import { ConnectField } from "./connect-field.tsx";
import { connectedWords, formFields, modelField, nameFieldName, ownServerName } from "./connect-form.ts";
import { DeviceLogin } from "./device-login.tsx";
import { faultField, fieldOf, modelFieldName, type ProviderField } from "./fault-field.ts";
import { openModelDialog } from "./model-dialog-state.ts";
import { isForgettable, titleOf } from "./model-words.ts";
import { ProviderKeys } from "./provider-keys.tsx";

export function ConnectPage(props: {
  /** Undefined for a server of one's own. */
  readonly name: string | undefined;
  readonly field: ModelField | undefined;
}) {
  const workbench = useWorkbench();
  const provider = () => workbench.state.models?.providers.find(({ name }) => name === props.name);
  return (
    <Show
      when={props.name === undefined || provider() !== undefined}
      fallback={
        <p role="status">
          {workbench.state.models === null
            ? "Asking which providers there are …"
            : `There is no provider called ${props.name}.`}
        </p>
      }
    >
      <Form provider={provider()} field={props.field} />
    </Show>
  );
}

/** The form asks for it; the server's own sentence names a command and a variable, for those who are in a terminal. */
function isOnlyKeyMissing({ is_ready: isReady, mend }: ProviderView): boolean {
  return !isReady && mend?.field === "key";
}

function Form(props: {
  readonly provider: ProviderView | undefined;
  readonly field: ModelField | undefined;
}) {
  const workbench = useWorkbench();
  let form!: HTMLFormElement;
  // Taken once: the list of providers comes anew now and then, and the fields hold what was typed.
  const fields = formFields(props.provider);
  const [hasModelField, setModelField] = createSignal(props.provider?.kind === "cloud");
  const [isAdded, setAdded] = createSignal(false);
  const [isBusy, setBusy] = createSignal(false);
  const [fault, setFault] = createSignal<Fault>();
  let stop = new AbortController();
  onCleanup(() => stop.abort());

  const shown = () => (hasModelField() ? [...fields, modelField] : fields);
  const place = () => {
    const refusal = fault();
    const name = refusal === undefined ? undefined : faultField(refusal, shown());
    return name === modelFieldName && !hasModelField() ? undefined : name;
  };
  const inputOf = (name: string | undefined) => {
    const input = name === undefined ? null : form.elements.namedItem(name);
    return input instanceof HTMLInputElement ? input : undefined;
  };
  const textIn = (name: string) => inputOf(name)?.value.trim() ?? "";
  onMount(() => {
    const wanted = props.field === undefined ? undefined : fieldOf(props.field, fields);
    (inputOf(wanted) ?? form.querySelector("input"))?.focus();
  });

  const refuse = (refusal: Fault) => {
    if (faultField(refusal, fields) === modelFieldName) setModelField(true);
    setFault(refusal);
    (inputOf(place()) ?? form.querySelector<HTMLElement>(".connect-refusal"))?.focus();
  };
  const connect = async () => {
    const known = workbench.state.models?.providers.map((one) => one.name) ?? [];
    const name = props.provider?.name ?? ownServerName(textIn(nameFieldName), known);
    if (isFault(name)) return refuse(name);
    const values = Object.fromEntries(
      fields
        .filter((field) => field.name !== nameFieldName)
        .map((field) => [field.name, textIn(field.name)] as const)
        .filter(([, value]) => value !== ""),
    );
    const model = textIn(modelFieldName);
    stop = new AbortController();
    const { signal } = stop;
    setFault(undefined);
    setBusy(true);
    const body = { provider: name, values, is_added: isAdded(), ...(model === "" ? {} : { model }) };
    const reply = await workbench.client.call("connectProvider", { body }, signal);
    if (signal.aborted) return;
    setBusy(false);
    if (isFault(reply)) return refuse(reply);
    // A key is not for the page any more.
    form.reset();
    await workbench.loadModels();
    openModelDialog({ kind: "models", provider: reply.provider.name, note: connectedWords(reply) });
  };
  const cancel = () => {
    stop.abort();
    setBusy(false);
    form.querySelector<HTMLElement>("button[type=submit]")?.focus();
  };
  const keys = () => props.provider?.keys ?? [];
  /** What is left out stays as it is. */
  const isKnown = ({ name, is_secret: isSecret }: ProviderField) =>
    isSecret ? keys().length > 0 : name === "address" && typeof props.provider?.address === "string";
  return (
    <>
      <Show when={props.provider}>
        {(known) => (
          <p class="soft">
            {isOnlyKeyMissing(known())
              ? "The key is tried before it is kept, and never comes back here."
              : known().why}
            <Show when={known().key_page}>
              {(page) => (
                <>
                  {" "}
                  <a href={page()} target="_blank" rel="noreferrer">
                    Make a key
                  </a>
                </>
              )}
            </Show>
          </p>
        )}
      </Show>
      <Show when={props.provider?.has_device_login === true && props.provider}>
        {(known) => <DeviceLogin provider={known()} />}
      </Show>
      <form
        class="connect-form column"
        ref={form}
        autocomplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy()) void connect();
        }}
      >
        <For each={shown()}>
          {(field: ProviderField) => (
            <ConnectField
              field={field}
              isMissing={field.is_needed && !isKnown(field)}
              placeholder={field.name === "address" ? (props.provider?.address ?? undefined) : undefined}
              fault={place() === field.name ? fault() : undefined}
              onType={() => place() === field.name && setFault(undefined)}
            />
          )}
        </For>
        <Show when={keys().some(isForgettable)}>
          <label class="model-reach-choice">
            <input
              type="checkbox"
              checked={isAdded()}
              onChange={(event) => setAdded(event.currentTarget.checked)}
            />
            Another key, to take turns with what is there
          </label>
        </Show>
        <Show when={place() === undefined && fault()}>
          {(refusal) => (
            <div class="connect-refusal models-fault" role="alert" tabIndex={-1}>
              <p>{refusal().message}</p>
              <p>{refusal().suggestion}</p>
            </div>
          )}
        </Show>
        <div class="connect-foot cluster">
          <p class="quiet grow" role="status">
            <Show when={isBusy()}>
              Asking {props.provider === undefined ? "it" : titleOf(props.provider)} …
            </Show>
          </p>
          <Show when={isBusy()}>
            <Button onPress={cancel}>Cancel</Button>
          </Show>
          <button type="submit" class="button primary" aria-disabled={isBusy()}>
            Connect
          </button>
        </div>
      </form>
      <Show when={props.provider}>
        {(known) => <ProviderKeys provider={known()} onEmpty={() => form.querySelector("input")?.focus()} />}
      </Show>
    </>
  );
}
