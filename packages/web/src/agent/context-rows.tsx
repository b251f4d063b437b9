// What the agent sees with every request, above the composer.

import FileIcon from "lucide-solid/icons/file-text";
import PinIcon from "lucide-solid/icons/pin";
import PinOffIcon from "lucide-solid/icons/pin-off";
import SelectionIcon from "lucide-solid/icons/text-cursor";
import XIcon from "lucide-solid/icons/x";
import { For, Show } from "solid-js";
import { BareButton, IconButton } from "../ui/button.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import { type Agent, agentOf } from "./agent.ts";
import {
  clearContext,
  isNamed,
  removeContextRow,
  rowLabel,
  rowLines,
  rowName,
  shownTokens,
  togglePin,
} from "./context.ts";

export function ContextRows(props: { readonly agent: Agent }) {
  const workbench = useWorkbench();
  const rows = () => props.agent.state.rows;
  const total = () => rows().reduce((sum, row) => sum + row.tokens, 0);
  return (
    <Show when={rows().length > 0}>
      <section class="context" aria-label="Context for the agent">
        <div class="context-head aside">
          <span>The agent also knows of this</span>
          <span class="faint">about {shownTokens(total())} tokens</span>
          <BareButton class="context-clear soft" onPress={() => clearContext(workbench)}>
            Clear
          </BareButton>
        </div>
        <ul class="context-rows unlisted column">
          <For each={rows()}>{(row) => <Row id={row.id} />}</For>
        </ul>
      </section>
    </Show>
  );
}

function Row(props: { readonly id: string }) {
  const workbench = useWorkbench();
  const row = () => agentOf(workbench).state.rows.find(({ id }) => id === props.id);
  return (
    <Show when={row()}>
      {(known) => {
        const isPinned = () => known().kind === "pinned";
        const open = () => {
          const { file_path: path, start_line: line } = known();
          if (path !== undefined) void workbench.openFile(path, line);
        };
        const pinning = () =>
          isPinned() ? "Do not keep for new conversations" : "Keep for new conversations";
        return (
          <li class="context-row card row" classList={{ pinned: isPinned() }}>
            <BareButton class="context-name row grow" title={rowName(known())} onPress={open}>
              <Show
                when={known().start_line === undefined && known().file_path !== undefined}
                fallback={<SelectionIcon size={13} aria-hidden="true" />}
              >
                <FileIcon size={13} aria-hidden="true" />
              </Show>
              <span class="context-path ellipsis">{rowName(known())}</span>
              <Show when={rowLines(known())}>
                <span class="context-lines faint">{rowLines(known())}</span>
              </Show>
            </BareButton>
            <Show
              when={isNamed(known())}
              fallback={
                <span class="faint" title="Tokens of the model's context">
                  {shownTokens(known().tokens)}
                </span>
              }
            >
              <span class="faint" title="The agent is told of the file, and reads it where it needs it">
                by name
              </span>
            </Show>
            <IconButton
              icon={isPinned() ? PinOffIcon : PinIcon}
              size={13}
              class="context-button"
              aria-pressed={isPinned()}
              label={`${pinning()}: ${rowLabel(known())}`}
              title={pinning()}
              onPress={() => togglePin(workbench, props.id)}
            />
            <IconButton
              icon={XIcon}
              size={13}
              class="context-button"
              label={`Remove from the context: ${rowLabel(known())}`}
              title="Remove"
              onPress={() => removeContextRow(workbench, props.id)}
            />
          </li>
        );
      }}
    </Show>
  );
}
