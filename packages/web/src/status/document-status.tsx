// What there is to say of the document in front: where the cursor is, how long it is, what it is.

import type { ListedTab } from "@stet/protocol/api/tabs";
import { createEffect, createMemo, createSignal, on, onCleanup, onMount, Show } from "solid-js";
import type { OpenDocument } from "../editor/open-document.ts";
import { openPalette } from "../palette/palette-state.ts";
import { BareButton } from "../ui/button.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import { cursorWords } from "./cursor-words.ts";
import { countWords, maxCounted, plural } from "./word-count.ts";

const countAfterMs = 500;
const prose = new Set(["markdown", "txt"]);

export function DocumentStatus(props: { readonly tab: ListedTab }) {
  const workbench = useWorkbench();
  const [document, setDocument] = createSignal<OpenDocument | undefined>();
  const [moves, setMoves] = createSignal(0);
  const [words, setWords] = createSignal<number | undefined>();
  createEffect(
    on(
      () => props.tab.document,
      (id) => {
        let isOver = false;
        onCleanup(() => {
          isOver = true;
        });
        setDocument(undefined);
        void workbench.documents.get(id).then((loaded) => {
          if (!isOver && "state" in loaded) setDocument(loaded);
        });
      },
    ),
  );
  onMount(() => {
    let isPlanned = false;
    // The editor takes the selection over first.
    const onSelection = () => {
      if (isPlanned) return;
      isPlanned = true;
      requestAnimationFrame(() => {
        isPlanned = false;
        setMoves((count) => count + 1);
      });
    };
    globalThis.document.addEventListener("selectionchange", onSelection);
    onCleanup(() => globalThis.document.removeEventListener("selectionchange", onSelection));
  });
  const cursor = createMemo(() => {
    moves();
    document()?.changes();
    const state = document()?.state;
    return state === undefined ? undefined : cursorWords(state);
  });
  createEffect(() => {
    const open = document();
    open?.changes();
    if (open === undefined || !prose.has(props.tab.file_type)) {
      setWords(undefined);
      return;
    }
    let stop = () => {};
    const timer = setTimeout(() => {
      const { doc } = open.state;
      if (doc.length > maxCounted) setWords(undefined);
      else stop = countWords(doc, setWords);
    }, countAfterMs);
    onCleanup(() => {
      clearTimeout(timer);
      stop();
    });
  });
  return (
    <>
      <Show when={cursor()}>
        {(place) => (
          <>
            <Show when={place().selected}>
              <span class="status-text chip">{place().selected}</span>
            </Show>
            <BareButton
              class="status-button chip"
              title="Go to a line"
              aria-label={`${place().line}:${place().column}, line ${place().line}, column ${place().column}. Go to a line`}
              onPress={() => openPalette(":")}
            >
              {place().line}:{place().column}
            </BareButton>
          </>
        )}
      </Show>
      <Show when={words() !== undefined}>
        <span class="status-text chip status-words">{plural(words() ?? 0, "word")}</span>
      </Show>
      <span class="status-text chip status-type">{typeName(props.tab.file_type)}</span>
    </>
  );
}

const typeNames: Readonly<Record<string, string>> = {
  markdown: "Markdown",
  txt: "Text",
  json: "JSON",
  yaml: "YAML",
  ts: "TypeScript",
  tsx: "TypeScript",
  js: "JavaScript",
  jsx: "JavaScript",
  py: "Python",
  html: "HTML",
  css: "CSS",
  rs: "Rust",
  go: "Go",
};

function typeName(type: string): string {
  return typeNames[type] ?? type.toUpperCase();
}
