// /agents: the agents of the session over the whole screen, or as lines where nothing is drawn over. With words behind it, one of
// them is stopped, told something, or read.

import { agentTree } from "@stet/client/agents";
import type { AgentView } from "@stet/protocol/api/agents";
import { isFault } from "@stet/protocol/fault";
import type { App } from "../app.ts";
import { stopAgent, tellAgent } from "../background/agent-actions.ts";
import { AgentsPanel } from "../background/agents-panel.ts";
import { kindRows, sumTexts } from "../background/agents-view.ts";
import { agentFacts, agentState, agentStep } from "../background/background-words.ts";
import { cleanLine } from "../transcript/rows.ts";

const verbs = ["list", "stop", "tell", "read"];

export async function completeAgents(word: string, app: App): Promise<readonly string[]> {
  const ids = app.background.agents.map(({ agent_id: id }) => id);
  return [...verbs, ...ids].filter((name) => name.toLowerCase().startsWith(word.toLowerCase()));
}

export async function agents(argument: string, app: App): Promise<void> {
  const [verb = "", id = ""] = argument.split(/\s+/);
  const isPanel = argument === "" && app.dialogs.isLinear !== true;
  const session = app.conversation.id;
  if (isPanel) {
    const open = (close: () => void) => new AgentsPanel(partsOf(app, session), close);
    return app.dialogs.panel(open, { over: "screen" });
  }
  await app.background.refresh();
  if (verb === "" || verb === "list") return listAgents(app);
  if (!verbs.includes(verb))
    return app.tell("Say /agents, or /agents stop ID, /agents tell ID TEXT, /agents read ID.", "error");
  const agent = app.background.agents.find(({ agent_id: known }) => known.toLowerCase() === id.toLowerCase());
  if (agent === undefined) {
    app.tell(
      `There is no agent ${cleanLine(id) || "without an id"} in this session. /agents lists them.`,
      "error",
    );
    return;
  }
  if (verb === "read") return readAgent(app, agent);
  const text = argument.slice(argument.indexOf(id) + id.length).trim();
  if (verb === "tell" && text === "")
    return app.tell(`Say what ${cleanLine(id)} shall hear: /agents tell ID TEXT.`, "error");
  const said =
    verb === "stop" ? await stopAgent(app.api, session, agent) : await tellAgent(app.api, agent, text);
  if (isFault(said)) app.tellFault(said);
  else app.tell(said);
}

/** Members of the app are getters of a class, so they are named one by one. */
function partsOf(app: App, session: string) {
  const { api, theme, keys, background } = app;
  return {
    api,
    theme,
    keys,
    background,
    session,
    get screen() {
      return app.screen;
    },
    follow: (options: Parameters<App["follow"]>[0]) => app.follow(options),
    requestRender: () => app.requestRender(),
    onEvent: (listener: Parameters<App["onEvent"]>[0]) => app.onEvent(listener),
  };
}

async function listAgents(app: App): Promise<void> {
  const { background, theme } = app;
  const kinds = await app.api.call("listAgentDefinitions", {});
  if (isFault(kinds)) return app.tellFault(kinds);
  const lines = agentTree(background.agents).map(({ agent, depth }) => {
    const facts = agentFacts(agent, background.workedMs(agent));
    return `${"  ".repeat(depth)}${cleanLine(agent.agent_id)} (${cleanLine(agent.agent)}), ${agentState(agent).word}, ${facts}: ${cleanLine(agent.description)}. ${agentStep(agent)}`;
  });
  const { state, sum } = sumTexts(background.agents);
  const head =
    lines.length === 0 ? ["No agent works or worked for this session."] : [...lines, `${state}. ${sum}.`];
  await app.dialogs.page("Agents", {
    render: (width) => [...head, "", "Agents that can be sent:", ...kindRows(kinds.agents, theme, width)],
  });
}

/** The end of its conversation. */
async function readAgent(app: App, { agent_id: id, session_id: session }: AgentView): Promise<void> {
  const reply = await app.api.call("sessionMessages", {
    params: { session_id: session },
    query: { limit: 50 },
  });
  if (isFault(reply)) return app.tellFault(reply);
  const { sessionItems } = await import("@stet/client/session-items");
  const { LinearItems } = await import("../transcript/linear-items.ts");
  const lines: string[] = [];
  new LinearItems({ thinking: "folded", write: (line) => lines.push(line) }).update(
    sessionItems(reply.messages),
  );
  await app.dialogs.page(`The conversation of ${cleanLine(id)}`, { render: () => lines });
}
