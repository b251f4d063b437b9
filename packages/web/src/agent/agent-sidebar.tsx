// The agent: its conversation, what it is given to see, and where one writes to it.

import { onMount, Show } from "solid-js";
import { useWorkbench } from "../workspace/workbench.ts";
import { agentOf } from "./agent.ts";
import { AgentHeader } from "./agent-header.tsx";
import { ChatList } from "./chat-list.tsx";
import { Composer } from "./composer.tsx";
import { ContextRows } from "./context-rows.tsx";
import { EmptyChat } from "./empty-chat.tsx";
import { loadMarkdown } from "./markdown-view.tsx";
import { PracticeBanner } from "./practice-banner.tsx";
import { QueuedMessages } from "./queued-messages.tsx";
import "./agent-sidebar.css";
import "./chat.css";

export function AgentSidebar() {
  const workbench = useWorkbench();
  const agent = agentOf(workbench);
  onMount(() => setTimeout(loadMarkdown, 1000));
  return (
    <section class="panel agent" aria-label="Agent">
      <AgentHeader agent={agent} />
      <PracticeBanner />
      <Show
        when={agent.items().length > 0}
        fallback={
          <Show when={!agent.state.isOpening} fallback={<div class="chat fill" />} children={<EmptyChat />} />
        }
      >
        {/* Another conversation begins at its own end. */}
        <Show when={agent.state.session ?? "new"} keyed>
          <ChatList agent={agent} />
        </Show>
      </Show>
      <QueuedMessages agent={agent} />
      <ContextRows agent={agent} />
      <Composer agent={agent} />
      <p class="unseen" role="status">
        {agent.state.announcement}
      </p>
    </section>
  );
}
