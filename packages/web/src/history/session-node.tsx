// One entry in the tree of a conversation.

import type { SessionTreeNode } from "@stet/protocol/api/sessions";
import BellIcon from "lucide-solid/icons/bell";
import BotIcon from "lucide-solid/icons/bot";
import CheckIcon from "lucide-solid/icons/check-check";
import DiffIcon from "lucide-solid/icons/file-diff";
import LayersIcon from "lucide-solid/icons/layers";
import StopIcon from "lucide-solid/icons/octagon-x";
import NoteIcon from "lucide-solid/icons/settings-2";
import UserIcon from "lucide-solid/icons/user";
import WrenchIcon from "lucide-solid/icons/wrench";
import type { Component } from "solid-js";
import { Show } from "solid-js";
import { Dynamic } from "solid-js/web";
import { firstLine, shownTime } from "./checkpoint-words.ts";

export const kinds: Readonly<
  Record<
    SessionTreeNode["kind"],
    { readonly title: string; readonly icon: Component<{ readonly size?: number }> }
  >
> = {
  user: { title: "You", icon: UserIcon },
  assistant: { title: "Agent", icon: BotIcon },
  tool: { title: "Tool", icon: WrenchIcon },
  turn: { title: "Turn", icon: DiffIcon },
  stop: { title: "Stopped", icon: StopIcon },
  decision: { title: "Decision", icon: CheckIcon },
  summary: { title: "Summary", icon: LayersIcon },
  delivery: { title: "From the background", icon: BellIcon },
  note: { title: "Note", icon: NoteIcon },
};

/** Deeper branches are not moved in any further: there must be room for words. */
const deepest = 12;

export function SessionNode(props: {
  readonly node: SessionTreeNode;
  readonly isChosen: boolean;
  readonly isLeaf: boolean;
  readonly onChoose: () => void;
  readonly onGoOn: () => void;
}) {
  const kind = () => kinds[props.node.kind];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the focus and answers the keys for the chosen item
    <div
      class="tree-node bar"
      id={`node-${props.node.entry_id}`}
      role="treeitem"
      tabIndex={-1}
      aria-level={props.node.depth + 1}
      aria-selected={props.isChosen}
      classList={{
        chosen: props.isChosen,
        faded: !props.node.is_on_path,
        own: props.node.kind === "user",
      }}
      style={{ "padding-inline-start": `${12 + 20 * Math.min(props.node.depth, deepest)}px` }}
      onClick={() => props.onChoose()}
      onDblClick={() => props.onGoOn()}
    >
      <span class="tree-icon faint">
        <Dynamic component={kind().icon} size={14} />
      </span>
      <span class="unseen">{kind().title}:</span>
      <span class="tree-text ellipsis">{firstLine(props.node.text) || "…"}</span>
      <Show when={!props.node.is_on_path}>
        <span class="unseen">on another way</span>
      </Show>
      <Show when={props.node.label}>
        {(label) => (
          <span class="tree-label">
            <span class="unseen">labelled </span>
            {label()}
          </span>
        )}
      </Show>
      <Show when={props.isLeaf}>
        <span class="tree-leaf">goes on here</span>
      </Show>
      <time datetime={props.node.ts} title={new Date(props.node.ts).toLocaleString()}>
        {shownTime(props.node.ts, Date.now())}
      </time>
    </div>
  );
}
