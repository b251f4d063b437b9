// What is in front.

import { createEffect, lazy, Match, on, Suspense, Switch } from "solid-js";
import { DocumentView } from "../editor/document-view.tsx";
import { type View, viewKey } from "../views/views.ts";
import { Welcome } from "../views/welcome.tsx";
import { useWorkbench } from "../workspace/workbench.ts";

const DiffView = lazy(async () => ({ default: (await import("../review/diff-view.tsx")).DiffView }));
const ConflictView = lazy(async () => ({
  default: (await import("../review/conflict-view.tsx")).ConflictView,
}));
const CheckpointView = lazy(async () => ({
  default: (await import("../history/checkpoint-view.tsx")).CheckpointView,
}));
const SessionView = lazy(async () => ({
  default: (await import("../history/session-view.tsx")).SessionView,
}));
const KeysView = lazy(async () => ({ default: (await import("../palette/keys-view.tsx")).KeysView }));

export function Stage() {
  const workbench = useWorkbench();
  const as = <Kind extends View["kind"]>(kind: Kind) => {
    const view = workbench.views.active();
    return view?.kind === kind ? (view as Extract<View, { kind: Kind }>) : undefined;
  };
  const document = () => workbench.activeTab()?.document;
  const role = () => {
    const view = workbench.views.active();
    return view === undefined ? {} : { role: "tabpanel" as const, "aria-labelledby": `tab-${viewKey(view)}` };
  };
  let stage!: HTMLDivElement;
  // What was pressed to come here may be gone with what was in front. A document takes the focus itself.
  createEffect(
    on(
      workbench.views.active,
      (view) => {
        if (view === undefined || view.kind === "document") return;
        requestAnimationFrame(() => {
          if (globalThis.document.activeElement === globalThis.document.body) stage.focus();
        });
      },
      { defer: true },
    ),
  );
  return (
    <div class="stage fill" id="stage" ref={stage} tabIndex={-1} {...role()}>
      <Suspense>
        <Switch fallback={<Welcome />}>
          <Match when={document()}>{(id) => <DocumentView document={id()} />}</Match>
          <Match when={as("diff")}>{(view) => <DiffView document={view().document} />}</Match>
          <Match when={as("conflict")}>{(view) => <ConflictView document={view().document} />}</Match>
          <Match when={as("checkpoint")}>
            {(view) => <CheckpointView checkpoint={view().checkpoint} filePath={view().filePath} />}
          </Match>
          <Match when={as("session")}>{(view) => <SessionView session={view().session} />}</Match>
          <Match when={as("keys")}>
            <KeysView />
          </Match>
        </Switch>
      </Suspense>
    </div>
  );
}
