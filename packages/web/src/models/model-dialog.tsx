// "Models": what can be connected, connecting one, and choosing among what is there.

import BackIcon from "lucide-solid/icons/arrow-left";
import XIcon from "lucide-solid/icons/x";
import { createEffect, Match, on, onCleanup, onMount, Show, Switch } from "solid-js";
import { agentOf } from "../agent/agent.ts";
import { IconButton } from "../ui/button.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import { ConnectPage } from "./connect-page.tsx";
import { closeModelDialog, type DialogPage, dialogPage, openModelDialog } from "./model-dialog-state.ts";
import { titleOf } from "./model-words.ts";
import { ModelsPage } from "./models-page.tsx";
import { StartPage } from "./start-page.tsx";
import "./model-dialog.css";

export function ModelDialog() {
  const workbench = useWorkbench();
  let element!: HTMLDialogElement;
  let body!: HTMLDivElement;
  const before = document.activeElement;
  onCleanup(workbench.dialogs.hold());
  onMount(() => element.showModal());
  // The first page looks for itself.
  if (dialogPage()?.kind !== "start") void workbench.loadModels();
  const as = <Kind extends DialogPage["kind"]>(kind: Kind) => {
    const page = dialogPage();
    return page?.kind === kind ? (page as Extract<DialogPage, { kind: Kind }>) : undefined;
  };
  const title = () => {
    const page = dialogPage();
    if (page === undefined || page.kind === "start") return "Connect a model";
    const provider = workbench.state.models?.providers.find(({ name }) => name === page.provider);
    const name = provider === undefined ? undefined : titleOf(provider);
    if (page.kind === "models") return name === undefined ? "Choose a model" : `Models of ${name}`;
    return name === undefined ? "Connect another server" : `Connect ${name}`;
  };
  const leave = () => {
    closeModelDialog();
    if (before instanceof HTMLElement && before.isConnected && before !== document.body) before.focus();
  };
  /** Somebody answers now: the next thing is to ask. */
  const done = () => {
    closeModelDialog();
    workbench.layout.set({ isAgentOpen: true });
    requestAnimationFrame(() => agentOf(workbench).composer?.focus());
  };
  // Another page begins at its first field.
  createEffect(
    on(dialogPage, () => {
      body.scrollTop = 0;
      if (!body.contains(document.activeElement))
        (
          body.querySelector<HTMLElement>("[data-first]") ?? body.querySelector<HTMLElement>("input, button")
        )?.focus();
    }),
  );
  return (
    <dialog
      class="model-dialog"
      ref={element}
      aria-labelledby="model-dialog-title"
      onCancel={(event) => {
        event.preventDefault();
        leave();
      }}
    >
      <header class="model-dialog-head row">
        <Show when={dialogPage()?.kind !== "start"}>
          <IconButton icon={BackIcon} label="Back to all providers" onPress={() => openModelDialog()} />
        </Show>
        <h2 id="model-dialog-title" class="grow">
          {title()}
        </h2>
        <IconButton icon={XIcon} label="Close" onPress={leave} />
      </header>
      <div class="model-dialog-body column" ref={body}>
        <Switch>
          <Match when={as("start")}>
            <StartPage onDone={done} />
          </Match>
          <Match when={as("connect")} keyed>
            {(page) => <ConnectPage name={page.provider} field={page.field} />}
          </Match>
          <Match when={as("models")} keyed>
            {(page) => <ModelsPage provider={page.provider} note={page.note} onDone={done} />}
          </Match>
        </Switch>
      </div>
    </dialog>
  );
}
