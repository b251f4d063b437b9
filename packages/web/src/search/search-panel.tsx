// Search: exact text in all files, or by meaning in the document in front.

import { createSignal, Match, onMount, Switch } from "solid-js";
import { ExactSearch } from "./exact-search.tsx";
import { goToFirstResult } from "./first-result.ts";
import { MeaningSearch } from "./meaning-search.tsx";
import "./search-panel.css";

type Mode = "exact" | "meaning";

/** What was searched for last stays while another panel is shown. */
const [mode, setMode] = createSignal<Mode>("exact");
const [query, setQuery] = createSignal("");

export function SearchPanel() {
  let panel!: HTMLElement;
  let field!: HTMLTextAreaElement;
  onMount(() => {
    field.focus();
    field.select();
  });
  const choices: readonly (readonly [Mode, string])[] = [
    ["exact", "In all files"],
    ["meaning", "By meaning"],
  ];
  return (
    <section class="panel search" ref={panel}>
      <div class="panel-head">
        <h2>Search</h2>
      </div>
      <div class="search-form">
        <fieldset class="search-modes">
          <legend class="unseen">How to search</legend>
          {choices.map(([id, label]) => (
            <label class="search-mode">
              <input
                type="radio"
                name="search-mode"
                class="unseen"
                checked={mode() === id}
                onChange={() => setMode(id)}
              />
              <span>{label}</span>
            </label>
          ))}
        </fieldset>
        <textarea
          class="field search-field"
          data-search-field=""
          ref={field}
          rows={1}
          aria-label={mode() === "exact" ? "Search for exact text" : "Search by meaning"}
          placeholder={mode() === "exact" ? "Exact text" : "What is it about?"}
          spellcheck={false}
          value={query()}
          onInput={(event) => setQuery(event.currentTarget.value)}
          onKeyDown={(event) => {
            const isLast = !event.currentTarget.value.includes("\n", event.currentTarget.selectionEnd);
            const goesDown = event.key === "ArrowDown" && isLast;
            if (!goesDown && (event.key !== "Enter" || event.shiftKey)) return;
            event.preventDefault();
            goToFirstResult(panel, field);
          }}
        />
      </div>
      <Switch>
        <Match when={mode() === "exact"}>
          <ExactSearch query={query()} />
        </Match>
        <Match when={mode() === "meaning"}>
          <MeaningSearch query={query()} />
        </Match>
      </Switch>
    </section>
  );
}
