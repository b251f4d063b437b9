// Everything that waits for a decision, in all documents, by turn and by file.

import { isFault } from "@stet/protocol/fault";
import CheckIcon from "lucide-solid/icons/check";
import SaveIcon from "lucide-solid/icons/save";
import UndoIcon from "lucide-solid/icons/undo-2";
import XIcon from "lucide-solid/icons/x";
import { createEffect, createMemo, createSignal, For, on, onCleanup, onMount, Show } from "solid-js";
import { plural } from "../status/word-count.ts";
import { Button, CommandButton } from "../ui/button.tsx";
import { inOrder } from "../workspace/in-order.ts";
import { keepingSame } from "../workspace/keeping-same.ts";
import { soon } from "../workspace/soon.ts";
import { useWorkbench } from "../workspace/workbench.ts";
import { decisionsOf } from "./decisions.ts";
import {
  allDecided,
  type DecidedFile,
  type PanelRow,
  panelRows,
  type ReviewedFile,
  rowsInSight,
  rowTops,
} from "./panel-rows.ts";
import { decideAgent, decideAll } from "./review-commands.ts";
import { ReviewRow } from "./review-row.tsx";
import type { Verdict } from "./selection.ts";
import { turnAgents } from "./turn-agents.ts";
import "./review-panel.css";

export function ReviewPanel() {
  const workbench = useWorkbench();
  const reviews = decisionsOf(workbench);
  const [folded, setFolded] = createSignal<ReadonlySet<string>>(new Set());
  const files = createMemo((): readonly ReviewedFile[] => {
    const hidden = reviews.hidden();
    const all = workbench.state.review.files;
    if (hidden.size === 0) return all;
    return all
      .map((file) => ({ ...file, hunks: file.hunks.filter(({ hunk_id }) => !hidden.has(hunk_id)) }))
      .filter(({ hunks }) => hunks.length > 0);
  });
  const [told, setTold] = createSignal<readonly DecidedFile[]>([]);
  const askDecided = inOrder();
  const loadDecided = async () => {
    const isOvertaken = askDecided();
    const reply = await workbench.client.call("listDecided");
    if (!isFault(reply) && !isOvertaken()) setTold(reply.files);
  };
  // With each review that is read: a decision changes both.
  createEffect(on(() => workbench.state.review.files, soon(150, loadDecided)));
  onMount(() => void loadDecided());
  const decided = createMemo((): DecidedFile[] => {
    const known = reviews.reviews().filter(({ isKnown }) => isKnown());
    const open = known.map(({ document: { id, name }, decided: hunks }) => {
      return { document: id, file_path: null, title: name, decided: hunks() };
    });
    return allDecided(open, told());
  });
  const agents = createMemo(() => turnAgents(files(), workbench.state.review.turns));
  const [wanted, setWanted] = createSignal("");
  /** Undefined where changes of all are listed; also when the last of the chosen one was decided. */
  const chosen = createMemo(() => agents().find(({ key }) => key === wanted()));
  const rows = createMemo(() => {
    const { turns } = workbench.state.review;
    const shown = chosen();
    return panelRows(files(), turns, shown === undefined ? decided() : [], folded(), shown?.turns);
  });
  const all = createMemo(() => files().reduce((sum, { hunks }) => sum + hunks.length, 0));
  const count = () => chosen()?.hunks ?? all();
  const decide = (verdict: Verdict) => {
    const agent = chosen();
    return agent === undefined ? decideAll(workbench, verdict) : decideAgent(workbench, agent, verdict);
  };
  const unsaved = createMemo(() => workbench.unsavedDocuments().length);
  let panel!: HTMLElement;
  const hasLostFocus = () => document.activeElement === document.body;
  /** A button that is over goes with what it did, and the focus goes on to what is left to do. */
  const finish = async (work: Promise<unknown>) => {
    await work;
    // Its button may still be there: it goes when what the work did is known here.
    await Promise.all([workbench.loadTabs(), workbench.loadReview()]);
    if (!hasLostFocus()) return;
    const left = panel.querySelector(".review-panel-all button") ?? panel.querySelector("button");
    if (left instanceof HTMLElement) left.focus();
  };
  const toggle = (key: string) => {
    const next = new Set(folded());
    if (!next.delete(key)) next.add(key);
    setFolded(next);
  };
  return (
    <section class="panel review-panel" ref={panel}>
      <div class="panel-head">
        <h2>Review</h2>
        <CommandButton icon={UndoIcon} label="Undo the last decision" command="review.undo" />
      </div>
      <Show when={count() > 0 || unsaved() > 0}>
        <div class="review-panel-all divided bar">
          <p aria-live="polite">
            {count() === 0
              ? "Everything is decided."
              : chosen() === undefined
                ? `${plural(count(), "change")} in ${plural(files().length, "file")}`
                : `${count()} of ${plural(all(), "change")}`}
          </p>
          <Show when={agents().length > 0}>
            <label class="review-agents bar">
              <span class="soft">Changes of</span>
              <select
                class="field grow"
                value={chosen()?.key ?? ""}
                onChange={(event) => setWanted(event.currentTarget.value)}
              >
                <option value="">everybody ({all()})</option>
                <For each={agents()}>
                  {(agent) => (
                    <option value={agent.key} selected={agent.key === chosen()?.key}>
                      {agent.name} ({agent.hunks})
                    </option>
                  )}
                </For>
              </select>
            </label>
          </Show>
          <Show when={count() > 0}>
            <Button small class="review-yes" data-tour="accept-all" onPress={() => finish(decide("accept"))}>
              <CheckIcon size={14} /> Accept all
            </Button>
            <Button small class="review-no" onPress={() => finish(decide("reject"))}>
              <XIcon size={14} /> Reject all
            </Button>
          </Show>
          <Show when={unsaved() > 0}>
            <Button small class="primary" data-tour="save-decided" onPress={() => finish(reviews.save())}>
              <SaveIcon size={14} /> Save {plural(unsaved(), "file")}
            </Button>
          </Show>
        </div>
      </Show>
      <Show
        when={rows().length > 0}
        fallback={
          <p class="empty-note" hidden={unsaved() > 0}>
            Nothing waits for you. When the agent proposes changes, each of them appears here with the words
            that go and come, to be accepted or rejected. Nothing is in a file before you accept and save it,
            except with toolset Code: its edits are on disk at once, and what you reject is taken back there.
          </p>
        }
      >
        <Rows rows={rows} onFold={toggle} />
      </Show>
    </section>
  );
}

function Rows(props: {
  readonly rows: () => ReturnType<typeof panelRows>;
  readonly onFold: (key: string) => void;
}) {
  let place!: HTMLDivElement;
  const [scrolled, setScrolled] = createSignal(0);
  const [height, setHeight] = createSignal(600);
  const tops = createMemo(() => rowTops(props.rows()));
  const sight = createMemo(() => rowsInSight(tops(), scrolled(), height()));
  const seen = createMemo<readonly PanelRow[]>(
    (before) => keepingSame(before, props.rows().slice(sight().first, sight().last)),
    [],
  );
  onMount(() => {
    const watch = new ResizeObserver(() => setHeight(place.clientHeight));
    watch.observe(place);
    onCleanup(() => watch.disconnect());
  });
  // The list follows the cursor, unless somebody works in the list itself.
  const workbench = useWorkbench();
  const here = createMemo(() => {
    const document = workbench.activeTab()?.document;
    return document === undefined
      ? undefined
      : decisionsOf(workbench).of(document)?.hunkAtCursor()?.hunk.hunk_id;
  });
  const isHere = (row: PanelRow) => row.kind === "hunk" && row.hunk.hunk_id === here();
  createEffect(
    on(here, (id) => {
      const index = id === undefined ? -1 : props.rows().findIndex(isHere);
      const [top, bottom] = [tops()[index], tops()[index + 1]];
      if (top === undefined || bottom === undefined || place.contains(document.activeElement)) return;
      const isSeen = top >= place.scrollTop && bottom <= place.scrollTop + place.clientHeight;
      if (!isSeen) place.scrollTop = top - place.clientHeight / 2;
    }),
  );
  // Whoever decides in the list goes on in the row that takes its place.
  let focused: { readonly index: number; readonly button: number } | undefined;
  const buttonsOf = (index: number) => [
    ...(place.querySelectorAll(".review-row")[index - sight().first]?.querySelectorAll("button") ?? []),
  ];
  const noteFocus = (event: FocusEvent) => {
    const row = event.target instanceof HTMLElement ? event.target.closest(".review-row") : null;
    const at = row === null ? -1 : [...place.querySelectorAll(".review-row")].indexOf(row);
    const index = at + sight().first;
    const button = buttonsOf(index).findIndex((other) => other.contains(document.activeElement));
    focused = at < 0 ? undefined : { index, button };
  };
  createEffect(
    on(props.rows, () => {
      if (focused === undefined || document.activeElement !== document.body) return;
      const buttons = buttonsOf(Math.min(focused.index, props.rows().length - 1));
      (buttons[focused.button] ?? buttons.at(-1))?.focus();
    }),
  );
  const move = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0 || !(event.target instanceof HTMLElement)) return;
    const mains = [...place.querySelectorAll<HTMLElement>(".review-row-main")];
    const row = event.target.closest(".review-row");
    const next = mains[mains.findIndex((main) => row?.contains(main)) + step];
    event.preventDefault();
    next?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys go from one row's button to the next
    <div
      class="panel-body review-rows"
      ref={place}
      onScroll={() => setScrolled(place.scrollTop)}
      onKeyDown={move}
      onFocusIn={noteFocus}
      onFocusOut={({ relatedTarget: next }) => {
        // A row that goes leaves the focus nowhere; a person takes it somewhere.
        if (next instanceof Node && !place.contains(next)) focused = undefined;
      }}
    >
      <div class="review-rows-all" style={{ height: `${sight().height}px` }}>
        <div class="review-rows-seen" style={{ transform: `translateY(${sight().top}px)` }}>
          <For each={seen()}>
            {(row) => <ReviewRow row={row} isHere={isHere(row)} onFold={props.onFold} />}
          </For>
        </div>
      </div>
    </div>
  );
}
