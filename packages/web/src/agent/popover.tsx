// A button with a panel that opens beside it. Escape and whatever happens outside close it; the focus goes back to the button.

import { createEffect, createSignal, createUniqueId, type JSX, onCleanup, Show } from "solid-js";
import "./popover.css";

export interface PopoverControl {
  open(): void;
  close(): void;
}

export function Popover(props: {
  /** What the panel is for. */
  readonly label: string;
  readonly class?: string;
  readonly title?: string;
  readonly side: "above" | "below";
  readonly button: JSX.Element;
  readonly control?: (control: PopoverControl) => void;
  readonly children: (close: () => void) => JSX.Element;
}) {
  const id = createUniqueId();
  const [isOpen, setOpen] = createSignal(false);
  let button!: HTMLButtonElement;
  let panel: HTMLDivElement | undefined;
  const close = () => {
    if (!isOpen()) return;
    const wasInside = panel?.contains(document.activeElement) === true;
    setOpen(false);
    if (wasInside) button.focus();
  };
  props.control?.({ open: () => setOpen(true), close });
  createEffect(() => {
    if (!isOpen()) return;
    (panel?.querySelector<HTMLElement>("input, button, a") ?? panel)?.focus();
    const onOutside = (event: Event) => {
      const { target } = event;
      if (target instanceof Node && (panel?.contains(target) === true || button.contains(target))) return;
      setOpen(false);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      close();
    };
    const open = new AbortController();
    const { signal } = open;
    addEventListener("pointerdown", onOutside, { capture: true, signal });
    addEventListener("focusin", onOutside, { signal });
    addEventListener("keydown", onKey, { capture: true, signal });
    onCleanup(() => open.abort());
  });
  return (
    <>
      <button
        type="button"
        ref={button}
        class={props.class ?? "icon-button"}
        aria-label={props.label}
        title={props.title ?? props.label}
        aria-haspopup="dialog"
        aria-expanded={isOpen()}
        aria-controls={id}
        onClick={() => (isOpen() ? close() : setOpen(true))}
      >
        {props.button}
      </button>
      <Show when={isOpen()}>
        <div
          id={id}
          ref={panel}
          class={`popover floating column ${props.side}`}
          role="dialog"
          aria-label={props.label}
          tabIndex={-1}
        >
          {props.children(close)}
        </div>
      </Show>
    </>
  );
}
