// One of several things to choose from, in a popover.

import CheckIcon from "lucide-solid/icons/check";
import { Show } from "solid-js";
import { BareButton } from "../ui/button.tsx";

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
