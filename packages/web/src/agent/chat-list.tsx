// The conversation, from the oldest to the newest. Only what is in sight is in the page. It stays at the end as long as the
// person is there; whoever reads further up is left in peace and told that there is more.

import type { Item } from "@stet/client/items";
import ArrowDownIcon from "lucide-solid/icons/arrow-down";
import { createEffect, createSignal, on, onCleanup, Show } from "solid-js";
import { VList, type VListHandle } from "virtua/solid";
import { Button } from "../ui/button.tsx";
import type { Agent } from "./agent.ts";
import { ChatItem } from "./chat-item.tsx";

/** So close to the end counts as there. */
const nearEnd = 24;
/** How long after a person's hand moved, what scrolls is its doing. */
const handMs = 500;
/** Older ones are loaded before they are needed. */
const nearStart = 600;

export function ChatList(props: { readonly agent: Agent }) {
  const { agent } = props;
  let place!: HTMLDivElement;
  let list: VListHandle | undefined;
  let isWanted = false;
  const [isAtEnd, setAtEnd] = createSignal(true);
  const [isPrepending, setPrepending] = createSignal(false);
  const [hasNew, setNew] = createSignal(false);

  const toEnd = () => {
    if (isWanted) return;
    isWanted = true;
    requestAnimationFrame(() => {
      isWanted = false;
      // Not by the list's own way there: that goes on until everything is measured, also after a hand has moved away.
      const log = place.querySelector(".chat-list");
      if (isAtEnd() && log !== null) log.scrollTop = log.scrollHeight;
    });
  };
  let handled = Number.NEGATIVE_INFINITY;
  let seen = 0;
  const onHand = (event: Event) => {
    if (mayScroll(event)) handled = performance.now();
  };
  /** Only a person's hand leaves the end: what grows, shrinks or is measured anew moves nobody away from it. */
  const look = () => {
    if (list === undefined) return;
    const { scrollOffset: offset, scrollSize, viewportSize } = list;
    const isThere = offset + viewportSize >= scrollSize - nearEnd;
    const isByHand = performance.now() - handled < handMs;
    if (!isThere && isByHand) setAtEnd(false);
    if (isThere && (!isByHand || offset >= seen)) {
      setAtEnd(true);
      setNew(false);
    }
    seen = offset;
    if (offset < nearStart && agent.state.hasMore) void loadOlder();
  };
  const loadOlder = async () => {
    setPrepending(true);
    await agent.loadOlder();
    requestAnimationFrame(() => setPrepending(false));
  };
  const onWheel = ({ deltaY }: WheelEvent) => {
    handled = performance.now();
    if (deltaY < 0 && (list?.scrollOffset ?? 0) > 0) setAtEnd(false);
  };
  createEffect(
    on(agent.items, (items, before) => {
      if (isAtEnd()) toEnd();
      else if (before !== undefined && items.at(-1)?.key !== before.at(-1)?.key && isNews(items.at(-1)))
        setNew(true);
    }),
  );
  // What the person says is always shown.
  createEffect(
    on(
      () => agent.state.pending,
      (pending) => {
        if (pending === null) return;
        setAtEnd(true);
        toEnd();
      },
    ),
  );
  onCleanup(() => {
    list = undefined;
  });
  return (
    <div class="chat fill" ref={place}>
      <VList
        ref={(handle) => {
          list = handle;
        }}
        class="chat-list ring-inside"
        role="log"
        aria-live="off"
        aria-label="Conversation"
        tabIndex={0}
        data={agent.items()}
        shift={isPrepending()}
        onScroll={look}
        onResize={() => isAtEnd() && toEnd()}
        onWheel={onWheel}
        onKeyDown={onHand}
        onPointerDown={onHand}
        onPointerMove={(event: PointerEvent) => event.buttons !== 0 && onHand(event)}
        onTouchMove={onHand}
      >
        {(item) => (
          <div class="chat-row">
            <ChatItem item={item} />
          </div>
        )}
      </VList>
      <Show when={!isAtEnd()}>
        <Button
          small
          class="chat-to-end"
          onPress={() => {
            setAtEnd(true);
            setNew(false);
            toEnd();
          }}
        >
          <ArrowDownIcon size={14} aria-hidden="true" />
          {hasNew() ? "New messages" : "To the end"}
        </Button>
      </Show>
    </div>
  );
}

/** One's own words and decisions are none. */
function isNews(item: Item | undefined): boolean {
  return item !== undefined && item.kind !== "user" && item.kind !== "decision";
}

const controls = "button, summary, input, a";
const scrollingKeys = ["ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End", "Tab"];

/** Whoever presses a button is not on the way to somewhere else, although what they press may grow or go. */
function mayScroll(event: Event): boolean {
  const isControl = event.target instanceof Element && event.target.closest(controls) !== null;
  return !isControl || (event instanceof KeyboardEvent && scrollingKeys.includes(event.key));
}
