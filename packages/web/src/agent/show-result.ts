// After a turn: the first changed document comes to the front, unless one of them is there, or the person is typing.

import { isFault } from "@stet/protocol/fault";
import type { Workbench } from "../workspace/workbench.ts";

const typingMs = 3000;
/** Pixels, up to which one thing is shown at a time; also in app.css. */
const narrow = 640;
let lastKey = Number.NEGATIVE_INFINITY;
globalThis.document?.addEventListener(
  "keydown",
  ({ key, target }) => {
    // Whoever has sent a message has written it.
    const isSent = key === "Enter" && target instanceof Element && target.classList.contains("composer-text");
    lastKey = isSent ? Number.NEGATIVE_INFINITY : performance.now();
  },
  { capture: true },
);

export async function showResult(workbench: Workbench, documents: readonly number[]): Promise<void> {
  const [first] = documents;
  const shown = workbench.activeTab()?.document;
  if (first === undefined || (shown !== undefined && documents.includes(shown))) return;
  if (performance.now() - lastKey < typingMs) return;
  // Where there is room for one thing only, the answer is read first.
  if (workbench.layout.state.pane === "agent" && innerWidth <= narrow) return;
  const { activeElement } = document;
  await workbench.loadReview();
  await workbench.openDocument(first);
  // The editor takes the focus when its document is loaded, unless the focus has moved elsewhere.
  if (isFault(await workbench.documents.get(first))) return;
  requestAnimationFrame(() => {
    if (activeElement instanceof HTMLElement && activeElement !== document.body) activeElement.focus();
  });
}
