// The open changes of one document against what is decided, in a tab of their own.

import { isFault } from "@stet/protocol/fault";
import ChevronDownIcon from "lucide-solid/icons/chevron-down";
import ChevronUpIcon from "lucide-solid/icons/chevron-up";
import {
  createEffect,
  createMemo,
  createResource,
  createSignal,
  For,
  on,
  onCleanup,
  onMount,
  Show,
} from "solid-js";
import { always, commandsOf } from "../app/commands.ts";
import { plural } from "../status/word-count.ts";
import { Button, CommandButton } from "../ui/button.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import { decisionsOf } from "./decisions.ts";
import { type Sides, sidesOf } from "./diff-sides.ts";
import { type OpenDiff, showMerge } from "./merge-editors.ts";
import "./diff-view.css";

const styles = [
  ["split", "Side by side"],
  ["unified", "In one column"],
] as const;

/** Pixels. In less than that, two texts beside each other have a few words a line. */
const leastForTwo = 520;

export function DiffView(props: { readonly document: number }) {
  const workbench = useWorkbench();
  const reviews = decisionsOf(workbench);
  let place!: HTMLDivElement;
  const [shown, setShown] = createSignal<OpenDiff>();
  const [document] = createResource(
    () => props.document,
    async (id) => {
      const loaded = await workbench.documents.get(id);
      if (!isFault(loaded)) return loaded;
      workbench.refuse(loaded);
      return undefined;
    },
  );
  const sides = createMemo(
    (): Sides | undefined => {
      const open = document();
      const review = reviews.of(props.document);
      if (open === undefined || review === undefined) return undefined;
      open.changes();
      return sidesOf(open.state.doc, review.placed().hunks);
    },
    undefined,
    { equals: (one, other) => one?.before === other?.before && one?.after === other?.after },
  );
  let view!: HTMLDivElement;
  const [isNarrow, setNarrow] = createSignal(false);
  onMount(() => {
    const measure = () => setNarrow(view.clientWidth < leastForTwo);
    // An observer is first called after a frame has been painted, in two columns.
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(view);
    onCleanup(() => observer.disconnect());
  });
  const shownStyle = createMemo(() => (isNarrow() ? "unified" : workbench.layout.state.diffStyle));
  createEffect(
    on([sides, shownStyle], ([now, style]) => {
      if (now === undefined) return;
      const scrolled = shown() === undefined ? undefined : place.scrollTop;
      let isOver = false;
      let made: OpenDiff | undefined;
      const name = document()?.name ?? "";
      void showMerge(place, { sides: now, style, name }).then((diff) => {
        made = diff;
        if (isOver) diff.destroy();
        else {
          if (scrolled === undefined) diff.showFirst();
          else place.scrollTop = scrolled;
          setShown(diff);
        }
      });
      onCleanup(() => {
        isOver = true;
        made?.destroy();
      });
    }),
  );
  const command = commandsOf("Review");
  workbench.commands.use(
    command("diff.next", "Go to the next difference", "F7", always, () => shown()?.go(1)),
    command("diff.previous", "Go to the previous difference", "Shift-F7", always, () => shown()?.go(-1)),
  );
  const isSame = () => {
    const now = sides();
    return now !== undefined && now.before === now.after;
  };
  return (
    <div class="diff-view column" ref={view}>
      <div class="review-strip divided">
        <p class="review-strip-count ellipsis" aria-live="polite">
          <Show when={!isSame()} fallback="Nothing is open in this document.">
            {plural(shown()?.count ?? 0, "difference")}
          </Show>
        </p>
        <div class="review-strip-tools row">
          <CommandButton icon={ChevronUpIcon} label="Previous difference" command="diff.previous" />
          <CommandButton icon={ChevronDownIcon} label="Next difference" command="diff.next" />
          <Show when={!isNarrow()}>
            <For each={styles}>
              {([style, label]) => (
                <Button
                  small
                  class="diff-style"
                  aria-pressed={workbench.layout.state.diffStyle === style}
                  onPress={() => workbench.layout.set({ diffStyle: style })}
                >
                  {label}
                </Button>
              )}
            </For>
          </Show>
          <Button small onPress={() => workbench.openDocument(props.document)}>
            Open document
          </Button>
        </div>
      </div>
      <Show when={shownStyle() === "split"}>
        <div class="diff-captions divided aside" aria-hidden="true">
          <span>Before the open changes</span>
          <span>With the open changes</span>
        </div>
      </Show>
      <div class="diff-place fill" ref={place} />
    </div>
  );
}
