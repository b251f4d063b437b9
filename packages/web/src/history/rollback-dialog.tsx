// What going back would change, before anything does; then doing it, with a way to undo that.

import { makeRollback, type Rollback, undoRollback } from "@stet/client/rollback";
import { type Fault, isFault } from "@stet/protocol/fault";
import { createResource, createSignal, For, onCleanup, onMount, Show } from "solid-js";
import { plural } from "../status/word-count.ts";
import { Button } from "../ui/button.tsx";
import type { Workbench } from "../workspace/workbench.ts";
import { useWorkbench } from "../workspace/workbench.ts";
import { DiffBlocks } from "./diff-blocks-view.tsx";
import { type RollbackView, viewRollback } from "./rollback-view.ts";
import "./rollback-dialog.css";

export interface RollbackQuestion {
  readonly title: string;
  /** From the newest to the oldest. */
  readonly rollbacks: readonly Rollback[];
}

export function RollbackDialog(props: {
  readonly question: RollbackQuestion;
  readonly onClose: () => void;
  readonly onDone?: () => void;
}) {
  const workbench = useWorkbench();
  let element!: HTMLDialogElement;
  const before = document.activeElement;
  const [plan] = createResource(() => planSettled(workbench, props.question.rollbacks));
  const [isBusy, setBusy] = createSignal(false);
  const [fault, setFault] = createSignal<Fault>();
  onMount(() => element.showModal());
  onCleanup(workbench.dialogs.hold());

  const close = () => {
    props.onClose();
    if (before instanceof HTMLElement && before.isConnected) before.focus();
  };
  /** Not asked for while it is on its way: whoever did would make everything around the dialog go until then. */
  const planned = () => (plan.loading ? undefined : plan.latest);
  const ready = (): RollbackView | undefined => {
    const value = planned();
    return value === undefined || isFault(value) ? undefined : value;
  };
  const refusal = (): Fault | undefined => {
    const value = planned();
    return fault() ?? (isFault(value) ? value : undefined);
  };
  const isWhole = () => props.question.rollbacks.some(({ hunks }) => hunks === undefined);
  const go = async () => {
    setBusy(true);
    const undo = await makeRollback(workbench.client, props.question.rollbacks);
    setBusy(false);
    if (isFault(undo)) {
      setFault(undo);
      return;
    }
    close();
    props.onDone?.();
    const { files = [], documents = [], conflicts = [] } = ready() ?? {};
    const rest = conflicts.length === 0 ? "" : ` ${plural(conflicts.length, "change")} stayed.`;
    // Files that held the turn's changes have followed already.
    await Promise.all([workbench.loadTabs(), workbench.loadReview()]);
    const unsaved = workbench.unsavedDocuments().filter((document) => documents.includes(document));
    const keys = workbench.commands.keysOf(unsaved.length === 1 ? "file.save" : "file.saveAll");
    const how = unsaved.length === 1 ? `Save it (${keys})` : `Save all (${keys})`;
    const save = unsaved.length === 0 ? "" : ` ${how} to write that to disk.`;
    workbench.notices.tell({
      text: `Rolled back: ${plural(files.length, "file")}.${rest}${save}`,
      tone: "good",
      action: { label: "Undo", run: () => undoIt(workbench, undo) },
    });
  };

  return (
    <dialog
      class="dialog rollback-dialog"
      ref={element}
      aria-labelledby="rollback-title"
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <h2 id="rollback-title">{props.question.title}</h2>
      <Show when={!plan.loading} fallback={<p class="faint">Looking what this would change …</p>}>
        <Show when={refusal()}>
          {(told) => (
            <div role="alert" class="rollback-refusal">
              <p>{told().message}</p>
              <p class="faint">{told().suggestion}</p>
            </div>
          )}
        </Show>
        <Show when={ready()}>
          {(found) => (
            <>
              <Show
                when={found().blocks.length > 0}
                fallback={<p class="faint">This would change nothing: the text is already as it was.</p>}
              >
                <p class="rollback-about soft">
                  <Show
                    when={isWhole()}
                    fallback={`Exactly this changes in ${plural(found().files.length, "file")}. Everything else stays.`}
                  >
                    Exactly this changes in {plural(found().files.length, "file")}. These files go back to
                    what they were before, and lose what was changed in them since.
                  </Show>
                </p>
                <div class="rollback-preview column">
                  <DiffBlocks blocks={found().blocks} path={null} label="What would change" />
                </div>
              </Show>
              <Show when={found().conflicts.length > 0}>
                <ul class="rollback-conflicts" aria-label="What stays">
                  <For each={found().conflicts}>{(words) => <li>{words}</li>}</For>
                </ul>
              </Show>
            </>
          )}
        </Show>
      </Show>
      <div class="dialog-choices cluster">
        <Button onPress={close}>Cancel</Button>
        <Button
          class="primary"
          autofocus
          disabled={isBusy() || (ready()?.blocks.length ?? 0) === 0}
          onPress={() => go()}
        >
          Roll back
        </Button>
      </div>
    </dialog>
  );
}

/** What is still being typed is part of what would change. */
async function planSettled(
  workbench: Workbench,
  rollbacks: readonly Rollback[],
): Promise<RollbackView | Fault> {
  const open = workbench.state.tabs.map((tab) => workbench.documents.settle(tab.document));
  const fault = (await Promise.all(open)).find((settled) => settled !== undefined);
  return fault ?? viewRollback(workbench.client, rollbacks);
}

async function undoIt(workbench: Workbench, undo: readonly string[]): Promise<void> {
  const fault = await undoRollback(workbench.client, undo);
  if (fault !== undefined) workbench.refuse(fault);
  else workbench.notices.tell({ text: "The rollback is undone.", tone: "good" });
}
