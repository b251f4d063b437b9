// The agent: its conversation, what it is given to see, and where one writes to it.

import { agentOfSession } from "@stet/client/agents";
import { onMount, Show } from "solid-js";
import { AgentCrumbs } from "../agents/agent-crumbs.tsx";
import { AgentsSection } from "../agents/agents-section.tsx";
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
  const childId = () => agentOfSession(agent.state.session);
  onMount(() => setTimeout(loadMarkdown, 1000));
  return (
    <section class="panel agent" aria-label="Agent">
      <Show when={childId()} fallback={<AgentHeader agent={agent} />} keyed>
        {(id) => <AgentCrumbs id={id} />}
      </Show>
      <PracticeBanner />
      <Show
        when={agent.items().length > 0}
        fallback={
          <Show
            when={!agent.state.isOpening}
            fallback={<div class="chat fill" />}
            children={
              <Show when={childId() === undefined} fallback={<NothingYet />} children={<EmptyChat />} />
            }
          />
        }
      >
        {/* Another conversation begins at its own end. */}
        <Show when={agent.state.session ?? "new"} keyed>
          <ChatList agent={agent} />
        </Show>
      </Show>
      <AgentsSection agent={agent} />
      <QueuedMessages agent={agent} />
      <Show when={childId() === undefined}>
        <ContextRows agent={agent} />
      </Show>
      <Composer agent={agent} />
      <p class="unseen" role="status">
        {agent.state.announcement}
      </p>
    </section>
  );
}

/** An agent that waits for its turn. */
function NothingYet() {
  return (
    <div class="chat fill">
      <p class="empty-note">It has said nothing yet. What it does appears here when it begins.</p>
    </div>
  );
}
