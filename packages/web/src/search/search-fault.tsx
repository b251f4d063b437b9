// Why a search could not be carried out, and what to do.

import type { Fault } from "@stet/protocol/fault";
import { Show } from "solid-js";

export function SearchFault(props: { readonly fault: Fault | undefined }) {
  return (
    <Show when={props.fault}>
      {(shown) => (
        <p class="search-fault" role="alert">
          {shown().message} {shown().suggestion}
        </p>
      )}
    </Show>
  );
}
