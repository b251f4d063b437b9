// The window: a bar of panels on the left, the tabs in the middle, the agent on the right, the status below.

import { createEffect, lazy, on, onCleanup, onMount, Show, Suspense } from "solid-js";
import { addAgentCommands } from "../agent/agent-commands.ts";
import { AgentSidebar } from "../agent/agent-sidebar.tsx";
import { recentFilesOf } from "../files/recent-files.ts";
import { dialogPage } from "../models/model-dialog-state.ts";
import { addReviewCommands } from "../review/review-commands.ts";
import { StatusBar } from "../status/status-bar.tsx";
import { TabBar } from "../tabs/tab-bar.tsx";
import { MenuHost } from "../ui/menu-host.tsx";
import { Resizer } from "../ui/resizer.tsx";
import { useWorkbench, type Workbench, WorkbenchContext } from "../workspace/workbench.ts";
import { ActivityBar, BottomBar } from "./activity-bar.tsx";
import { addAppCommands } from "./app-commands.ts";
import { DialogHost } from "./dialog-host.tsx";
import { usualLayout } from "./layout.ts";
import { loadAhead } from "./load-ahead.ts";
import { NoticeHost } from "./notice-host.tsx";
import { LeftSide } from "./panels.tsx";
import { focusRegion, rememberFocus } from "./regions.ts";
import { SignedOut } from "./signed-out.tsx";
import { Stage } from "./stage.tsx";
import { followTitle } from "./window-title.ts";
import "./app.css";

const Palette = lazy(async () => ({ default: (await import("../palette/palette.tsx")).Palette }));
const ModelDialog = lazy(async () => ({
  default: (await import("../models/model-dialog.tsx")).ModelDialog,
}));
const Tour = lazy(async () => ({ default: (await import("../tour/tour.tsx")).Tour }));

export function App(props: { readonly workbench: Workbench }) {
  const { workbench } = props;
  const { layout } = workbench;
  addAppCommands(workbench);
  addAgentCommands(workbench);
  addReviewCommands(workbench);
  followTitle(workbench);
  layout.fit(innerWidth, recentFilesOf(workbench.state.root).paths().length > 0);
  createEffect(() => {
    const path = workbench.activeTab()?.path;
    if (path) recentFilesOf(workbench.state.root).add(path);
  });
  // What is brought to the front is to be seen, also where only one thing is shown at a time.
  createEffect(on(workbench.views.shows, () => layout.set({ pane: "editor" }), { defer: true }));
  onMount(() => {
    const onKey = (event: KeyboardEvent) => {
      if (workbench.dialogs.isBusy || event.isComposing) return;
      if (workbench.commands.press(event)) {
        event.preventDefault();
        event.stopPropagation();
      }
    };
    const onLeave = (event: BeforeUnloadEvent) => {
      if (workbench.documents.hasUnsent() || workbench.state.tabs.some((tab) => tab.is_dirty))
        event.preventDefault();
    };
    const life = new AbortController();
    const { signal } = life;
    addEventListener("keydown", onKey, { capture: true, signal });
    addEventListener("beforeunload", onLeave, { signal });
    addEventListener("pagehide", () => workbench.documents.sendLast(), { signal });
    addEventListener("focusin", rememberFocus, { signal });
    onCleanup(loadAhead());
    onCleanup(() => {
      life.abort();
      workbench.feed.close();
    });
  });
  return (
    <WorkbenchContext.Provider value={workbench}>
      <button type="button" class="skip-link" onClick={() => focusRegion("editor")}>
        Skip to the editor
      </button>
      <header class="unseen">
        <h1>Stet: {workbench.state.name}</h1>
      </header>
      <div
        class="app"
        classList={{ "with-agent": layout.state.isAgentOpen, "with-left": layout.state.left !== null }}
        data-pane={layout.paneInFront()}
      >
        <SignedOut />
        <ActivityBar />
        <Show when={layout.state.left}>{(panel) => <LeftSide id={panel()} />}</Show>
        <main class="work column" aria-label="Editor" data-region="editor">
          <TabBar />
          <Stage />
        </main>
        <Show when={layout.state.isAgentOpen}>
          <AgentPlace />
        </Show>
        <NoticeHost />
        <StatusBar />
        <BottomBar />
      </div>
      <Suspense>
        <Palette />
        <Show when={dialogPage() !== undefined}>
          <ModelDialog />
        </Show>
        <Show when={workbench.state.isSample}>
          <Tour />
        </Show>
      </Suspense>
      <DialogHost />
      <MenuHost />
    </WorkbenchContext.Provider>
  );
}

function AgentPlace() {
  const { layout } = useWorkbench();
  return (
    <div
      class="agent-place"
      data-region="agent"
      {...layout.landmark("agent", "Agent")}
      style={{ width: `${layout.state.agentWidth}px` }}
    >
      <Resizer
        side="start"
        label="Width of the agent's sidebar"
        width={layout.state.agentWidth}
        usual={usualLayout.agentWidth}
        least={280}
        onResize={(agentWidth) => layout.set({ agentWidth })}
      />
      <AgentSidebar />
    </div>
  );
}
