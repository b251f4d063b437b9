// Models to choose from: a field that narrows them down, and a virtual list, since a gateway may have a thousand. The field
// keeps the focus and has the keys: arrows move, Enter chooses.

import StarIcon from "lucide-solid/icons/star";
import { createEffect, createMemo, createSignal, createUniqueId, type JSX, Show } from "solid-js";
import { Virtualizer, type VirtualizerHandle } from "virtua/solid";
import { MarkedText } from "../ui/marked-text.tsx";
import { candidates, type FoundRow, findRows, type ModelRow } from "./model-rows.ts";
import { factWords } from "./model-words.ts";
import "./model-list.css";

const rowHeight = 44;
const page = 6;

export function ModelList(props: {
  readonly rows: readonly ModelRow[];
  readonly current: string;
  readonly text: string;
  readonly onType: (text: string) => void;
  readonly onActive: (row: ModelRow | undefined) => void;
  readonly onChoose: (row: ModelRow) => void;
  readonly onFavourite: (row: ModelRow) => void;
  /** What Enter does where nothing fits. */
  readonly onEnter?: () => void;
  /** What is said below the list where nothing fits. */
  readonly empty: JSX.Element;
  /** What the field is described by. */
  readonly note?: string;
  readonly isInvalid?: boolean;
}) {
  const id = createUniqueId();
  let scroller: VirtualizerHandle | undefined;
  const known = createMemo(() => candidates(props.rows));
  const found = createMemo(() => findRows(props.text, known()));
  const [active, setActive] = createSignal(0);
  const at = () => Math.min(active(), Math.max(0, found().length - 1));
  createEffect(() => props.onActive(found()[at()]?.row));
  const move = (to: number) => {
    const count = found().length;
    if (count === 0) return;
    const index = (to + count) % count;
    setActive(index);
    scroller?.scrollToIndex(index, { align: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const last = found().length - 1;
    const to = {
      ArrowDown: at() + 1,
      ArrowUp: at() - 1,
      PageDown: Math.min(at() + page, last),
      PageUp: Math.max(at() - page, 0),
    }[event.key];
    if (to !== undefined) move(to);
    else if (event.key === "Enter") {
      const chosen = found()[at()]?.row;
      if (chosen === undefined) props.onEnter?.();
      else props.onChoose(chosen);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="models column">
      <input
        class="field"
        type="text"
        role="combobox"
        aria-label="Find a model"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={found().length > 0 ? `${id}-${at()}` : undefined}
        aria-describedby={props.note}
        aria-invalid={props.isInvalid === true}
        placeholder="Find a model, or type provider/name"
        autocomplete="off"
        spellcheck={false}
        value={props.text}
        onInput={(event) => {
          props.onType(event.currentTarget.value);
          setActive(0);
          scroller?.scrollTo(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div
        class="models-list"
        id={`${id}-list`}
        role="listbox"
        aria-label="Models"
        style={{ "--rows": found().length }}
      >
        <Virtualizer
          ref={(handle) => {
            scroller = handle;
          }}
          data={found()}
          itemSize={rowHeight}
          keepMounted={found().length > 0 ? [at()] : []}
        >
          {(item, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and the keys.
            <div
              class="models-row"
              classList={{ chosen: at() === index(), current: item.row.name === props.current }}
              id={`${id}-${index()}`}
              role="option"
              tabIndex={-1}
              aria-selected={at() === index()}
              title={item.row.name}
              onPointerMove={() => setActive(index())}
              onClick={() => props.onChoose(item.row)}
            >
              <Row item={item} isCurrent={item.row.name === props.current} onFavourite={props.onFavourite} />
            </div>
          )}
        </Virtualizer>
      </div>
      <p class="models-count unseen" role="status">
        {found().length === 1 ? "One model" : `${found().length} models`}
      </p>
      <Show when={found().length === 0}>{props.empty}</Show>
    </div>
  );
}

function Row(props: {
  readonly item: FoundRow;
  readonly isCurrent: boolean;
  readonly onFavourite: (row: ModelRow) => void;
}) {
  const row = () => props.item.row;
  const words = () => {
    const { facts, hindrance, isLocal, isReady } = row();
    if (!isReady) return hindrance;
    if (hindrance !== "") return "Not while only models of this machine answer.";
    return facts === undefined ? "Not in its provider's list." : factWords(facts, isLocal);
  };
  return (
    <>
      {/* For the pointer; by keyboard it is the button below the list. */}
      <span
        class="models-star"
        classList={{ on: row().isFavourite }}
        aria-hidden="true"
        title={row().isFavourite ? "No longer a favourite" : "Make it a favourite"}
        onClick={(event) => {
          event.stopPropagation();
          props.onFavourite(row());
        }}
      >
        <StarIcon size={14} fill={row().isFavourite ? "currentColor" : "none"} />
      </span>
      <span class="models-name ellipsis">
        <MarkedText text={row().label} marks={props.item.marks} />
      </span>
      <span class="models-provider quiet ellipsis">
        <Show when={row().isFavourite}>
          <span class="unseen">favourite, </span>
        </Show>
        {[
          row().isReady ? (props.isCurrent ? "answers now" : "") : "not ready",
          row().name === "practice" ? "" : row().provider,
        ]
          .filter((part) => part !== "")
          .join(" · ")}
      </span>
      <span class="models-facts quiet">{words()}</span>
    </>
  );
}
