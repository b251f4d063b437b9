// Search by meaning in the document in front, and how far its index is.

import { type Fault, isFault } from "@stet/protocol/fault";
import { createEffect, createSignal, For, on, onCleanup, Show } from "solid-js";
import { plural } from "../status/word-count.ts";
import { BareButton } from "../ui/button.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import { AddToContext } from "./add-to-context.tsx";
import { listKeys } from "./list-keys.ts";
import { SearchFault } from "./search-fault.tsx";

const waitMs = 400;

interface Match {
  readonly line: number;
  readonly score: number;
  readonly preview: string;
}

export function MeaningSearch(props: { readonly query: string }) {
  const workbench = useWorkbench();
  const [matches, setMatches] = createSignal<readonly Match[]>([]);
  const [status, setStatus] = createSignal<string | undefined>();
  const [isSearching, setSearching] = createSignal(false);
  const [fault, setFault] = createSignal<Fault | undefined>();
  const tab = () => workbench.activeTab();
  /** Changes when the index of this document is further, so that the search is made again. */
  const progress = () =>
    workbench.state.index?.document === tab()?.document ? workbench.state.index?.state : "idle";

  createEffect(
    on([() => props.query, () => tab()?.tab_id, progress], ([query, id]) => {
      setFault(undefined);
      if (query.trim() === "" || id === undefined) {
        setMatches([]);
        return;
      }
      const stop = new AbortController();
      const timer = setTimeout(async () => {
        setSearching(true);
        const sent = { params: { tab_id: id }, query: { query, max_results: 30 } };
        const reply = await workbench.client.call("searchTab", sent, stop.signal);
        if (stop.signal.aborted) return;
        setSearching(false);
        setFault(isFault(reply) ? reply : undefined);
        setMatches(isFault(reply) ? [] : reply.matches);
        setStatus(isFault(reply) ? undefined : reply.embedding_status);
      }, waitMs);
      onCleanup(() => {
        clearTimeout(timer);
        stop.abort();
        setSearching(false);
      });
    }),
  );
  const summary = () => {
    const open = tab();
    if (open === undefined) return "Open a document to search in it by meaning.";
    if (props.query.trim() === "") return `Finds places in ${open.title} that are about what you write.`;
    if (isSearching()) return `Searching in ${open.title}…`;
    if (fault() !== undefined) return "";
    const found = matches().length === 0 ? "Nothing found" : plural(matches().length, "excerpt");
    return `${found} in ${open.title}.`;
  };
  const indexWords = () => {
    const index = workbench.state.index;
    if (index?.state === "indexing" && index.document === tab()?.document && index.total > 0) {
      return `The index of this document is at ${Math.floor((100 * index.done) / index.total)}%. More may be found when it is done.`;
    }
    if (index?.state === "paused") return "The search index is paused.";
    const known = status();
    return known === undefined || known === "ready" || known === "complete"
      ? ""
      : "The index of this document is not complete yet. More may be found later.";
  };
  return (
    <>
      <p class="search-summary faint" role="status">
        {summary()} {indexWords()}
      </p>
      <SearchFault fault={fault()} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrows go from button to button. */}
      <div class="panel-body search-results" onKeyDown={listKeys}>
        <For each={matches()}>
          {(match) => (
            <div class="search-item">
              <BareButton
                class="search-line ring-inside stretched search-place"
                onPress={() => {
                  const document = tab()?.document;
                  if (document !== undefined) void workbench.openDocument(document, match.line + 1);
                }}
              >
                <span class="search-number quiet">
                  <span class="unseen">Line </span>
                  {match.line + 1}
                </span>
                <span class="search-text soft ellipsis grow">{match.preview}</span>
              </BareButton>
              <Show when={tab()?.path}>{(path) => <AddToContext path={path()} line={match.line + 1} />}</Show>
            </div>
          )}
        </For>
      </div>
    </>
  );
}
