// One row of the overview.

import { For, Match, Show, Switch } from "solid-js";
import { plural } from "../status/word-count.ts";
import { BareButton } from "../ui/button.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import { decisionsOf } from "./decisions.ts";
import { type PanelRow, previewOf, reasonsOf, rowHeights } from "./panel-rows.ts";
import { decideWhole, showHunk } from "./review-commands.ts";
import type { Selection, Verdict } from "./selection.ts";

type RowOf<Kind extends PanelRow["kind"]> = Extract<PanelRow, { kind: Kind }>;

export function ReviewRow(props: {
  readonly row: PanelRow;
  /** Whether the cursor is in its change. */
  readonly isHere: boolean;
  readonly onFold: (key: string) => void;
}) {
  const as = <Kind extends PanelRow["kind"]>(kind: Kind) => {
    return props.row.kind === kind ? (props.row as RowOf<Kind>) : undefined;
  };
  return (
    <div
      class={`review-row row ${props.row.kind}`}
      classList={{ here: props.isHere }}
      style={{ height: `${rowHeights[props.row.kind]}px` }}
    >
      <Switch>
        <Match when={as("turn")}>{(row) => <TurnRow row={row()} />}</Match>
        <Match when={as("file")}>{(row) => <FileRow row={row()} onFold={props.onFold} />}</Match>
        <Match when={as("why")}>{(row) => <WhyRow row={row()} />}</Match>
        <Match when={as("hunk")}>{(row) => <HunkRow row={row()} />}</Match>
        <Match when={as("decidedHead")}>
          <h3 class="review-row-title ellipsis">Decided, and can be undone</h3>
        </Match>
        <Match when={as("decided")}>{(row) => <DecidedRow row={row()} />}</Match>
      </Switch>
    </div>
  );
}

function TurnRow(props: { readonly row: RowOf<"turn"> }) {
  const count = () => plural(props.row.count, "change");
  /** Whose it is stands below it. */
  const title = () => {
    const { summary, agent } = props.row.turn;
    const isNamed = agent !== undefined && summary.startsWith(`${agent}: `);
    return isNamed ? summary.slice(agent.length + 2) : summary;
  };
  return (
    <>
      <div class="review-row-text column grow">
        <h3 class="review-row-title ellipsis" title={props.row.turn.summary}>
          {title() || "A turn of the agent"}
        </h3>
        <p
          class="review-row-about ellipsis faint"
          title={props.row.turn.is_whole ? "Decided as a whole" : undefined}
        >
          <Show when={props.row.turn.agent}>
            {(agent) => (
              <>
                <span class="review-row-agent">
                  <AgentMark /> by {agent()}
                </span>
                {" · "}
              </>
            )}
          </Show>
          {count()}
          <Show when={props.row.turn.is_whole}> · as a whole</Show>
          <Show when={props.row.turn.is_on_disk}> · on disk</Show>
        </p>
      </div>
      <Verdicts
        what="turn"
        of={props.row.turn.summary}
        selection={{ turn: props.row.turn.turn }}
        isWhole={props.row.turn.is_whole}
      />
    </>
  );
}

function FileRow(props: { readonly row: RowOf<"file">; readonly onFold: (key: string) => void }) {
  return (
    <>
      <BareButton
        class="review-row-main bar grow file"
        aria-expanded={!props.row.isFolded}
        onPress={() => props.onFold(props.row.key)}
      >
        <RowIcon path={props.row.isFolded ? "m9 18 6-6-6-6" : "m6 9 6 6 6-6"} />
        <span class="review-row-name ellipsis" title={props.row.file.file_path ?? props.row.file.title}>
          {props.row.file.file_path ?? props.row.file.title}
        </span>
        <span class="badge">{props.row.ids.length}</span>
      </BareButton>
      <Show when={!props.row.isWhole}>
        <Verdicts
          what="file"
          of={props.row.file.title}
          selection={selectionIn(props.row.turn, props.row.ids)}
        />
      </Show>
    </>
  );
}

function WhyRow(props: { readonly row: RowOf<"why"> }) {
  return (
    <>
      <span class="review-row-why grow ellipsis faint" title={props.row.why}>
        {props.row.why}
      </span>
      <Show when={props.row.isGroup}>
        <span class="badge">{props.row.ids.length}</span>
        <Verdicts
          what="these changes"
          of={`${props.row.why}, in ${props.row.title}`}
          selection={selectionIn(props.row.turn, props.row.ids)}
        />
      </Show>
    </>
  );
}

function HunkRow(props: { readonly row: RowOf<"hunk"> }) {
  const workbench = useWorkbench();
  const { document, hunk, title, turn } = props.row;
  const line = () => decisionsOf(workbench).lineOf(document, hunk);
  return (
    <>
      <BareButton
        class="review-row-main bar grow hunk"
        title={reasonsOf(hunk, turn).join("\n") || undefined}
        onPress={() => showHunk(workbench, document, hunk)}
      >
        <span class="review-row-line quiet">
          <span class="unseen">Line </span>
          {line()}
        </span>
        <span class="review-row-text column grow">
          {/* Read aloud in one go, what goes and what comes would be one word. */}
          <span class="review-row-words ellipsis">
            <For each={previewOf(hunk)}>
              {({ kind, text }) => (
                <Switch fallback={<span>{text}</span>}>
                  <Match when={kind === "removed"}>
                    <del>
                      <span class="unseen"> removed </span>
                      {text}
                    </del>
                  </Match>
                  <Match when={kind === "added"}>
                    <ins>
                      <span class="unseen"> added </span>
                      {text}
                    </ins>
                  </Match>
                </Switch>
              )}
            </For>
          </span>
        </span>
      </BareButton>
      <Show when={!props.row.isWhole}>
        <Verdicts
          what="change"
          of={`line ${line()} of ${title}`}
          selection={selectionIn(turn, [hunk.hunk_id])}
        />
      </Show>
    </>
  );
}

/** A row stands under a turn, and is about what that turn did. */
function selectionIn(turn: string, hunk_ids: readonly string[]): Selection {
  return turn === "" ? { hunk_ids } : { turn, hunk_ids };
}

function DecidedRow(props: { readonly row: RowOf<"decided"> }) {
  const workbench = useWorkbench();
  const { document, hunk, path, title } = props.row;
  const show = () => {
    const hasTab = workbench.state.tabs.some((tab) => tab.document === document);
    if (hasTab || path === null) void workbench.openDocument(document, hunk.new_start);
    else void workbench.openFile(path, hunk.new_start);
  };
  const said = hunk.verdict === "accepted" ? "Accepted" : "Rejected";
  return (
    <>
      <BareButton class="review-row-main bar grow" onPress={show}>
        <span class="review-row-line quiet">{hunk.new_start}</span>
        <span class="review-row-name ellipsis" title={path ?? title}>
          {said} <span class="faint">in {title}</span>
        </span>
      </BareButton>
      <button
        type="button"
        class="icon-button"
        aria-label={`Undo: ${said.toLowerCase()} change at line ${hunk.new_start} of ${title}`}
        title="Undo"
        onClick={() => void decisionsOf(workbench).undo([hunk.hunk_id])}
      >
        <RowIcon path="M9 14 4 9l5-5M4 9h10.5a5.5 5.5 0 0 1 0 11H11" />
      </button>
    </>
  );
}

function Verdicts(props: {
  readonly what: string;
  readonly of: string;
  readonly selection: Selection;
  readonly isWhole?: boolean;
}) {
  const workbench = useWorkbench();
  const decide = (verdict: Verdict) => {
    const { selection } = props;
    if (props.isWhole === true && "turn" in selection)
      void decideWhole(workbench, selection.turn, verdict, true);
    else void decisionsOf(workbench).decide(selection, verdict);
  };
  return (
    <span class="review-row-verdicts">
      <button
        type="button"
        class="icon-button review-yes"
        aria-label={`Accept ${props.what}: ${props.of}`}
        title={`Accept ${props.what}`}
        onClick={() => decide("accept")}
      >
        <RowIcon path="M20 6 9 17l-5-5" />
      </button>
      <button
        type="button"
        class="icon-button review-no"
        aria-label={`Reject ${props.what}: ${props.of}`}
        title={`Reject ${props.what}`}
        onClick={() => decide("reject")}
      >
        <RowIcon path="M18 6 6 18M6 6l12 12" />
      </button>
    </span>
  );
}

function AgentMark() {
  return (
    <RowIcon path="M12 8V4H8M2 14h2m16 0h2m-7-1v2m-6-2v2M6 8h12a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-8a2 2 0 0 1 2-2z" />
  );
}

/** Plainer than the icons elsewhere: a list that is scrolled makes hundreds of them. */
function RowIcon(props: { readonly path: string }) {
  return (
    <svg class="review-row-icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={props.path} />
    </svg>
  );
}
