// One value that connecting takes. A key is typed unseen, and no browser keeps it.

import type { Fault } from "@stet/protocol/fault";
import { createUniqueId, Show } from "solid-js";
import type { ProviderField } from "./fault-field.ts";

export function ConnectField(props: {
  readonly field: ProviderField;
  readonly isMissing: boolean;
  readonly placeholder: string | undefined;
  readonly fault: Fault | undefined;
  readonly onType: () => void;
}) {
  const id = createUniqueId();
  const { field } = props;
  /** What to do about a refused key is to type another one: the commands and settings for that are for other places. */
  const isGivenHere = (fault: Fault) => field.is_secret && fault.error === "model_failed";
  return (
    <div class="connect-field">
      <label for={id}>
        {field.label}
        <Show when={!field.is_needed}>
          <span class="quiet"> (if you need it)</span>
        </Show>
      </label>
      <input
        id={id}
        class="field"
        name={field.name}
        type={field.is_secret ? "password" : "text"}
        // Old entries are not filled in, and a password manager is not to take it for the person's own.
        autocomplete={field.is_secret ? "new-password" : "off"}
        data-1p-ignore
        data-lpignore="true"
        data-bwignore
        autocapitalize="none"
        spellcheck={false}
        maxLength={20_000}
        required={props.isMissing}
        placeholder={props.placeholder}
        aria-invalid={props.fault !== undefined}
        aria-describedby={`${id}-hint ${id}-fault`}
        onInput={() => props.onType()}
      />
      <p class="quiet" id={`${id}-hint`}>
        {field.hint}
      </p>
      <div id={`${id}-fault`} role="alert">
        <Show when={props.fault}>
          {(fault) => (
            <p class="models-fault">
              {fault().message} {isGivenHere(fault()) ? "" : fault().suggestion}
            </p>
          )}
        </Show>
      </div>
    </div>
  );
}
