// The tab of a document.

import { detailsOf, type Fault, isFault } from "@stet/protocol/fault";
import { createEffect, createSignal, on, onCleanup, Show } from "solid-js";
import { mayTakeFocus } from "../app/asked-focus.ts";
import { ReviewBar } from "../review/review-bar.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import { DocumentStrips } from "./document-strips.tsx";
import { useEditorCommands } from "./editor-commands.ts";
import type { OpenDocument } from "./open-document.ts";
import "./document-view.css";
import "./find-panel.css";

export function DocumentView(props: { readonly document: number }) {
  const workbench = useWorkbench();
  const [shown, setShown] = createSignal<OpenDocument>();
  const [refusal, setRefusal] = createSignal<string>();
  let place!: HTMLDivElement;
  useEditorCommands(workbench, shown);
  createEffect(
    on(
      () => props.document,
      (id) => {
        let isOver = false;
        setRefusal(undefined);
        void workbench.documents.get(id).then((document) => {
          if (isOver) return;
          if (isFault(document)) {
            setRefusal(whyNotShown(document, workbench.activeTab()?.title ?? "This file"));
            return;
          }
          const view = document.mount(place);
          if (mayTakeFocus()) view.focus();
          setShown(document);
        });
        onCleanup(() => {
          isOver = true;
          shown()?.unmount();
          setShown(undefined);
        });
      },
    ),
  );
  // Lines are measured; another size of their letters has to be noticed.
  createEffect(
    on(
      () => workbench.layout.state.editorFontSize,
      () => shown()?.view?.requestMeasure(),
    ),
  );
  return (
    <div
      class="document-view column"
      style={{ "--editor-size": `${workbench.layout.state.editorFontSize}px` }}
    >
      <Show when={shown()}>{(document) => <DocumentStrips document={document()} />}</Show>
      <ReviewBar document={props.document} />
      <Show when={refusal()}>{(text) => <p class="empty-note">{text()}</p>}</Show>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a wider target for the pointer; the text itself has the keyboard */}
      <div class="document-place fill" ref={place} onMouseDown={(event) => pressBeside(event, shown())} />
    </div>
  );
}

function whyNotShown(fault: Fault, name: string): string {
  if (fault.error !== "unsupported_file_type") return `${fault.message} ${fault.suggestion}`;
  return detailsOf(fault, "unsupported_file_type").offset === undefined && !/pdf$/i.test(name)
    ? `${name} is not written in UTF-8, so it is left as it is. Saved as UTF-8 by the program that wrote it, it can be read and edited here.`
    : `${name} is no text, so it is left as it is and not shown here.`;
}

/** Beside the column of a prose text: the cursor goes into the line at that height. */
function pressBeside(event: MouseEvent, document: OpenDocument | undefined): void {
  const view = document?.view;
  if (view === undefined || event.target !== view.scrollDOM || event.button !== 0) return;
  // The scroll bar is beside the column, too.
  if (event.offsetX >= view.scrollDOM.clientWidth) return;
  event.preventDefault();
  const anchor = view.posAtCoords({ x: event.clientX, y: event.clientY }, false);
  view.dispatch({ selection: { anchor } });
  view.focus();
}
