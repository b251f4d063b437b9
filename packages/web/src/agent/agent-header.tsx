// The conversation's title, and the way to others.

import TreeIcon from "lucide-solid/icons/git-branch";
import NewIcon from "lucide-solid/icons/square-pen";
import { createSignal, Show } from "solid-js";
import { CommandButton, IconButton } from "../ui/button.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import type { Agent } from "./agent.ts";
import { SessionList } from "./session-list.tsx";

export function AgentHeader(props: { readonly agent: Agent }) {
  const workbench = useWorkbench();
  const { agent } = props;
  const [isRenaming, setRenaming] = createSignal(false);
  const title = () => agent.state.title || "New conversation";
  const finish = (text: string) => {
    setRenaming(false);
    void agent.rename(text.trim());
  };
  const showTree = () => {
    const { session } = agent.state;
    if (session !== null) workbench.views.show({ kind: "session", session, title: title() });
  };
  return (
    <header class="panel-head agent-head">
      <Show
        when={isRenaming()}
        fallback={
          <h2>
            <Show when={agent.state.title} fallback={agent.state.isOpening ? "" : title()}>
              <button
                type="button"
                class="agent-title hovers ellipsis"
                title="Rename the conversation"
                onClick={() => setRenaming(true)}
              >
                {title()}
              </button>
            </Show>
          </h2>
        }
      >
        <input
          class="field"
          aria-label="Title of the conversation"
          value={agent.state.title}
          maxLength={200}
          ref={(input) => queueMicrotask(() => input.select())}
          onKeyDown={(event) => {
            if (event.key === "Enter") finish(event.currentTarget.value);
            if (event.key === "Escape") setRenaming(false);
          }}
          onBlur={(event) => isRenaming() && finish(event.currentTarget.value)}
        />
      </Show>
      <Show when={agent.state.session}>
        <IconButton icon={TreeIcon} label="Show the conversation as a tree" onPress={showTree} />
      </Show>
      <SessionList agent={agent} />
      <CommandButton icon={NewIcon} label="New conversation" command="agent.new" />
    </header>
  );
}
