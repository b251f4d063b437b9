// A field for the name of a file, where it will stand. Enter takes it, Escape leaves it; a refusal is said right below.

import { type Fault, isFault } from "@stet/protocol/fault";
import { createSignal, createUniqueId, onMount, Show } from "solid-js";

export function NameField(props: {
  readonly label: string;
  readonly value: string;
  /** Of the row of a tree whose name it is. */
  readonly level?: number;
  /** Which part of the value is selected at first. */
  readonly selected: readonly [number, number];
  readonly onTake: (name: string) => Promise<Fault | undefined>;
  /** Also after the name was taken. */
  readonly onLeave: () => void;
}) {
  const id = createUniqueId();
  const [refusal, setRefusal] = createSignal<Fault | undefined>();
  let field!: HTMLInputElement;
  let isBusy = false;
  let isOver = false;
  onMount(() => {
    field.focus();
    field.setSelectionRange(props.selected[0], props.selected[1]);
  });
  const leave = () => {
    if (isOver) return;
    isOver = true;
    props.onLeave();
  };
  const take = async () => {
    const name = field.value.trim();
    if (isBusy || isOver) return;
    if (name === "" || name === props.value) {
      leave();
      return;
    }
    isBusy = true;
    const refused = await props.onTake(name);
    isBusy = false;
    if (!isFault(refused)) leave();
    else if (!isOver) {
      setRefusal(refused);
      field.focus();
    }
  };
  return (
    <div class="name-field" style={{ "padding-inline-start": startOf(props.level) }}>
      <input
        class="field"
        ref={field}
        value={props.value}
        autocomplete="off"
        spellcheck={false}
        aria-label={props.label}
        aria-invalid={refusal() !== undefined}
        aria-describedby={refusal() === undefined ? undefined : id}
        onInput={() => setRefusal(undefined)}
        onBlur={() => {
          if (refusal() === undefined) void take();
          else leave();
        }}
        onClick={(event) => event.stopPropagation()}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === "Enter") void take();
          else if (event.key === "Escape") leave();
        }}
      />
      <Show when={refusal()}>
        {(fault) => (
          <p class="name-refusal" id={id} role="alert">
            {fault().message} {fault().suggestion}
          </p>
        )}
      </Show>
    </div>
  );
}

/** As far in as the icon of the row. */
function startOf(level: number | undefined): string | undefined {
  return level === undefined ? undefined : `${0.875 + level * 0.875}rem`;
}
