// What can be asked of the agent by name or by key, whether its sidebar is open or not.

import { agentOfSession } from "@stet/client/agents";
import { isCommand } from "@stet/client/items";
import { showAgents } from "../agents/agents-section.tsx";
import { sessionWorkOf } from "../agents/session-work.ts";
import { always, commandsOf } from "../app/commands.ts";
import { openModelDialog } from "../models/model-dialog-state.ts";
import type { Workbench } from "../workspace/workbench.ts";
import { agentOf } from "./agent.ts";
import type { ComposerControl } from "./agent-state.ts";
import { addContextRow, clearContext, fileRow, type NewContextRow, selectionRow } from "./context.ts";
import { stopAgent } from "./speaking.ts";

const command = commandsOf("Agent");

/** For as long as the window lives. */
export function addAgentCommands(workbench: Workbench): void {
  const agent = agentOf(workbench);
  /** In the next frame: whoever ran the command has given the focus back by then. */
  const withComposer = (action: (composer: ComposerControl) => void) => {
    workbench.layout.set({ isAgentOpen: true });
    requestAnimationFrame(() => {
      if (agent.composer !== undefined) action(agent.composer);
    });
  };
  const add = (row: NewContextRow | undefined) => {
    if (row !== undefined) void addContextRow(workbench, row);
  };
  const hasSelection = () => selectionRow(workbench) !== undefined;
  const hasFile = () => fileRow(workbench) !== undefined;
  const work = sessionWorkOf(workbench);
  const isCommandRunning = () =>
    agent.items().some((item) => item.kind === "tool" && isCommand(item) && item.status === "running");
  const isChild = () => agentOfSession(agent.state.session) !== undefined;
  const [isAtWork, hasRows] = [() => agent.state.job !== null, () => agent.state.rows.length > 0];
  workbench.commands.use(
    command("agent.focus", "Write to the agent", "Alt-m", always, () => {
      // At once where it is there: what is typed with the next key is for the agent.
      agent.composer?.focus();
      withComposer((composer) => composer.focus());
    }),
    command("agent.new", "New conversation", "Alt-Shift-m", always, async () => {
      await agent.startNew();
      withComposer((composer) => composer.focus());
    }),
    command("agent.stop", "Stop the agent", "Alt-.", isAtWork, () => stopAgent(agent)),
    command("agent.model", "Switch model", "", always, () =>
      withComposer((composer) => composer.openModels()),
    ),
    command("model.connect", "Connect a model", "", always, () => openModelDialog()),
    command("model.default", "Choose the default model", "", always, () =>
      openModelDialog({ kind: "models", provider: undefined }),
    ),
    command("agent.toolset", "Switch toolset", "", always, () =>
      withComposer((composer) => composer.openToolsets()),
    ),
    command("agent.addSelection", "Add selection to the agent's context", "Alt-Enter", hasSelection, () =>
      add(selectionRow(workbench)),
    ),
    command("agent.addFile", "Add file to the agent's context", "Alt-Shift-Enter", hasFile, () =>
      add(fileRow(workbench)),
    ),
    command("agent.background", "Put the running command in the background", "", isCommandRunning, () =>
      work.putInBackground(),
    ),
    command("agent.others", "Show the agents and what goes on in the background", "", work.hasWork, () =>
      showAgents(workbench),
    ),
    command("agent.back", "Back from an agent to the conversation", "", isChild, () => work.openRoot()),
    command("agent.clearContext", "Clear the agent's context", "", hasRows, () => clearContext(workbench)),
  );
}
