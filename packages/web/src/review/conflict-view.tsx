// A document and its file, which were both changed: what can be put together is, and the rest is asked about, one by one.

import { Text } from "@codemirror/state";
import { isFault } from "@stet/protocol/fault";
import { diffTexts } from "@stet/text/diff";
import { changeOf } from "@stet/text/lines";
import { createMemo, createResource, createSignal, For, Match, Show, Switch } from "solid-js";
import { useDesk } from "../workspace/desk.ts";
import { answeredLines, conflictsOf, partsOf, resultOf } from "./conflict.ts";
import { ConflictCard } from "./conflict-card.tsx";
import { reviewDeskOf } from "./review-desk.ts";
import "./conflict-view.css";

export function ConflictView(props: { readonly document: number }) {
  const desk = useDesk();
  const [answers, setAnswers] = createSignal<ReadonlyMap<number, readonly string[]>>(new Map());
  const [isBusy, setBusy] = createSignal(false);
  const [disk, { refetch }] = createResource(
    () => props.document,
    async (document) => {
      await desk.documents.settle(document);
      setAnswers(new Map());
      return desk.told(desk.client.call("diskState", { params: { document } }));
    },
  );
  const parts = createMemo(() => {
    const state = disk();
    if (state?.state !== "changed" || state.disk === null) return undefined;
    return partsOf(state.saved ?? "", state.current ?? "", state.disk);
  });
  const conflicts = createMemo(() => conflictsOf(parts() ?? []));
  const result = createMemo(() => resultOf(parts() ?? [], answers()));
  const name = () => disk()?.file_path ?? "This document";
  const use = async () => {
    const text = result();
    if (text === undefined) return;
    setBusy(true);
    await putInPlace(text);
    setBusy(false);
  };
  const putInPlace = async (text: string) => {
    const id = props.document;
    const document = await desk.documents.get(id);
    if (isFault(document)) {
      desk.refuse(document);
      return;
    }
    const { doc } = document.state;
    if (doc.toString() !== disk()?.current) {
      desk.notices.tell({
        text: `${document.name} was changed meanwhile. Please look again.`,
        tone: "plain",
      });
      await refetch();
      return;
    }
    const changes = changeOf(doc, diffTexts(doc, Text.of(text.split("\n"))));
    if (!changes.empty) document.dispatch({ changes });
    const fault = await document.settle();
    if (fault !== undefined) {
      desk.refuse(fault);
      return;
    }
    await document.resolveDisk("keep");
    await takeAnswers(id);
    desk.views.close({ kind: "conflict", document: id, title: "" });
    await desk.openDocument(id);
    desk.notices.tell({
      text: `Your result is in ${document.name}. Save it to write the file.`,
      tone: "good",
    });
  };
  /** What the person chose is decided with that, also where the agent's change was one of the sides. */
  const takeAnswers = async (id: number) => {
    const review = await desk.client.call("documentReview", { params: { document: id } });
    if (isFault(review)) return;
    const chosen = answeredLines(parts() ?? [], answers());
    const wholeTurns = new Set(review.turns.filter(({ is_whole }) => is_whole).map(({ turn }) => turn));
    const hunks = review.hunks.filter(({ new_start: from, added, turns }) => {
      const to = from + Math.max(added.length, 1) - 1;
      const isChosen = chosen.some((range) => range.from <= to && from <= range.to);
      return isChosen && !turns.some((turn) => wholeTurns.has(turn));
    });
    if (hunks.length > 0)
      await reviewDeskOf(desk).decide({ hunk_ids: hunks.map(({ hunk_id }) => hunk_id) }, "accept");
  };
  return (
    <div class="conflict-view">
      <Switch>
        <Match when={disk.loading}>
          <p class="empty-note">Looking at the file…</p>
        </Match>
        <Match when={parts() === undefined}>
          <p class="empty-note">
            {disk()?.state === "changed"
              ? `${name()} is no text on disk any more. Keep yours, or save it under another name.`
              : `${name()} and its file do not differ in a way that has to be settled.`}
          </p>
        </Match>
        <Match when={parts()}>
          <div class="conflict-head">
            <div>
              <h2>{name()}</h2>
              <p class="faint">
                {conflicts().length === 0
                  ? "Your changes and the file’s do not meet: they were put together."
                  : `You and someone else changed the same lines in ${conflicts().length === 1 ? "one place" : `${conflicts().length} places`}. Everything else was put together.`}
              </p>
            </div>
            <div class="conflict-head-tools">
              <span aria-live="polite">
                {answers().size} of {conflicts().length} settled
              </span>
              <button
                type="button"
                class="button primary"
                disabled={result() === undefined || isBusy()}
                onClick={() => void use()}
              >
                Use this result
              </button>
            </div>
          </div>
          <div class="conflict-list">
            <For each={conflicts()}>
              {(conflict) => (
                <ConflictCard
                  conflict={conflict}
                  count={conflicts().length}
                  answer={answers().get(conflict.index)}
                  onAnswer={(lines) => setAnswers(new Map(answers()).set(conflict.index, lines))}
                />
              )}
            </For>
            <Show when={conflicts().length === 0}>
              <p class="empty-note">There is nothing to choose. “Use this result” takes both over.</p>
            </Show>
          </div>
        </Match>
      </Switch>
    </div>
  );
}
