// Every checkpoint of the folder, what its turn changed, and the way back: whole, or by the changes that are ticked.

import type { Reply } from "@stet/protocol/api/route";
import type { Routes } from "@stet/protocol/api/routes";
import { cutText } from "@stet/protocol/cut-text";
import { isFault } from "@stet/protocol/fault";
import { createEffect, createMemo, createSignal, For, Match, on, Show, Switch } from "solid-js";
import { createStore, reconcile } from "solid-js/store";
import { VList } from "virtua/solid";
import { plural } from "../status/word-count.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { onHistoryChange } from "../workspace/reload.ts";
import { useWorkbench } from "../workspace/workbench.ts";
import { ActionsRow, FileRow, HunkRow, TurnRow } from "./checkpoint-row-views.tsx";
import { type CheckpointRow, CheckpointRows, chosenOf, withAll } from "./checkpoint-rows.ts";
import { type Checkpoint, holdsWords, turnTitle } from "./checkpoint-words.ts";
import { RollbackDialog, type RollbackQuestion } from "./rollback-dialog.tsx";

type Session = Reply<Routes["listSessions"]>["sessions"][number];

const firstLoad = 200;
const mostLoaded = 1000;

export function AllCheckpoints() {
  const workbench = useWorkbench();
  const [state, set] = createStore<{ checkpoints: Checkpoint[]; sessions: Session[]; isLoaded: boolean }>({
    checkpoints: [],
    sessions: [],
    isLoaded: false,
  });
  const [session, setSession] = createSignal("");
  const [words, setWords] = createSignal("");
  const [limit, setLimit] = createSignal(firstLoad);
  const [open, setOpen] = createSignal<ReadonlySet<string>>(new Set());
  const [chosen, setChosen] = createSignal<ReadonlySet<string>>(new Set());
  const [question, setQuestion] = createSignal<RollbackQuestion>();

  const load = async () => {
    const only = session() === "" ? {} : { session_id: session() };
    const [checkpoints, sessions] = await Promise.all([
      workbench.client.call("listCheckpoints", { query: { ...only, limit: limit() } }),
      workbench.client.call("listSessions", { query: { limit: 500 } }),
    ]);
    if (!isFault(checkpoints)) {
      set("checkpoints", reconcile(checkpoints.checkpoints, { key: "checkpoint_id" }));
      set("isLoaded", true);
    }
    if (!isFault(sessions)) set("sessions", reconcile(sessions.sessions, { key: "session_id" }));
  };
  createEffect(on([session, limit], load));
  onHistoryChange(workbench, load);

  const summaries = createMemo(() => new Map(state.checkpoints.map(({ turn, summary }) => [turn, summary])));
  const titleOf = (checkpoint: Checkpoint) => turnTitle(checkpoint, (turn) => summaries().get(turn));
  const found = createMemo(() =>
    state.checkpoints.filter((checkpoint) => {
      const paths = checkpoint.affected_files.map((file) => file.file_path);
      return holdsWords(words(), titleOf(checkpoint), paths);
    }),
  );
  const rows = new CheckpointRows();
  const shown = createMemo(() => rows.of(found(), open()));

  const toggleOpen = (id: string) => {
    setOpen((known) => withAll(known, [id], !known.has(id)));
  };
  const rollBack = (checkpoint: Checkpoint, hunks?: readonly string[]) => {
    const title = `“${cutText(titleOf(checkpoint), 70)}”`;
    setQuestion(
      hunks === undefined
        ? {
            title: `Go back to before ${title}?`,
            rollbacks: [{ checkpoint: checkpoint.checkpoint_id }],
          }
        : {
            title: `Take back ${plural(hunks.length, "change")} of ${title}?`,
            rollbacks: [{ checkpoint: checkpoint.checkpoint_id, hunks }],
          },
    );
  };
  const as = <Kind extends CheckpointRow["kind"]>(row: CheckpointRow, kind: Kind) =>
    row.kind === kind ? (row as Extract<CheckpointRow, { kind: Kind }>) : undefined;

  return (
    <>
      <div class="history-filter divided">
        <Field
          type="search"
          label="Filter the checkpoints"
          placeholder="Filter by words or file"
          value={words()}
          onType={setWords}
        />
        <Show when={state.sessions.length > 1}>
          <select
            class="field"
            aria-label="Of which conversation"
            value={session()}
            onChange={(event) => setSession(event.currentTarget.value)}
          >
            <option value="">All conversations</option>
            <For each={state.sessions}>
              {(item) => (
                <option value={item.session_id}>{cutText(item.title || "Without a title", 60)}</option>
              )}
            </For>
          </select>
        </Show>
      </div>
      <Show when={state.isLoaded && shown().length === 0}>
        <p class="empty-note">
          <Show
            when={state.checkpoints.length === 0 && session() === ""}
            fallback="No checkpoint fits the filter."
          >
            There are no checkpoints yet. One is kept before every turn of the agent that changes something,
            so that you can go back, whole or in part.
          </Show>
        </p>
      </Show>
      <section class="history-list fill" aria-label="Checkpoints, the newest first">
        <VList data={shown()}>
          {(row) => (
            <Switch>
              <Match when={as(row, "checkpoint")}>
                {(of) => (
                  <TurnRow
                    checkpoint={of().checkpoint}
                    title={titleOf(of().checkpoint)}
                    isOpen={open().has(of().checkpoint.checkpoint_id)}
                    onToggle={() => toggleOpen(of().checkpoint.checkpoint_id)}
                  />
                )}
              </Match>
              <Match when={as(row, "actions")}>
                {(of) => (
                  <ActionsRow
                    count={chosenOf(of().checkpoint, chosen()).length}
                    onAll={() => rollBack(of().checkpoint)}
                    onChosen={() => rollBack(of().checkpoint, chosenOf(of().checkpoint, chosen()))}
                  />
                )}
              </Match>
              <Match when={as(row, "file")}>
                {(of) => (
                  <FileRow
                    checkpoint={of().checkpoint}
                    file={of().file}
                    chosen={chosen()}
                    onChoose={(hunks, isChosen) => setChosen(withAll(chosen(), hunks, isChosen))}
                  />
                )}
              </Match>
              <Match when={as(row, "hunk")}>
                {(of) => (
                  <HunkRow
                    file={of().file}
                    hunk={of().hunk}
                    isChosen={chosen().has(of().hunk.hunk_id)}
                    onChoose={(isChosen) => setChosen(withAll(chosen(), [of().hunk.hunk_id], isChosen))}
                  />
                )}
              </Match>
            </Switch>
          )}
        </VList>
      </section>
      <Show when={state.checkpoints.length >= limit() && limit() < mostLoaded}>
        <Button small class="history-more" onPress={() => setLimit(mostLoaded)}>
          Show older ones
        </Button>
      </Show>
      <Show when={question()} keyed>
        {(asked) => (
          <RollbackDialog
            question={asked}
            onClose={() => setQuestion(undefined)}
            onDone={() => setChosen(new Set<string>())}
          />
        )}
      </Show>
    </>
  );
}
