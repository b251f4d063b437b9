// A conversation as a tree: what was said on every way, where it goes on, names for places, and going on from an earlier one.

import type { SessionTreeNode, TreeFilter } from "@stet/protocol/api/sessions";
import { isFault } from "@stet/protocol/fault";
import { createEffect, createMemo, createSignal, For, on, Show } from "solid-js";
import { createStore, reconcile } from "solid-js/store";
import { VList, type VListHandle } from "virtua/solid";
import { agentOf } from "../agent/agent.ts";
import { fillComposer } from "../agent/composer-text.ts";
import { plural } from "../status/word-count.ts";
import { Field } from "../ui/field.tsx";
import { reloadOn } from "../workspace/reload.ts";
import { soon } from "../workspace/soon.ts";
import { useWorkbench } from "../workspace/workbench.ts";
import { RollbackDialog, type RollbackQuestion } from "./rollback-dialog.tsx";
import { SessionDetail } from "./session-detail.tsx";
import { SessionNode } from "./session-node.tsx";
import { movedBy, placeOfLeaf } from "./session-rows.ts";
import "./session-view.css";

const filters = [
  { id: "no-tools", title: "Messages" },
  { id: "default", title: "With tools" },
  { id: "user-only", title: "Mine" },
  { id: "labeled-only", title: "Labelled" },
  { id: "all", title: "All" },
] as const satisfies readonly { readonly id: TreeFilter; readonly title: string }[];

const empty: Readonly<Record<TreeFilter, string>> = {
  "no-tools": "Nothing was said in this conversation yet.",
  default: "Nothing was said in this conversation yet.",
  "user-only": "You have said nothing in this conversation yet.",
  "labeled-only": "No place has a label yet. Choose a message and give it one, to find it again.",
  all: "Nothing happened in this conversation yet.",
};

export function SessionView(props: { readonly session: string }) {
  const workbench = useWorkbench();
  const [state, set] = createStore<{
    nodes: SessionTreeNode[];
    leaf: string | null;
    isCut: boolean;
    isLoaded: boolean;
  }>({ nodes: [], leaf: null, isCut: false, isLoaded: false });
  const [filter, setFilter] = createSignal<TreeFilter>("no-tools");
  const [words, setWords] = createSignal("");
  const [searched, setSearched] = createSignal("");
  const [chosen, setChosen] = createSignal<string>();
  const [question, setQuestion] = createSignal<RollbackQuestion>();
  let list: VListHandle | undefined;
  let asked = 0;

  const load = async () => {
    asked += 1;
    const own = asked;
    const query = searched().trim() === "" ? {} : { query: searched() };
    const reply = await workbench.client.call("sessionTree", {
      params: { session_id: props.session },
      query: { filter: filter(), limit: 20_000, ...query },
    });
    if (own !== asked) return;
    if (isFault(reply)) {
      workbench.refuse(reply);
      return;
    }
    const isFirst = !state.isLoaded;
    set("nodes", reconcile(reply.nodes, { key: "entry_id" }));
    set({ leaf: reply.leaf_id, isCut: reply.truncated, isLoaded: true });
    if (isFirst) queueMicrotask(() => choose(placeOfLeaf(state.nodes, state.leaf)));
  };
  createEffect(on([() => props.session, filter, searched], load));
  const searchSoon = soon(200, () => setSearched(words()));
  reloadOn(workbench, ["job.status", "session.changed"], 250, load, (data) => {
    return data.session_id === props.session;
  });

  const place = createMemo(() => state.nodes.findIndex(({ entry_id }) => entry_id === chosen()));
  const node = () => state.nodes[place()];
  const choose = (index: number) => {
    const next = state.nodes[index];
    if (next === undefined) return;
    setChosen(next.entry_id);
    list?.scrollToIndex(index, { align: "nearest" });
  };

  const goOn = async (entry: SessionTreeNode) => {
    const reply = await workbench.ask("branchSession", {
      params: { session_id: props.session },
      body: { entry_id: entry.entry_id },
    });
    if (reply === undefined) return;
    await load();
    await agentOf(workbench).open(props.session);
    fillComposer(workbench, reply.prefill ?? "");
    const left = reply.left_turns;
    if (left.length === 0) return;
    const choice = await workbench.dialogs.choose({
      title: "What about the files?",
      text: `The way that you left changed documents in ${plural(left.length, "turn")}. They can stay as they are now, or go back to what they were.`,
      choices: [
        { id: "keep", label: "Keep the files as they are", isDefault: true },
        { id: "back", label: left.length === 1 ? "Roll that turn back …" : "Roll those turns back …" },
      ],
    });
    if (choice !== "back") return;
    setQuestion({
      title: `Roll back ${plural(left.length, "turn")}?`,
      rollbacks: left.map(({ checkpoint_id }) => ({ checkpoint: checkpoint_id })),
    });
  };

  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const current = node();
    if (event.key === "Enter" && current !== undefined) {
      event.preventDefault();
      void goOn(current);
      return;
    }
    const next = movedBy(event.key, state.nodes, Math.max(0, place()));
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
  };

  return (
    <div class="tree-view column">
      <div class="tree-bar divided bar">
        <fieldset class="tree-filters" aria-label="What to show">
          <For each={filters}>
            {({ id, title }) => (
              <button type="button" aria-pressed={filter() === id} onClick={() => setFilter(id)}>
                {title}
              </button>
            )}
          </For>
        </fieldset>
        <Field
          type="search"
          label="Search the conversation"
          placeholder="Search the conversation"
          value={words()}
          onType={(text) => {
            setWords(text);
            searchSoon();
          }}
        />
      </div>
      <Show when={state.isLoaded && state.nodes.length === 0}>
        <p class="empty-note">
          {searched().trim() === "" ? empty[filter()] : "No message holds these words."}
        </p>
      </Show>
      <Show when={state.isCut}>
        <p class="empty-note">This conversation is very long. Search for words to see the rest.</p>
      </Show>
      <div class="tree-body fill">
        <Show when={state.nodes.length > 0}>
          <VList
            ref={(handle) => {
              list = handle;
            }}
            data={state.nodes}
            itemSize={34}
            keepMounted={place() < 0 ? [] : [place()]}
            role="tree"
            tabIndex={0}
            aria-label="The conversation as a tree"
            aria-activedescendant={node() === undefined ? undefined : `node-${chosen()}`}
            onKeyDown={onKey}
          >
            {(item) => (
              <SessionNode
                node={item}
                isChosen={chosen() === item.entry_id}
                isLeaf={state.leaf === item.entry_id}
                onChoose={() => setChosen(item.entry_id)}
                onGoOn={() => void goOn(item)}
              />
            )}
          </VList>
        </Show>
      </div>
      <Show when={node()}>
        {(current) => (
          <SessionDetail
            session={props.session}
            node={current()}
            onLabel={() => void load()}
            onGoOn={() => void goOn(current())}
          />
        )}
      </Show>
      <Show when={question()} keyed>
        {(open) => <RollbackDialog question={open} onClose={() => setQuestion(undefined)} />}
      </Show>
    </div>
  );
}
