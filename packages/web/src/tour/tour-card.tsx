// The tour's card and the ring around what it talks about. It takes no focus away from what the person does.

import XIcon from "lucide-solid/icons/x";
import { createEffect, createSignal, on, onCleanup, onMount, Show } from "solid-js";
import { Portal } from "solid-js/web";
import { Button, IconButton } from "../ui/button.tsx";
import { type Box, type CardPosition, cardPosition } from "./card-position.ts";
import { type StepId, stepCount, stepNumber } from "./tour-steps.ts";
import type { TourWords } from "./tour-words.ts";
import "./tour.css";

const lookAgainMs = 150;
const ringGap = 4;

export function TourCard(props: {
  readonly step: StepId;
  readonly words: TourWords;
  readonly onAct: () => void;
  readonly onShow: () => void;
  readonly onClose: () => void;
}) {
  let card!: HTMLElement;
  let button: HTMLButtonElement | undefined;
  const [place, setPlace] = createSignal<CardPosition>({ left: 12, top: 12 });
  const [ring, setRing] = createSignal<Box>();

  /** While it is pressed, the card stays where it is: a button that moves away under the pointer is not clicked. */
  let isPressed = false;
  const look = () => {
    if (isPressed) return;
    const target = boxOf(props.words.targets);
    const size = { width: card.offsetWidth, height: card.offsetHeight };
    const { surroundings } = props.words;
    const around = surroundings === undefined ? target : (boxOf([surroundings]) ?? target);
    const next = cardPosition(target, size, { width: innerWidth, height: innerHeight }, around);
    setPlace((known) => (known.left === next.left && known.top === next.top ? known : next));
    setRing((known) => (isSameBox(known, target) ? known : target));
  };
  const release = () => {
    isPressed = false;
  };
  onMount(() => {
    look();
    const timer = setInterval(look, lookAgainMs);
    addEventListener("resize", look);
    addEventListener("pointerup", release);
    addEventListener("pointercancel", release);
    if (props.step === "welcome") button?.focus();
    onCleanup(() => {
      clearInterval(timer);
      removeEventListener("resize", look);
      removeEventListener("pointerup", release);
      removeEventListener("pointercancel", release);
    });
  });
  const close = () => {
    const hadFocus = card.contains(document.activeElement);
    props.onClose();
    const stage = document.querySelector<HTMLElement>(".stage");
    if (hadFocus) (stage?.querySelector<HTMLElement>(".cm-content") ?? stage)?.focus();
  };
  // Whoever goes through it by the keyboard stays in the card; nobody else is moved into it.
  createEffect(
    on(
      () => props.step,
      () => {
        if (card.contains(document.activeElement) || document.activeElement === document.body)
          queueMicrotask(() => (button ?? card).focus());
        look();
      },
      { defer: true },
    ),
  );

  return (
    <Portal>
      <Show when={ring()}>
        {(box) => (
          <div
            class="tour-ring"
            aria-hidden="true"
            style={{
              left: `${box().left - ringGap}px`,
              top: `${box().top - ringGap}px`,
              width: `${box().width + 2 * ringGap}px`,
              height: `${box().height + 2 * ringGap}px`,
            }}
          />
        )}
      </Show>
      <section
        class="tour-card"
        ref={card}
        tabIndex={-1}
        aria-label="Tour"
        style={{ left: `${place().left}px`, top: `${place().top}px` }}
        onPointerDown={() => {
          isPressed = true;
        }}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation();
          close();
        }}
      >
        <div class="tour-head">
          <span class="tour-count quiet">
            Step {stepNumber(props.step)} of {stepCount}
          </span>
          <IconButton icon={XIcon} size={14} label="Close the tour" onPress={close} />
        </div>
        <div aria-live="polite" aria-atomic="true">
          <h2>{props.words.title}</h2>
          <p>{props.words.text}</p>
        </div>
        <div class="tour-actions">
          <Show when={props.words.canShow === true}>
            <Button onPress={() => props.onShow()}>Show me</Button>
          </Show>
          <Show when={props.words.action}>
            {(label) => (
              <Button
                classList={{ primary: props.words.isTheirs !== true }}
                ref={(element) => {
                  button = element;
                }}
                onPress={() => props.onAct()}
              >
                {label()}
              </Button>
            )}
          </Show>
        </div>
      </section>
    </Portal>
  );
}

/** Of the first that is there and can be seen. */
function boxOf(selectors: readonly string[]): Box | undefined {
  for (const selector of selectors) {
    for (const element of document.querySelectorAll(selector)) {
      const { left, top, width, height } = element.getBoundingClientRect();
      const isInside = left < innerWidth && top < innerHeight && left + width > 0 && top + height > 0;
      if (width > 0 && height > 0 && isInside) return { left, top, width, height };
    }
  }
  return undefined;
}

function isSameBox(one: Box | undefined, other: Box | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return (
    one.left === other.left &&
    one.top === other.top &&
    one.width === other.width &&
    one.height === other.height
  );
}
