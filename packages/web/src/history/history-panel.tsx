// The way back: the turns of the document in front, and the checkpoints of everything.

import { createSignal, For, Match, Switch } from "solid-js";
import { AllCheckpoints } from "./all-checkpoints.tsx";
import { DocumentTurns } from "./document-turns.tsx";
import "./history-panel.css";

const parts = [
  { id: "document", title: "This document" },
  { id: "all", title: "All checkpoints" },
] as const;
type Part = (typeof parts)[number]["id"];

/** Stays as it was while another panel is shown. */
const [shown, setShown] = createSignal<Part>("document");

/** Brings the checkpoints of everything to the front. */
export function showAllCheckpoints(): void {
  setShown("all");
}

export function HistoryPanel() {
  return (
    <section class="panel history">
      <div class="panel-head">
        <h2>History</h2>
      </div>
      <div class="history-parts divided" role="tablist" aria-label="Whose history">
        <For each={parts}>
          {({ id, title }, index) => (
            <button
              type="button"
              role="tab"
              id={`history-tab-${id}`}
              aria-controls="history-part"
              aria-selected={shown() === id}
              tabIndex={shown() === id ? 0 : -1}
              onClick={() => setShown(id)}
              onKeyDown={(event) => {
                if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
                const next = parts[(index() + 1) % parts.length];
                if (next === undefined) return;
                event.preventDefault();
                setShown(next.id);
                document.getElementById(`history-tab-${next.id}`)?.focus();
              }}
            >
              {title}
            </button>
          )}
        </For>
      </div>
      <div
        class="history-part column fill"
        id="history-part"
        role="tabpanel"
        aria-labelledby={`history-tab-${shown()}`}
      >
        <Switch>
          <Match when={shown() === "document"}>
            <DocumentTurns />
          </Match>
          <Match when={shown() === "all"}>
            <AllCheckpoints />
          </Match>
        </Switch>
      </div>
    </section>
  );
}
