// Whether something goes on between the turns of any session, and where.

import type { Reply } from "@stet/protocol/api/route";
import type { Routes } from "@stet/protocol/api/routes";
import { isFault } from "@stet/protocol/fault";
import { createSignal, onMount, Show } from "solid-js";
import { agentOf } from "../agent/agent.ts";
import { showAgents } from "../agents/agents-section.tsx";
import { BareButton } from "../ui/button.tsx";
import { toggleMenu } from "../ui/menu.ts";
import { reloadOn } from "../workspace/reload.ts";
import { useWorkbench } from "../workspace/workbench.ts";
import { plural } from "./word-count.ts";

type BusySession = Reply<Routes["listAllBackground"]>["sessions"][number];

export function BackgroundStatus() {
  const workbench = useWorkbench();
  const [sessions, setSessions] = createSignal<readonly BusySession[]>([]);
  const load = async () => {
    const reply = await workbench.client.call("listAllBackground");
    if (!isFault(reply)) setSessions(reply.sessions.filter((busy) => wordsOf([busy]) !== ""));
  };
  onMount(() => void load());
  reloadOn(workbench, ["background.changed"], 400, load);
  const show = async ({ session_id: session }: BusySession) => {
    const agent = agentOf(workbench);
    workbench.layout.set({ isAgentOpen: true });
    if (agent.state.session !== session) await agent.open(session);
    showAgents(workbench);
  };
  const choose = (at: Element) => {
    const [only, ...others] = sessions();
    if (only !== undefined && others.length === 0) return show(only);
    return toggleMenu({
      label: "In the background",
      at,
      entries: sessions().map((busy) => ({
        label: busy.title || "Without a title",
        hint: wordsOf([busy]),
        run: () => show(busy),
      })),
    });
  };
  return (
    <Show when={sessions().length > 0}>
      <BareButton
        class="status-button chip status-background"
        aria-haspopup={sessions().length > 1 ? "menu" : undefined}
        title="Show what goes on in the background"
        onPress={(event) => choose(event.currentTarget)}
      >
        <span class="ellipsis">{wordsOf(sessions())}</span>
      </BareButton>
    </Show>
  );
}

function wordsOf(sessions: readonly BusySession[]): string {
  const jobs = sessions.flatMap((busy) => busy.jobs);
  const agents = jobs.filter(({ type }) => type === "task").length;
  const timers = sessions.reduce((sum, busy) => sum + busy.timers.length, 0);
  const parts = [
    agents === 0 ? "" : plural(agents, "agent"),
    jobs.length === agents ? "" : plural(jobs.length - agents, "command"),
    timers === 0 ? "" : plural(timers, "timer"),
  ].filter((part) => part !== "");
  return parts.length === 0 ? "" : `${parts.join(", ")} in the background`;
}
