// The turns that changed the document in front, what each of them did, and the way back to before it.

import type { Reply } from "@stet/protocol/api/route";
import type { Routes } from "@stet/protocol/api/routes";
import type { ListedTab } from "@stet/protocol/api/tabs";
import { isFault } from "@stet/protocol/fault";
import BotIcon from "lucide-solid/icons/bot";
import ColumnsIcon from "lucide-solid/icons/columns-3";
import UndoIcon from "lucide-solid/icons/undo-2";
import { createEffect, createMemo, createResource, createSignal, on, Show } from "solid-js";
import { createStore, reconcile } from "solid-js/store";
import { VList } from "virtua/solid";
import { BareButton, Button, IconButton } from "../ui/button.tsx";
import { onHistoryChange } from "../workspace/reload.ts";
import type { Workbench } from "../workspace/workbench.ts";
import { useWorkbench } from "../workspace/workbench.ts";
import { shownTime, turnTitle } from "./checkpoint-words.ts";
import { blocksBetween, isProse, withVerdicts } from "./diff-blocks.ts";
import { DiffBlocks } from "./diff-blocks-view.tsx";

type Turn = Reply<Routes["turnHistory"]>["turns"][number];

export function DocumentTurns() {
  const workbench = useWorkbench();
  const tab = createMemo(() => workbench.activeTab());
  return (
    <Show
      when={tab()?.tab_id}
      keyed
      fallback={<p class="empty-note">Open a document to see the turns that changed it.</p>}
    >
      {(id) => (
        <Show
          when={tab()?.file_type !== "binary"}
          fallback={<p class="empty-note">This is no text, so the agent does not change it.</p>}
        >
          <TurnsOf tabId={id} />
        </Show>
      )}
    </Show>
  );
}

function TurnsOf(props: { readonly tabId: string }) {
  const workbench = useWorkbench();
  const [state, set] = createStore<{ turns: Turn[]; isLoaded: boolean }>({ turns: [], isLoaded: false });
  const [chosen, setChosen] = createSignal<string>();
  const tab = () => workbench.state.tabs.find((candidate) => candidate.tab_id === props.tabId);
  const load = async () => {
    const reply = await workbench.client.call("turnHistory", { params: { tab_id: props.tabId } });
    if (isFault(reply)) return;
    set("turns", reconcile(reply.turns, { key: "checkpoint_id" }));
    if (!state.isLoaded) setChosen(reply.turns[0]?.checkpoint_id);
    set("isLoaded", true);
  };
  createEffect(on(() => props.tabId, load));
  onHistoryChange(workbench, load);

  const summaries = createMemo(() => new Map(state.turns.map(({ turn, summary }) => [turn, summary])));
  const titleOf = (turn: Turn) => turnTitle(turn, (id) => summaries().get(id));
  const turn = () => state.turns.find(({ checkpoint_id }) => checkpoint_id === chosen());
  return (
    <Show
      when={state.turns.length > 0}
      fallback={
        <Show when={state.isLoaded}>
          <p class="empty-note">
            The agent has not changed this document yet. Each of its turns will be listed here, and you can
            always go back to before it.
          </p>
        </Show>
      }
    >
      <div
        class="history-split fill"
        style={{ "grid-template-rows": turn() === undefined ? undefined : rowsFor(state.turns.length) }}
      >
        <section class="history-turns fill" aria-label="Turns, the newest first">
          <VList data={state.turns} itemSize={52}>
            {(item) => (
              <BareButton
                class="history-turn ring-inside hovers stretched"
                aria-current={chosen() === item.checkpoint_id}
                onPress={() => setChosen(item.checkpoint_id)}
              >
                <span class="history-number faint" title={`Turn ${item.number}`}>
                  {item.number}
                </span>
                <span class="history-title ellipsis">{titleOf(item)}</span>
                <span class="history-about quiet">
                  <Show when={item.kind === "agent"} fallback={<UndoIcon size={12} />}>
                    <BotIcon size={12} />
                  </Show>
                  {item.kind === "agent" ? "Agent" : "You"} ·{" "}
                  <time datetime={item.created_at} title={new Date(item.created_at).toLocaleString()}>
                    {shownTime(item.created_at, Date.now())}
                  </time>
                </span>
              </BareButton>
            )}
          </VList>
        </section>
        <Show when={turn()?.checkpoint_id} keyed>
          {(id) => <Show when={tab()}>{(of) => <TurnDiff checkpoint={id} turn={turn()} tab={of()} />}</Show>}
        </Show>
      </div>
    </Show>
  );
}

function TurnDiff(props: {
  readonly checkpoint: string;
  readonly turn: Turn | undefined;
  readonly tab: ListedTab;
}) {
  const workbench = useWorkbench();
  const name = () => props.tab.path ?? props.tab.title;
  const [sides] = createResource(
    () => ({ params: { checkpoint_id: props.checkpoint }, query: { file_path: name() } }),
    (request) => workbench.client.call("diff3", request),
  );
  const [checkpoint, { refetch }] = createResource(
    () => props.checkpoint,
    (checkpoint_id) => workbench.client.call("getCheckpoint", { params: { checkpoint_id } }),
  );
  onHistoryChange(workbench, () => void refetch());
  // What is asked for while it is on its way makes the whole panel go until then, and the focus with it.
  const knownSides = () => (sides.state === "pending" ? undefined : sides.latest);
  const knownCheckpoint = () => (checkpoint.state === "pending" ? undefined : checkpoint.latest);
  const hunks = () => {
    const value = knownCheckpoint();
    if (value === undefined || isFault(value)) return [];
    return value.affected_files.find(({ document }) => document === props.tab.document)?.hunks ?? [];
  };
  const blocks = createMemo(() => {
    const value = knownSides();
    return value === undefined || isFault(value)
      ? []
      : blocksBetween(value.checkpoint_base, value.agent_proposed, isProse(props.tab.path) ? 1 : 3);
  });
  const shown = createMemo(() => withVerdicts(blocks(), hunks()));
  const refusal = () => {
    const value = knownSides();
    return isFault(value) ? value : undefined;
  };
  const label = () => `What turn ${props.turn?.number ?? ""} changed`;
  return (
    <section class="history-diff column" aria-label={label()}>
      <div class="history-diff-head divided row">
        <h3>{label()}</h3>
        <IconButton
          icon={ColumnsIcon}
          label="Compare three ways"
          onPress={() =>
            workbench.views.show({
              kind: "checkpoint",
              checkpoint: props.checkpoint,
              filePath: name(),
              title: `${props.tab.title}, turn ${props.turn?.number ?? ""}`,
            })
          }
        />
        <Button
          small
          title={`Brings back ${props.tab.title} as it was before this turn`}
          onPress={() => restore(workbench, props.tab, props.checkpoint, props.turn?.number)}
        >
          Restore
        </Button>
      </div>
      <Show when={refusal()}>{(fault) => <p class="empty-note">{fault().message}</p>}</Show>
      <Show when={!sides.loading && refusal() === undefined && blocks().length === 0}>
        <p class="empty-note">It left the text as it was.</p>
      </Show>
      <div class="history-diff-body fill">
        <DiffBlocks blocks={shown()} path={props.tab.path} label="The changed lines" />
      </div>
    </section>
  );
}

/** The list takes what it needs, and at most two fifths; the rest is for what the chosen turn changed. */
function rowsFor(turns: number): string {
  return `min(40%, ${turns * 3.25 + 2.75}rem) minmax(0, 1fr)`;
}

/** The document as it was before a turn; what is there now is kept, and can be brought back in turn. */
async function restore(
  workbench: Workbench,
  tab: ListedTab,
  checkpoint: string,
  number: number | undefined,
): Promise<void> {
  const fault = await workbench.documents.settle(tab.document);
  if (fault !== undefined) {
    workbench.refuse(fault);
    return;
  }
  const back = (checkpoint_id: string) =>
    workbench.ask("restoreTurn", { params: { tab_id: tab.tab_id }, body: { checkpoint_id } });
  const restored = await back(checkpoint);
  if (restored === undefined) return;
  const { checkpoint_id: undo } = restored;
  if (undo === null) {
    workbench.notices.tell({ text: `${tab.title} already is as it was before that turn.`, tone: "plain" });
    return;
  }
  workbench.notices.tell({
    text: `${tab.title} is as it was before turn ${number ?? ""}.`,
    tone: "good",
    action: {
      label: "Undo",
      run: async () => {
        if ((await back(undo)) !== undefined)
          workbench.notices.tell({ text: `${tab.title} is as it was before you restored it.`, tone: "good" });
      },
    },
  });
}
