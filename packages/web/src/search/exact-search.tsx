// Exact text in all files. A search that is asked for anew stops the one before it.

import { type Fault, isFault } from "@stet/protocol/fault";
import { createEffect, createMemo, createSignal, on, onCleanup } from "solid-js";
import { Virtualizer } from "virtua/solid";
import { plural } from "../status/word-count.ts";
import { BareButton } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { MarkedText } from "../ui/marked-text.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import { AddToContext } from "./add-to-context.tsx";
import { type FoundLine, foundFiles } from "./found-lines.ts";
import { listKeys } from "./list-keys.ts";
import { SearchFault } from "./search-fault.tsx";

const waitMs = 200;
const maxResults = 500;

type Row =
  | { readonly kind: "file"; readonly path: string; readonly count: number }
  | ({ readonly kind: "line" } & FoundLine);

const [glob, setGlob] = createSignal("");

export function ExactSearch(props: { readonly query: string }) {
  const workbench = useWorkbench();
  const [rows, setRows] = createSignal<readonly Row[]>([]);
  const [state, setState] = createSignal<"empty" | "searching" | "done" | "cut">("empty");
  const [fault, setFault] = createSignal<Fault | undefined>();
  const [changes, setChanges] = createSignal(0);
  onCleanup(workbench.feed.on("document.saved", () => setChanges((count) => count + 1)));

  createEffect(
    on([() => props.query, glob, () => workbench.state.filesChanged, changes], ([query, pattern]) => {
      const stop = new AbortController();
      const timer = setTimeout(async () => {
        if (query === "") {
          setRows([]);
          setState("empty");
          setFault(undefined);
          return;
        }
        setState("searching");
        const scope = pattern.trim() === "" ? {} : { glob: pattern.trim() };
        const sent = { query: { query, limit: maxResults, capitals: "smart" as const, ...scope } };
        const reply = await workbench.client.call("searchFiles", sent, stop.signal);
        if (stop.signal.aborted) return;
        setFault(isFault(reply) ? reply : undefined);
        setState(isFault(reply) || !reply.truncated ? "done" : "cut");
        setRows(
          isFault(reply)
            ? []
            : foundFiles(reply.results, query).flatMap(({ path, lines }): Row[] => [
                { kind: "file", path, count: lines.length },
                ...lines.map((line) => ({ kind: "line" as const, ...line })),
              ]),
        );
      }, waitMs);
      onCleanup(() => {
        clearTimeout(timer);
        stop.abort();
      });
    }),
  );
  const lines = createMemo(() => rows().filter((row) => row.kind === "line").length);
  const files = createMemo(() => rows().length - lines());
  const summary = () => {
    if (state() === "empty")
      return "Finds text in every file of the folder. Capitals count where you type one.";
    if (state() === "searching" && rows().length === 0) return "Searching…";
    if (fault() !== undefined) return "";
    if (lines() === 0) return "Nothing found.";
    const more = state() === "cut" ? " There is more; say it more exactly." : "";
    return `${plural(lines(), "line")} in ${plural(files(), "file")}.${more}`;
  };
  return (
    <>
      <div class="search-scope">
        <Field
          label="Only files that fit a pattern"
          placeholder="Files, such as drafts/**/*.md"
          spellcheck={false}
          value={glob()}
          onType={setGlob}
        />
      </div>
      <p class="search-summary faint" role="status">
        {summary()}
      </p>
      <SearchFault fault={fault()} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrows go from button to button. */}
      <div class="panel-body search-results" onKeyDown={listKeys}>
        <Virtualizer data={rows()} itemSize={28}>
          {(row) =>
            row.kind === "file" ? (
              <h3 class="search-file bar" title={row.path}>
                <span class="search-path ellipsis">{row.path}</span>
                <span class="badge">{row.count}</span>
              </h3>
            ) : (
              <div class="search-item">
                <BareButton
                  class="search-line ring-inside stretched"
                  onPress={() => workbench.openFile(row.path, row.line)}
                >
                  <span class="search-number quiet">
                    <span class="unseen">Line </span>
                    {row.line}
                    <span class="unseen"> of {row.path}: </span>
                  </span>
                  <span class="search-text soft ellipsis grow">
                    <MarkedText text={row.text} marks={row.marks} />
                  </span>
                </BareButton>
                <AddToContext path={row.path} line={row.line} />
              </div>
            )
          }
        </Virtualizer>
      </div>
    </>
  );
}
