// A message in Markdown. While it is being said, it is made anew a few times a second, and of it only what changed; letters
// that come in between are put at the end as they are.

import { visible } from "@stet/protocol/visible";
import { createEffect, createSignal, onCleanup, untrack } from "solid-js";
import { useWorkbench } from "../workspace/workbench.ts";
import type { MarkdownBlock } from "./markdown.ts";
import "./markdown-view.css";

type Renderer = typeof import("./markdown.ts");

const [renderer, setRenderer] = createSignal<Renderer | undefined>();
let isLoading = false;

export function loadMarkdown(): void {
  if (isLoading) return;
  isLoading = true;
  void import("./markdown.ts").then(
    (loaded) => setRenderer(loaded),
    () => {
      // Plain text stays readable; the next message tries again.
      isLoading = false;
    },
  );
}

const redrawMs = 200;

export function MarkdownView(props: { readonly text: string; readonly isStreaming: boolean }) {
  const workbench = useWorkbench();
  loadMarkdown();
  let place!: HTMLDivElement;
  let shown: { readonly block: MarkdownBlock; readonly element: HTMLElement }[] = [];
  let drawn = "";
  let drawnAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tail = document.createTextNode("");

  const draw = (text: string) => {
    clearTimeout(timer);
    timer = undefined;
    drawnAt = performance.now();
    const made = untrack(renderer);
    if (made === undefined) {
      place.textContent = visible(text);
      return;
    }
    if (shown.length === 0) place.replaceChildren();
    tail.remove();
    drawn = text;
    const blocks = made.blocksOf(visible(text));
    const firstNew = blocks.findIndex((block, index) => shown[index]?.block.raw !== block.raw);
    const kept = firstNew < 0 ? blocks.length : firstNew;
    for (const { element } of shown.splice(kept)) element.remove();
    for (const block of blocks.slice(kept)) {
      const element = document.createElement("div");
      element.className = "markdown-block";
      element.append(block.make());
      place.append(element);
      shown.push({ block, element });
    }
  };

  /** Only at the end of a paragraph: elsewhere a letter may mean something. */
  const addTail = (text: string) => {
    const last = shown.at(-1);
    if (last?.block.isParagraph !== true || !text.startsWith(drawn)) return;
    tail.data = visible(text.slice(drawn.length));
    if (!tail.isConnected) (last.element.firstElementChild ?? last.element).append(tail);
  };

  createEffect(() => {
    const { text, isStreaming } = props;
    if (renderer() === undefined || !isStreaming) return draw(text);
    const wait = drawnAt + redrawMs - performance.now();
    if (wait <= 0) return draw(text);
    addTail(text);
    timer ??= setTimeout(() => draw(untrack(() => props.text)), wait);
  });
  onCleanup(() => {
    clearTimeout(timer);
    shown = [];
  });

  const openFile = (event: Event) => {
    const path = event.target instanceof Element ? event.target.closest("[data-file]") : null;
    const name = path?.getAttribute("data-file");
    if (name === null || name === undefined) return;
    if (event instanceof KeyboardEvent && event.key !== "Enter") return;
    event.preventDefault();
    void workbench.openFile(name);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the links inside are what is used.
    <div class="markdown" ref={place} onClick={openFile} onKeyDown={openFile} />
  );
}
