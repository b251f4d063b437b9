// What is open, side by side. The bar is one stop for the keyboard; arrows go through it, Enter brings to the front, and the
// focus goes into the text.
//
// The small button that closes a tab is for the mouse: inside a list of tabs there can be nothing but tabs. By keyboard it
// is Delete, or the menu.

import ListIcon from "lucide-solid/icons/chevron-down";
import NewIcon from "lucide-solid/icons/plus";
import XIcon from "lucide-solid/icons/x";
import { createEffect, createMemo, createSignal, For, on, onCleanup, onMount, Show } from "solid-js";
import { BareButton, CommandButton, IconButton } from "../ui/button.tsx";
import { toggleMenu } from "../ui/menu.ts";
import { viewKey } from "../views/views.ts";
import { useWorkbench } from "../workspace/workbench.ts";
import {
  addTabCommands,
  closeView,
  moveTab,
  type OpenView,
  openViews,
  showTabMenu,
  showView,
} from "./open-views.ts";
import "./tab-bar.css";

export function TabBar() {
  const workbench = useWorkbench();
  const views = createMemo(() => openViews(workbench));
  const byKey = createMemo(() => new Map(views().map((open) => [open.key, open])));
  // A tab stays the same element, and so keeps the focus, whatever becomes of its document.
  const keys = createMemo(() => views().map(({ key }) => key), [], {
    equals: (one, other) => one.join("\n") === other.join("\n"),
  });
  const activeKey = () => {
    const view = workbench.views.active();
    return view === undefined ? undefined : viewKey(view);
  };
  const [dropBefore, setDropBefore] = createSignal<number | undefined>();
  let bar!: HTMLDivElement;
  let dragged: OpenView | undefined;
  addTabCommands(workbench);

  const tabElement = (key: string | undefined) =>
    key === undefined ? undefined : (document.getElementById(`tab-${key}`) ?? undefined);
  const showActive = () => {
    const place = tabElement(activeKey())?.parentElement;
    place?.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  createEffect(on([activeKey, views], showActive));
  onMount(() => {
    const watch = new ResizeObserver(showActive);
    watch.observe(bar);
    onCleanup(() => watch.disconnect());
  });

  const go = (from: OpenView, event: KeyboardEvent) => {
    const list = views();
    const at = list.findIndex(({ key }) => key === from.key);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: list.length - 1 }[event.key];
    const next = to === undefined ? undefined : list[(to + list.length) % list.length];
    const element = event.currentTarget;
    if (next !== undefined) tabElement(next.key)?.focus();
    else if (event.key === "Delete") {
      const neighbour = list[at + 1] ?? list[at - 1];
      void closeView(workbench, from).then(() => tabElement(neighbour?.key)?.focus());
    } else if (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)) {
      if (element instanceof Element) showTabMenu(workbench, from, element);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const press = (open: OpenView) => {
    if (open.key === activeKey()) document.querySelector<HTMLElement>(".stage .cm-content")?.focus();
    else showView(workbench, open.view);
  };
  const drop = () => {
    const before = dropBefore();
    setDropBefore(undefined);
    if (dragged !== undefined && before !== undefined) void moveTab(workbench, dragged, before);
    dragged = undefined;
  };

  return (
    <div class="tab-row divided">
      <div
        class="tab-bar grow"
        ref={bar}
        role="tablist"
        aria-label="Open documents"
        onWheel={(event) => {
          if (event.deltaX === 0) bar.scrollLeft += event.deltaY;
        }}
        onDragLeave={(event) => {
          if (!(event.relatedTarget instanceof Node && bar.contains(event.relatedTarget)))
            setDropBefore(undefined);
        }}
      >
        <For each={keys()}>
          {(key, index) => (
            <Show when={byKey().get(key)}>
              {(open) => (
                // biome-ignore lint/a11y/noStaticElementInteractions: the mouse drags and closes it; keys have the tab.
                <div
                  class="tab hovers soft"
                  role="presentation"
                  classList={{
                    active: activeKey() === open().key,
                    "drop-before": dropBefore() === index(),
                    "drop-after": dropBefore() === index() + 1 && index() + 1 === views().length,
                  }}
                  draggable={open().tab !== undefined}
                  onDragStart={(event) => {
                    dragged = open();
                    if (event.dataTransfer !== null) event.dataTransfer.effectAllowed = "move";
                  }}
                  onDragEnd={() => setDropBefore(undefined)}
                  onDragOver={(event) => {
                    if (dragged === undefined || open().tab === undefined) return;
                    event.preventDefault();
                    const { left, width } = event.currentTarget.getBoundingClientRect();
                    setDropBefore(index() + (event.clientX > left + width / 2 ? 1 : 0));
                  }}
                  onDrop={(event) => {
                    event.preventDefault();
                    drop();
                  }}
                  onAuxClick={(event) => {
                    if (event.button !== 1) return;
                    event.preventDefault();
                    void closeView(workbench, open());
                  }}
                  onContextMenu={(event) => {
                    event.preventDefault();
                    showTabMenu(workbench, open(), { x: event.clientX, y: event.clientY });
                  }}
                >
                  <BareButton
                    class="tab-title bar"
                    role="tab"
                    id={`tab-${open().key}`}
                    aria-selected={activeKey() === open().key}
                    aria-controls="stage"
                    tabIndex={activeKey() === open().key ? 0 : -1}
                    title={open().tab?.path ?? open().title}
                    onKeyDown={(event) => go(open(), event)}
                    onPress={() => press(open())}
                  >
                    <span class="tab-name ellipsis">{open().title}</span>
                    <Show when={open().folder}>
                      <span class="tab-folder quiet ellipsis">{open().folder}</span>
                    </Show>
                    <Show when={open().changes > 0}>
                      <span class="badge waiting" aria-hidden="true">
                        {open().changes}
                      </span>
                    </Show>
                    <span class="unseen">{open().marks}</span>
                  </BareButton>
                  <BareButton
                    class="tab-close faint"
                    classList={{ dirty: open().tab?.is_dirty === true }}
                    aria-hidden="true"
                    tabIndex={-1}
                    title="Close"
                    onPress={() => closeView(workbench, open())}
                  >
                    <XIcon size={14} />
                  </BareButton>
                </div>
              )}
            </Show>
          )}
        </For>
      </div>
      <div class="tab-tools">
        <CommandButton icon={NewIcon} label="New document" command="tab.new" />
        <Show when={views().length > 1}>
          <IconButton
            icon={ListIcon}
            label="List of tabs"
            aria-haspopup="menu"
            onPress={(event) =>
              toggleMenu({
                label: "Tabs",
                at: event.currentTarget,
                entries: views().map((open) => ({
                  label: open.label,
                  isChosen: open.key === activeKey(),
                  run: () => showView(workbench, open.view),
                })),
              })
            }
          />
        </Show>
      </div>
    </div>
  );
}
