// The outline of the tab in front. The server makes it, as it does for the agent, from what has arrived there; it is asked
// again a moment after the last change.

import { isFault } from "@stet/protocol/fault";
import { type Accessor, createEffect, createSignal, on, onCleanup } from "solid-js";
import type { OpenDocument } from "../editor/open-document.ts";
import type { Workbench } from "../workspace/workbench.ts";
import { itemsOf, type OutlineItem } from "./outline-tree.ts";

const afterChangeMs = 350;
const maxDepth = 6;

export interface OutlineSource {
  readonly document: Accessor<OpenDocument | undefined>;
  /** Undefined until it is known. */
  readonly items: Accessor<readonly OutlineItem[] | undefined>;
}

/** For as long as the component that calls it lives. */
export function outlineSource(workbench: Workbench): OutlineSource {
  const [document, setDocument] = createSignal<OpenDocument>();
  const [items, setItems] = createSignal<readonly OutlineItem[]>();
  let asked = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const load = async (tab: string, shown: OpenDocument) => {
    asked += 1;
    const own = asked;
    await shown.settle();
    const reply = await workbench.client.call("outline", {
      params: { tab_id: tab },
      query: { max_depth: maxDepth },
    });
    // What is shown stays where there is no answer: it is mostly right.
    if (own === asked && !isFault(reply)) setItems(itemsOf(reply));
  };

  createEffect(
    on(
      () => workbench.activeTab()?.document,
      (id) => {
        asked += 1;
        setDocument(undefined);
        setItems(undefined);
        if (id === undefined) return;
        void workbench.documents.get(id).then((loaded) => {
          if (!isFault(loaded) && workbench.activeTab()?.document === id) setDocument(loaded);
        });
      },
    ),
  );
  createEffect(
    on([document, () => document()?.changes(), () => workbench.activeTab()?.path], ([shown]) => {
      clearTimeout(timer);
      const tab = workbench.activeTab()?.tab_id;
      if (shown === undefined || tab === undefined) return;
      timer = setTimeout(() => void load(tab, shown), items() === undefined ? 0 : afterChangeMs);
    }),
  );
  onCleanup(() => {
    clearTimeout(timer);
    asked += 1;
  });
  return { document, items };
}
