// What can be asked of the agent by name or by key, whether its sidebar is open or not.

import type { Workbench } from "../workspace/workbench.ts";
import { agentOf } from "./agent.ts";
import type { ComposerControl } from "./agent-state.ts";
import { addContextRow, clearContext, fileRow, type NewContextRow, selectionRow } from "./context.ts";
import { stopAgent } from "./speaking.ts";

const group = "Agent";

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
  workbench.commands.use(
    {
      id: "agent.focus",
      title: "Write to the agent",
      group,
      keys: ["Alt-m"],
      run: () => {
        // At once where it is there: what is typed with the next key is for the agent.
        agent.composer?.focus();
        withComposer((composer) => composer.focus());
      },
    },
    {
      id: "agent.new",
      title: "New conversation",
      group,
      keys: ["Alt-Shift-m"],
      run: async () => {
        await agent.startNew();
        withComposer((composer) => composer.focus());
      },
    },
    {
      id: "agent.stop",
      title: "Stop the agent",
      group,
      keys: ["Alt-."],
      isEnabled: () => agent.state.job !== null,
      run: () => stopAgent(agent),
    },
    {
      id: "agent.model",
      title: "Switch model",
      group,
      run: () => withComposer((composer) => composer.openModels()),
    },
    {
      id: "agent.toolset",
      title: "Switch toolset",
      group,
      run: () => withComposer((composer) => composer.openToolsets()),
    },
    {
      id: "agent.addSelection",
      title: "Add selection to the agent's context",
      group,
      keys: ["Alt-Enter"],
      isEnabled: () => selectionRow(workbench) !== undefined,
      run: () => add(selectionRow(workbench)),
    },
    {
      id: "agent.addFile",
      title: "Add file to the agent's context",
      group,
      keys: ["Alt-Shift-Enter"],
      isEnabled: () => fileRow(workbench) !== undefined,
      run: () => add(fileRow(workbench)),
    },
    {
      id: "agent.clearContext",
      title: "Clear the agent's context",
      group,
      isEnabled: () => agent.state.rows.length > 0,
      run: () => clearContext(workbench),
    },
  );
}
