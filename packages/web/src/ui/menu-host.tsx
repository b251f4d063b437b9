// Where a menu appears. Arrows, Home, End and letters move, Enter chooses, Escape and Tab leave, and the focus goes back to
// where it was.

import { For, onCleanup, onMount, Show } from "solid-js";
import { BareButton } from "./button.tsx";
import { closeMenu, type MenuItem, type MenuRequest, placeOf, shownMenu } from "./menu.ts";
import "./menu.css";

export function MenuHost() {
  return (
    <Show when={shownMenu()} keyed>
      {(request) => <OpenMenu request={request} />}
    </Show>
  );
}

function OpenMenu(props: { readonly request: MenuRequest }) {
  let element!: HTMLDivElement;
  const before = document.activeElement;
  const items = () =>
    [...element.querySelectorAll<HTMLButtonElement>("button")].filter((item) => !item.disabled);

  const leave = () => {
    closeMenu();
    if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
  };
  const choose = (item: MenuItem) => {
    leave();
    void item.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const list = items();
    const at = list.indexOf(document.activeElement as HTMLButtonElement);
    const next = nextItem(event, list, at);
    if (next !== undefined) list[next]?.focus();
    else if (event.key === "Escape" || event.key === "Tab") leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onPointerDown = (event: PointerEvent) => {
    const { at } = props.request;
    const isOpener = at instanceof Element && event.target instanceof Node && at.contains(event.target);
    if (event.target instanceof Node && !element.contains(event.target) && !isOpener) closeMenu();
  };
  onMount(() => {
    const { at } = props.request;
    const place =
      at instanceof Element ? at.getBoundingClientRect() : { left: at.x, top: at.y, bottom: at.y };
    const { left, top } = placeOf(place, element.getBoundingClientRect(), {
      width: innerWidth,
      height: innerHeight,
    });
    element.style.left = `${left}px`;
    element.style.top = `${top}px`;
    (items().find((item) => item.getAttribute("aria-checked") === "true") ?? items()[0])?.focus();
    addEventListener("pointerdown", onPointerDown, { capture: true });
    addEventListener("resize", closeMenu);
    addEventListener("blur", closeMenu);
  });
  onCleanup(() => {
    removeEventListener("pointerdown", onPointerDown, { capture: true });
    removeEventListener("resize", closeMenu);
    removeEventListener("blur", closeMenu);
  });
  return (
    <div
      class="menu card"
      role="menu"
      tabIndex={-1}
      ref={element}
      aria-label={props.request.label}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => event.preventDefault()}
    >
      <For each={props.request.entries}>
        {(entry) =>
          entry === "line" ? (
            <hr class="menu-line" />
          ) : (
            <BareButton
              class="menu-item stretched"
              classList={{ danger: entry.isDangerous === true }}
              {...(entry.isChosen === undefined
                ? { role: "menuitem" }
                : { role: "menuitemradio", "aria-checked": entry.isChosen })}
              tabIndex={-1}
              disabled={entry.isDisabled === true}
              onPress={() => choose(entry)}
            >
              <span class="menu-check" aria-hidden="true">
                {entry.isChosen === true ? "✓" : ""}
              </span>
              <span class="menu-label grow">{entry.label}</span>
              <Show when={entry.hint}>
                <span class="menu-hint quiet">{entry.hint}</span>
              </Show>
            </BareButton>
          )
        }
      </For>
    </div>
  );
}

function nextItem(event: KeyboardEvent, list: readonly HTMLButtonElement[], at: number): number | undefined {
  const count = list.length;
  if (count === 0) return undefined;
  switch (event.key) {
    case "ArrowDown":
      return (at + 1) % count;
    case "ArrowUp":
      return (at - 1 + count) % count;
    case "Home":
      return 0;
    case "End":
      return count - 1;
  }
  if (event.key.length !== 1 || event.key === " " || event.ctrlKey || event.metaKey || event.altKey) {
    return undefined;
  }
  const wanted = event.key.toLowerCase();
  for (let step = 1; step <= count; step += 1) {
    const index = (at + step) % count;
    const label = list[index]?.querySelector(".menu-label")?.textContent ?? "";
    if (label.toLowerCase().startsWith(wanted)) return index;
  }
  return undefined;
}
