// Which panel is shown: a column of buttons at the edge of a wide window, a bar at the bottom of a narrow one.

import MoreIcon from "lucide-solid/icons/ellipsis";
import EditorIcon from "lucide-solid/icons/file-text";
import AgentIcon from "lucide-solid/icons/message-square-text";
import { type Component, createMemo, For, Show } from "solid-js";
import { Dynamic } from "solid-js/web";
import { openCount } from "../review/open-count.ts";
import { BareButton } from "../ui/button.tsx";
import { showMenu } from "../ui/menu.ts";
import { useWorkbench } from "../workspace/workbench.ts";
import type { LeftPanel } from "./layout.ts";
import { type Panel, panels } from "./panels.tsx";

export function ActivityBar() {
  const workbench = useWorkbench();
  const { layout, commands } = workbench;
  const hunks = createMemo(() => openCount(workbench));
  return (
    <nav class="activity column" aria-label="Panels">
      <For each={panels}>
        {(panel) => (
          <BareButton
            class="activity-button soft"
            data-tour={`panel-${panel.id}`}
            aria-pressed={layout.state.left === panel.id}
            aria-label={labelOf(panel, hunks())}
            title={commands.titleOf(panel.title, `panel.${panel.id}`)}
            onPress={() => layout.togglePanel(panel.id)}
          >
            <Dynamic component={panel.icon} size={20} />
            <Count of={panel.id === "review" ? hunks() : 0} />
          </BareButton>
        )}
      </For>
      <span class="activity-space" />
      <BareButton
        class="activity-button soft"
        aria-pressed={layout.state.isAgentOpen}
        aria-label="Agent"
        title={commands.titleOf("Agent", "panel.agent")}
        onPress={() => layout.set({ isAgentOpen: !layout.state.isAgentOpen })}
      >
        <AgentIcon size={20} />
      </BareButton>
    </nav>
  );
}

/** In a narrow window one thing is shown at a time. */
export function BottomBar() {
  const workbench = useWorkbench();
  const { layout } = workbench;
  const hunks = createMemo(() => openCount(workbench));
  const shows = (panel: LeftPanel) => layout.state.pane === "panel" && layout.state.left === panel;
  const others = () => panels.filter(({ id }) => id !== "files" && id !== "review");
  return (
    <nav class="bottom-bar" aria-label="What is shown">
      <Place
        title="Files"
        icon={panels[0]?.icon ?? EditorIcon}
        isShown={shows("files")}
        onPress={() => layout.set({ left: "files" })}
      />
      <Place
        title="Editor"
        icon={EditorIcon}
        isShown={layout.state.pane === "editor"}
        onPress={() => layout.set({ pane: "editor" })}
      />
      <Place
        title="Review"
        icon={panels[3]?.icon ?? EditorIcon}
        tour="panel-review"
        isShown={shows("review")}
        count={hunks()}
        onPress={() => layout.set({ left: "review" })}
      />
      <Place
        title="Agent"
        icon={AgentIcon}
        isShown={layout.state.pane === "agent"}
        onPress={() => layout.set({ isAgentOpen: true })}
      />
      <Place
        title="More"
        icon={MoreIcon}
        tour="panel-more"
        isShown={layout.state.pane === "panel" && others().some(({ id }) => id === layout.state.left)}
        onPress={(at) =>
          showMenu({
            label: "More",
            at,
            entries: [
              ...others().map(({ id, title }) => ({ label: title, run: () => layout.set({ left: id }) })),
              "line",
              { label: "All commands", run: () => workbench.commands.run("palette.commands") },
            ],
          })
        }
      />
    </nav>
  );
}

function Place(props: {
  readonly title: string;
  readonly icon: Component<{ readonly size?: number }>;
  readonly isShown: boolean;
  readonly count?: number;
  /** As the tour calls it. */
  readonly tour?: string;
  readonly onPress: (button: Element) => void;
}) {
  return (
    <button
      type="button"
      class="bottom-button"
      data-tour={props.tour}
      aria-pressed={props.isShown}
      onClick={(event) => props.onPress(event.currentTarget)}
    >
      <Dynamic component={props.icon} size={20} />
      <span>{props.title}</span>
      <Count of={props.count ?? 0} />
    </button>
  );
}

function Count(props: { readonly of: number }) {
  return (
    <Show when={props.of > 0}>
      <span class="activity-count">
        {props.of > 999 ? "1k+" : props.of}
        <span class="unseen"> open</span>
      </span>
    </Show>
  );
}

function labelOf({ id, title }: Panel, hunks: number): string {
  return id === "review" && hunks > 0 ? `${title}, ${hunks} open` : title;
}
