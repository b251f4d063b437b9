// A document and its file, which were both changed: what can be put together is, and the rest is asked about, one by one.

import { Text } from "@codemirror/state";
import type { ReviewHunk } from "@stet/protocol/api/review";
import { isFault } from "@stet/protocol/fault";
import { diffTexts } from "@stet/text/diff";
import { changeOf } from "@stet/text/lines";
import { createMemo, createResource, createSignal, For, Match, Show, Switch } from "solid-js";
import { Button } from "../ui/button.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import { answeredLines, conflictsOf, partsOf, resultOf } from "./conflict.ts";
import { ConflictCard } from "./conflict-card.tsx";
import { decisionsOf } from "./decisions.ts";
import "./conflict-view.css";

export function ConflictView(props: { readonly document: number }) {
  const workbench = useWorkbench();
  const [answers, setAnswers] = createSignal<ReadonlyMap<number, readonly string[]>>(new Map());
  const [isBusy, setBusy] = createSignal(false);
  const [disk, { refetch }] = createResource(
    () => props.document,
    async (document) => {
      await workbench.documents.settle(document);
      setAnswers(new Map());
      return workbench.ask("diskState", { params: { document } });
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
    const document = await workbench.documents.get(id);
    if (isFault(document)) {
      workbench.refuse(document);
      return;
    }
    const { doc } = document.state;
    const seen = disk();
    const now = await workbench.client.call("diskState", { params: { document: id } });
    if (isFault(now)) {
      workbench.refuse(now);
      return;
    }
    if (doc.toString() !== seen?.current || now.current !== seen.current || now.disk !== seen.disk) {
      workbench.notices.tell({
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
      workbench.refuse(fault);
      return;
    }
    await document.resolveDisk("settled");
    const isWaiting = await takeAnswers(id);
    workbench.views.close({ kind: "conflict", document: id, title: "" });
    await workbench.openDocument(id);
    const next = isWaiting
      ? "What is the agent’s in it waits for your decision on the turn."
      : "Save it to write the file.";
    workbench.notices.tell({ text: `Your result is in ${document.name}. ${next}`, tone: "good" });
  };
  /**
   * What the person chose is decided with that, also where the agent's change was one of the sides. Of a turn that is decided
   * as a whole it stays open, and the file as it is; returns whether that is so.
   */
  const takeAnswers = async (id: number): Promise<boolean> => {
    const review = await workbench.client.call("documentReview", { params: { document: id } });
    if (isFault(review)) return false;
    const chosen = answeredLines(parts() ?? [], answers());
    const wholeTurns = new Set(review.turns.filter(({ is_whole }) => is_whole).map(({ turn }) => turn));
    const isWhole = ({ turns }: ReviewHunk) => turns.some((turn) => wholeTurns.has(turn));
    const hunks = review.hunks.filter(({ new_start: from, added }) => {
      const to = from + Math.max(added.length, 1) - 1;
      return chosen.some((range) => range.from <= to && from <= range.to);
    });
    const ids = hunks.filter((hunk) => !isWhole(hunk)).map(({ hunk_id }) => hunk_id);
    if (ids.length > 0) await decisionsOf(workbench).decide({ hunk_ids: ids }, "accept");
    return hunks.some(isWhole);
  };
  return (
    <div class="conflict-view column">
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
          <div class="conflict-head divided">
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
              <Button class="primary" disabled={result() === undefined || isBusy()} onPress={() => use()}>
                Use this result
              </Button>
            </div>
          </div>
          <div class="conflict-list fill">
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
