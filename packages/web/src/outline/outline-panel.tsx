// The structure of the document in front. The tree has the focus as a whole and names the row that is meant.

import ChevronIcon from "lucide-solid/icons/chevron-right";
import { createEffect, createMemo, createSignal, on, Show } from "solid-js";
import { Virtualizer, type VirtualizerHandle } from "virtua/solid";
import { Field } from "../ui/field.tsx";
import { treeStep } from "../ui/tree-keys.ts";
import { useWorkbench } from "../workspace/workbench.ts";
import { outlineSource } from "./outline-source.ts";
import { type OutlineRow, outlineRows, rowAtLine } from "./outline-tree.ts";
import "./outline-panel.css";

export function OutlinePanel() {
  const workbench = useWorkbench();
  const { document: shown, items } = outlineSource(workbench);
  const [filter, setFilter] = createSignal("");
  const [folded, setFolded] = createSignal<ReadonlySet<string>>(new Set());
  const [active, setActive] = createSignal<string>();
  let tree: HTMLDivElement | undefined;
  let scroller: VirtualizerHandle | undefined;

  const rows = createMemo(() => outlineRows(items() ?? [], folded(), filter()));
  const here = createMemo(() => rowAtLine(rows(), shown()?.cursorLine() ?? 1));
  const activeIndex = createMemo(() => {
    const index = rows().findIndex(({ key }) => key === active());
    return index < 0 ? here() : index;
  });
  const isEmpty = () => items()?.length === 0;

  const moveTo = (index: number) => {
    const row = rows()[index];
    if (row === undefined) return;
    setActive(row.key);
    scroller?.scrollToIndex(index, { align: "nearest" });
  };
  // The cursor in the text leads; a filter shows what it found from the top.
  createEffect(
    on(here, (index) => {
      if (filter() !== "" || index < 0) return;
      setActive(rows()[index]?.key);
      queueMicrotask(() => scroller?.scrollToIndex(index, { align: "nearest" }));
    }),
  );
  const fold = (row: OutlineRow, isFolded: boolean) => {
    const keys = new Set(folded());
    if (isFolded) keys.add(row.key);
    else keys.delete(row.key);
    setFolded(keys);
    setActive(row.key);
  };
  const jump = (row: OutlineRow) => {
    setActive(row.key);
    shown()?.reveal(row.line);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = treeStep(rows(), activeIndex(), event.key);
    const row = rows()[activeIndex()];
    if (step === undefined) return;
    event.preventDefault();
    if (step.do === "move") moveTo(step.to);
    else if (row === undefined) return;
    else if (step.do === "press") jump(row);
    else fold(row, step.do === "close");
  };
  const onFilterKey = (event: KeyboardEvent) => {
    const [first] = rows();
    if (event.key === "Enter" && first !== undefined) jump(rows().find(fitsFilter) ?? first);
    else if (event.key === "ArrowDown") tree?.focus();
    else if (event.key === "Escape" && filter() !== "") setFilter("");
    else return;
    event.preventDefault();
  };
  const fitsFilter = ({ title }: OutlineRow) => title.toLowerCase().includes(filter().trim().toLowerCase());

  return (
    <section class="panel outline">
      <div class="panel-head">
        <h2>Outline</h2>
      </div>
      <Show when={!isEmpty() && items() !== undefined}>
        <div class="outline-filter">
          <Field
            type="search"
            placeholder="Filter"
            label="Filter the outline"
            value={filter()}
            onType={setFilter}
            onKeyDown={onFilterKey}
          />
        </div>
      </Show>
      <Show when={shown() === undefined && workbench.activeTab() === undefined}>
        <p class="empty-note">Open a document to see its chapters, headings or keys here.</p>
      </Show>
      <Show when={isEmpty()}>
        <p class="empty-note">This text has no chapters, headings or keys.</p>
      </Show>
      <Show when={rows().length === 0 && filter() !== "" && !isEmpty()}>
        <p class="empty-note">Nothing in the outline fits.</p>
      </Show>
      <Show when={rows().length > 0}>
        <div
          class="panel-body outline-tree ring-inside"
          role="tree"
          aria-label="Outline"
          tabIndex={0}
          aria-activedescendant={activeIndex() < 0 ? undefined : idOf(activeIndex())}
          ref={tree}
          onKeyDown={onKeyDown}
        >
          <Virtualizer
            ref={(handle) => {
              scroller = handle;
            }}
            data={rows()}
            itemSize={28}
            keepMounted={activeIndex() < 0 ? [] : [activeIndex()]}
          >
            {(row, index) => (
              <OutlineRowView
                row={row}
                id={idOf(index())}
                isActive={index() === activeIndex()}
                isHere={index() === here()}
                onJump={() => jump(row)}
                onFold={() => fold(row, row.isOpen === true)}
              />
            )}
          </Virtualizer>
        </div>
      </Show>
    </section>
  );
}

function idOf(index: number): string {
  return `outline-${index}`;
}

interface RowProps {
  readonly row: OutlineRow;
  readonly id: string;
  readonly isActive: boolean;
  readonly isHere: boolean;
  readonly onJump: () => void;
  readonly onFold: () => void;
}

/** The tree has the keyboard; a row is only pressed. */
function OutlineRowView(props: RowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it has the keyboard
    // biome-ignore lint/a11y/useFocusableInteractive: the tree around it has the focus and names the row
    <div
      class="outline-row hovers"
      classList={{ active: props.isActive, here: props.isHere }}
      id={props.id}
      role="treeitem"
      aria-level={props.row.level + 1}
      aria-expanded={props.row.isOpen}
      aria-selected={props.isActive}
      aria-current={props.isHere ? "location" : undefined}
      title={props.row.title}
      style={{ "padding-inline-start": `${0.25 + props.row.level * 0.875}rem` }}
      onClick={() => props.onJump()}
    >
      <span
        class="outline-fold faint"
        classList={{ open: props.row.isOpen === true }}
        aria-hidden="true"
        onClick={(event) => {
          if (props.row.isOpen === undefined) return;
          event.stopPropagation();
          props.onFold();
        }}
      >
        <Show when={props.row.isOpen !== undefined}>
          <ChevronIcon size={14} />
        </Show>
      </span>
      <span class="outline-title ellipsis">{props.row.title}</span>
    </div>
  );
}
