// One row each of the list of checkpoints.

import BotIcon from "lucide-solid/icons/bot";
import ChevronIcon from "lucide-solid/icons/chevron-right";
import ColumnsIcon from "lucide-solid/icons/columns-3";
import UndoIcon from "lucide-solid/icons/undo-2";
import { createEffect, Show } from "solid-js";
import { BareButton, Button, IconButton } from "../ui/button.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import { type CheckpointHunk, revertible, tickedOf } from "./checkpoint-rows.ts";
import { type Checkpoint, type CheckpointFile, shownTime, sizeOf } from "./checkpoint-words.ts";
import { changeBlocks, changeOfReverse, isProse } from "./diff-blocks.ts";
import { Change, VerdictWord } from "./diff-blocks-view.tsx";

export function TurnRow(props: {
  readonly checkpoint: Checkpoint;
  readonly title: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}) {
  const at = () => props.checkpoint.created_at;
  return (
    <BareButton
      class="history-turn ring-inside hovers stretched"
      aria-expanded={props.isOpen}
      onPress={() => props.onToggle()}
    >
      <span class="history-chevron faint">
        <ChevronIcon size={14} />
      </span>
      <span class="history-title ellipsis">{props.title}</span>
      <span class="history-about quiet">
        <Show when={props.checkpoint.kind === "agent"} fallback={<UndoIcon size={12} aria-label="You" />}>
          <BotIcon size={12} aria-label="Agent" />
        </Show>
        {sizeOf(props.checkpoint)}
        {"\u00a0· "}
        <time datetime={at()} title={new Date(at()).toLocaleString()}>
          {shownTime(at(), Date.now())}
        </time>
      </span>
    </BareButton>
  );
}

export function ActionsRow(props: {
  readonly count: number;
  readonly onAll: () => void;
  readonly onChosen: () => void;
}) {
  return (
    <div class="history-actions cluster">
      <Button small data-tour="roll-back" onPress={() => props.onAll()}>
        Roll back everything …
      </Button>
      <Button small disabled={props.count === 0} onPress={() => props.onChosen()}>
        {props.count === 0 ? "Roll back ticked …" : `Roll back ${props.count} ticked …`}
      </Button>
    </div>
  );
}

export function FileRow(props: {
  readonly checkpoint: Checkpoint;
  readonly file: CheckpointFile;
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (hunks: readonly string[], isChosen: boolean) => void;
}) {
  const workbench = useWorkbench();
  const name = () =>
    props.file.file_path ??
    workbench.state.tabs.find((tab) => tab.document === props.file.document)?.title ??
    "A document without a file";
  const ticked = () => tickedOf(props.file, props.chosen);
  return (
    <div class="history-file row">
      <label>
        <input
          type="checkbox"
          checked={ticked() === "all"}
          ref={(box) =>
            createEffect(() => {
              box.indeterminate = ticked() === "some";
            })
          }
          disabled={revertible(props.file).length === 0}
          onChange={(event) => props.onChoose(revertible(props.file), event.currentTarget.checked)}
        />
        <span class="history-file-name ellipsis">{name()}</span>
      </label>
      <IconButton
        icon={ColumnsIcon}
        size={15}
        label={`Compare ${name()} three ways`}
        title="Compare three ways: before, the agent's proposal, now"
        onPress={() =>
          workbench.views.show({
            kind: "checkpoint",
            checkpoint: props.checkpoint.checkpoint_id,
            filePath: name(),
            title: `Compare ${name().split("/").at(-1)}`,
          })
        }
      />
    </div>
  );
}

export function HunkRow(props: {
  readonly file: CheckpointFile;
  readonly hunk: CheckpointHunk;
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
}) {
  const change = () => changeOfReverse(props.hunk.reverse_patch);
  const isBack = () => props.hunk.verdict === "rejected";
  /** A long one is shown by its beginning; comparing shows all of it. */
  const first = () => changeBlocks(change().line, change().removed, change().added)[0] ?? change();
  return (
    <div class="history-hunk">
      <input
        type="checkbox"
        aria-label={`The change at line ${change().line} of ${props.file.file_path ?? "the document"}`}
        checked={props.isChosen && !isBack()}
        disabled={isBack()}
        onChange={(event) => props.onChoose(event.currentTarget.checked)}
      />
      <div>
        <VerdictWord verdict={props.hunk.verdict ?? "open"} />
        <div class="history-hunk-text">
          <Change block={first()} isProse={isProse(props.file.file_path)} />
        </div>
      </div>
    </div>
  );
}
