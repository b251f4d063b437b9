// One file of a checkpoint in three columns that scroll as one: before the turn, as the agent proposed it, and now.

import { isFault } from "@stet/protocol/fault";
import DownIcon from "lucide-solid/icons/arrow-down";
import UpIcon from "lucide-solid/icons/arrow-up";
import { createEffect, createMemo, createSignal, For, on, Show, untrack } from "solid-js";
import { VList, type VListHandle } from "virtua/solid";
import { plural } from "../status/word-count.ts";
import { BareButton, IconButton } from "../ui/button.tsx";
import { reloadOn } from "../workspace/reload.ts";
import { useWorkbench } from "../workspace/workbench.ts";
import { isProse } from "./diff-blocks.ts";
import { type Side, sides, type ThreeRow, threeSides } from "./three-sides.ts";
import "./checkpoint-view.css";

const titles: Readonly<Record<Side, string>> = {
  before: "Before the turn",
  proposed: "The agent's proposal",
  now: "Now",
};

interface Texts {
  readonly checkpoint_base: string;
  readonly agent_proposed: string;
  readonly current_file: string;
}

export function CheckpointView(props: { readonly checkpoint: string; readonly filePath: string }) {
  const workbench = useWorkbench();
  const [texts, setTexts] = createSignal<Texts>();
  const [problem, setProblem] = createSignal<string>();
  const [chosen, setChosen] = createSignal<Side>("proposed");
  const [place, setPlace] = createSignal(-1);
  let list: VListHandle | undefined;

  const load = async () => {
    const { checkpoint, filePath } = props;
    const reply = await workbench.client.call("diff3", {
      params: { checkpoint_id: checkpoint },
      query: { file_path: filePath },
    });
    if (checkpoint !== props.checkpoint || filePath !== props.filePath) return;
    setProblem(isFault(reply) ? `${reply.message} ${reply.suggestion}` : undefined);
    if (!isFault(reply)) setTexts(reply);
  };
  createEffect(
    on(
      () => [props.checkpoint, props.filePath],
      () => {
        setTexts(undefined);
        setPlace(-1);
        void load();
      },
    ),
  );
  reloadOn(workbench, ["document.changed", "checkpoint.rollback.completed"], 400, load, (data) => {
    return !("path" in data) || data.path === props.filePath;
  });

  const view = createMemo(() => {
    const known = texts();
    return known && threeSides(known.checkpoint_base, known.agent_proposed, known.current_file);
  });
  const starts = () => view()?.starts ?? [];
  const showPlace = (next: number) => {
    setPlace(next);
    list?.scrollToIndex(starts()[next] ?? 0, { align: "center" });
  };
  // Opens where something differs, as soon as the list has measured itself.
  createEffect(() => {
    if (starts().length > 0 && untrack(place) < 0) requestAnimationFrame(() => showPlace(0));
  });
  const go = (step: 1 | -1) => {
    const count = starts().length;
    if (count === 0) return;
    const next = place() < 0 ? (step > 0 ? 0 : count - 1) : (place() + step + count) % count;
    showPlace(next);
  };

  return (
    <div class="threeway column" classList={{ prose: isProse(props.filePath) }} data-side={chosen()}>
      <div class="threeway-bar divided row">
        <h2>{props.filePath}</h2>
        <span class="threeway-count aside" role="status">
          <Show when={texts() !== undefined}>
            {starts().length === 0
              ? "All three are the same."
              : place() < 0
                ? plural(starts().length, "difference")
                : `${place() + 1} of ${plural(starts().length, "difference")}`}
          </Show>
        </span>
        <IconButton
          icon={UpIcon}
          label="Previous difference"
          disabled={starts().length === 0}
          onPress={() => go(-1)}
        />
        <IconButton
          icon={DownIcon}
          label="Next difference"
          disabled={starts().length === 0}
          onPress={() => go(1)}
        />
      </div>
      <div class="threeway-heads wide" aria-hidden="true">
        <For each={sides}>{(side) => <div class="threeway-head">{titles[side]}</div>}</For>
      </div>
      <fieldset class="threeway-heads narrow" aria-label="Which side">
        <For each={sides}>
          {(side) => (
            <BareButton
              class="threeway-tab soft"
              aria-pressed={chosen() === side}
              onPress={() => setChosen(side)}
            >
              {titles[side]}
            </BareButton>
          )}
        </For>
      </fieldset>
      <Show when={problem()}>{(text) => <p class="empty-note">{text()}</p>}</Show>
      <Show when={view()}>
        {(known) => (
          <div class="threeway-body fill">
            <VList
              ref={(handle) => {
                list = handle;
              }}
              data={known().rows}
              tabIndex={0}
              role="region"
              aria-label="Three sides of the file"
            >
              {(row) => <Row row={row} />}
            </VList>
          </div>
        )}
      </Show>
    </div>
  );
}

function Row(props: { readonly row: ThreeRow }) {
  return (
    <div class="threeway-row">
      <For each={sides}>{(side) => <Cell row={props.row} side={side} />}</For>
    </div>
  );
}

function Cell(props: { readonly row: ThreeRow; readonly side: Side }) {
  const number = () => props.row.numbers[props.side];
  const differs = () => props.row.region?.differs(props.side) === true;
  const marks = () => props.row.region?.lines(props.side)[props.row.offset] ?? [];
  return (
    <div
      class={`threeway-cell ${props.side}`}
      classList={{ differs: differs() && number() !== null, gap: number() === null }}
    >
      <span class="threeway-number faint">{number() ?? ""}</span>
      <span class="threeway-text verbatim">
        <Show when={number() !== null}>
          <Show when={props.row.region !== null} fallback={props.row.same}>
            <For each={marks()}>
              {({ text, isMarked }) => (
                <Show when={isMarked && differs()} fallback={text}>
                  <mark>{text}</mark>
                </Show>
              )}
            </For>
          </Show>
        </Show>
      </span>
    </div>
  );
}
