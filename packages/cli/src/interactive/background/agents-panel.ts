// /agents over the whole screen: the tree of the session's agents, the conversation of one as it goes on, and which agents there
// are. Whoever works is steered, whoever has ended is asked again, and either is told from the tree or from its conversation.

import type { AgentDefinitionView, AgentView } from "@stet/protocol/api/agents";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { InputComponent } from "@stet/tui/component";
import type { Input } from "@stet/tui/input/input";
import { truncateCells } from "@stet/tui/text/slice";
import type { App } from "../app.ts";
import { bothEnds, hintRow, rowsFrom, ruleRow, scrolled } from "../screen/panel-rows.ts";
import { cleanLine } from "../transcript/rows.ts";
import { stopAgent, tellAgent } from "./agent-actions.ts";
import { AgentReader } from "./agent-reader.ts";
import { agentEntry, agentHead, kindRows, sumTexts } from "./agents-view.ts";
import type { AgentsAction } from "./background-keys.ts";
import { agentFacts } from "./background-words.ts";
import { entryRows } from "./entry-rows.ts";
import { PanelLine } from "./panel-line.ts";

export type AgentsParts = Pick<
  App,
  "api" | "follow" | "theme" | "keys" | "screen" | "requestRender" | "onEvent" | "background"
> & { readonly session: string };

type View =
  | { readonly kind: "list" }
  | { readonly kind: "kinds" }
  | { readonly kind: "conversation"; readonly reader: AgentReader };

const list: View = { kind: "list" };
/** The clock of the rows. */
const tickMs = 1000;

const hints = {
  list: [
    { key: "enter", help: "read" },
    { key: "t", help: "tell it" },
    { key: "x", help: "stop" },
    { key: "tab", help: "which there are" },
    { key: "esc", help: "close" },
  ],
  kinds: [
    { key: "↑↓", help: "scroll" },
    { key: "tab", help: "those of this session" },
    { key: "esc", help: "back" },
  ],
  conversation: [
    { key: "t", help: "tell it" },
    { key: "x", help: "stop" },
    { key: "end", help: "follow" },
    { key: "esc", help: "back" },
  ],
};

export class AgentsPanel implements InputComponent {
  isFocused = false;
  readonly #parts: AgentsParts;
  readonly #close: () => void;
  readonly #line = new PanelLine();
  readonly #stops: (() => void)[];
  #view: View = list;
  #selected: string | undefined;
  #kinds: readonly AgentDefinitionView[] | undefined;
  /** The first row that is shown; undefined to follow the end. */
  #offset: number | undefined = 0;
  #bodyRows = 1;
  #contentRows = 0;
  #pending = 0;

  constructor(parts: AgentsParts, close: () => void) {
    this.#parts = parts;
    this.#close = close;
    const tick = setInterval(() => parts.requestRender(), tickMs).unref();
    this.#stops = [
      () => clearInterval(tick),
      parts.background.onChange(() => parts.requestRender()),
      parts.onEvent((event) => {
        if (this.#view.kind === "conversation") this.#view.reader.hear(event);
      }),
    ];
    this.#do(async () => {
      await parts.background.refresh();
      return undefined;
    });
  }

  /** Whether a request is on its way. */
  get isBusy(): boolean {
    return this.#pending > 0;
  }

  get #agents(): readonly AgentView[] {
    return this.#parts.background.agents;
  }

  get #agent(): AgentView | undefined {
    const { tree } = this.#parts.background;
    const view = this.#view;
    if (view.kind === "conversation")
      return this.#agents.find(({ session_id: session }) => session === view.reader.session);
    return (tree.find(({ agent }) => agent.agent_id === this.#selected) ?? tree[0])?.agent;
  }

  handleInput(input: Input): boolean {
    if (input.kind === "key" && input.isRelease) return false;
    if (this.#line.isAsking) this.#line.handleInput(input);
    else if (input.kind === "key") {
      const action = this.#parts.keys.actionOf.agents(input.id);
      if (action === undefined) return false;
      this.#line.quieten();
      this.#act(action);
    }
    this.#parts.requestRender();
    return true;
  }

  #act(action: AgentsAction): void {
    if (action === "agents.close") this.#leave();
    else if (action === "agents.back") this.#back();
    else if (action === "agents.kinds") this.#toggleKinds();
    else if (action === "agents.tell") this.#tell();
    else if (action === "agents.stop") this.#stop();
    else if (action === "agents.open") this.#open();
    else if (this.#view.kind === "list") this.#move(action);
    else this.#scroll(action);
  }

  #move(action: AgentsAction): void {
    const { tree } = this.#parts.background;
    const page = Math.max(1, Math.floor(this.#bodyRows / 2));
    const at = tree.findIndex(({ agent }) => agent === this.#agent);
    const next = Math.max(0, Math.min(tree.length - 1, at + stepOf(action, page, tree.length)));
    this.#selected = tree[next]?.agent.agent_id;
  }

  #scroll(action: AgentsAction): void {
    const isFollowed = this.#view.kind === "conversation";
    if (action === "agents.bottom" && isFollowed) {
      this.#offset = undefined;
      return;
    }
    const by = stepOf(action, Math.max(1, this.#bodyRows - 1), this.#contentRows);
    const from = this.#offset ?? this.#contentRows;
    const offset = scrolled(
      scrolled(from, this.#contentRows, this.#bodyRows) + by,
      this.#contentRows,
      this.#bodyRows,
    );
    const isAtEnd = isFollowed && by > 0 && offset >= this.#contentRows - this.#bodyRows;
    this.#offset = isAtEnd ? undefined : offset;
  }

  #open(): void {
    const agent = this.#agent;
    if (this.#view.kind !== "list" || agent === undefined) return;
    this.#selected = agent.agent_id;
    this.#view = { kind: "conversation", reader: new AgentReader(this.#parts, agent.session_id) };
    this.#offset = undefined;
  }

  #toggleKinds(): void {
    const isShown = this.#view.kind === "kinds";
    this.#closeReader();
    this.#view = isShown ? list : { kind: "kinds" };
    if (isShown) return;
    this.#offset = 0;
    this.#do(async () => {
      const reply = await this.#parts.api.call("listAgentDefinitions", {});
      if (isFault(reply)) return reply;
      this.#kinds = reply.agents;
      return undefined;
    });
  }

  #back(): void {
    if (this.#view.kind === "list") this.#leave();
    else {
      this.#closeReader();
      this.#view = list;
    }
  }

  #closeReader(): void {
    if (this.#view.kind === "conversation") this.#view.reader.close();
  }

  #leave(): void {
    this.#closeReader();
    for (const stop of this.#stops) stop();
    this.#close();
  }

  #tell(): void {
    const agent = this.#agent;
    if (agent === undefined || this.#view.kind === "kinds") return;
    const name = `To ${cleanLine(agent.agent_id)}`;
    this.#line.read(name, this.#parts.keys.editing, (text) => {
      // It may have ended while this was typed.
      const now = this.#agents.find(({ agent_id: id }) => id === agent.agent_id) ?? agent;
      this.#do(() => tellAgent(this.#parts.api, now, text));
    });
  }

  #stop(): void {
    const agent = this.#agent;
    if (agent === undefined || this.#view.kind === "kinds") return;
    const id = cleanLine(agent.agent_id);
    if (agent.status !== "running" && agent.status !== "pending") {
      this.#line.say(`${id} does not work any more.`);
      return;
    }
    const below = this.#agents.some(({ agent_id: other }) => other.startsWith(`${agent.agent_id}.`));
    this.#line.ask(`Stop ${id}${below ? " and whoever works for it" : ""}?`, () =>
      this.#do(() => stopAgent(this.#parts.api, this.#parts.session, agent)),
    );
  }

  #do(action: () => Promise<string | Fault | undefined>): void {
    this.#pending += 1;
    void action().then((result) => {
      this.#pending -= 1;
      if (isFault(result)) this.#tellFault(result);
      else if (typeof result === "string") this.#line.say(result, "success");
      this.#parts.requestRender();
    });
  }

  #tellFault({ message, suggestion }: Fault): void {
    this.#line.say(`${message} ${suggestion}`.trim(), "error");
  }

  render(width: number): readonly string[] {
    const { theme, screen } = this.#parts;
    const height = Math.max(4, screen.rows);
    const below = [
      ...this.#line.rows(width, this.isFocused, theme),
      hintRow(this.#line.hints ?? hints[this.#view.kind], width, theme, 1),
    ];
    const above = this.#above(width);
    this.#bodyRows = Math.max(1, height - above.length - below.length);
    return [...above, ...this.#body(width, this.#bodyRows), ...below];
  }

  #above(width: number): string[] {
    const { theme, background } = this.#parts;
    const name = (text: string) => theme.emphasis("bold", theme.fg("accent", text));
    const agent = this.#agent;
    if (this.#view.kind === "kinds") return [name("Agents that can be sent"), ruleRow("", width, theme)];
    if (this.#view.kind === "conversation" && agent !== undefined) {
      const title = `${name(cleanLine(agent.agent_id))}  ${cleanLine(agent.agent)}: ${cleanLine(agent.description)}`;
      const facts = theme.fg("muted", agentFacts(agent, background.workedMs(agent)));
      const head = agentHead(agent, theme, width);
      return [bothEnds(truncateCells(title, width), facts, width), ...head, ruleRow("", width, theme)];
    }
    const { state, sum } = sumTexts(this.#agents);
    const left = truncateCells(`${name("Agents")}  ${state}`, width);
    return [bothEnds(left, theme.fg("muted", sum), width), ruleRow("", width, theme)];
  }

  #body(width: number, height: number): string[] {
    const { theme, background } = this.#parts;
    if (this.#view.kind === "list") {
      const nodes = background.tree;
      if (nodes.length === 0) return rowsFrom(this.#emptyRows(width), 0, height);
      const selected = nodes.findIndex(({ agent }) => agent === this.#agent);
      const entries = nodes.map((node) => agentEntry(node, background.workedMs(node.agent)));
      return rowsFrom(entryRows(entries, Math.max(0, selected), { width, height, theme }), 0, height);
    }
    const rows = this.#rows(this.#view, width);
    this.#contentRows = rows.length;
    return rowsFrom(rows, scrolled(this.#offset ?? rows.length, rows.length, height), height);
  }

  #rows(view: Exclude<View, { kind: "list" }>, width: number): string[] {
    const { theme } = this.#parts;
    if (view.kind === "kinds") {
      if (this.#kinds === undefined) return [theme.fg("muted", "Reading …")];
      return kindRows(this.#kinds, theme, width);
    }
    const { reader } = view;
    if (reader.fault !== undefined)
      return [theme.fg("error", truncateCells(cleanLine(reader.fault.message), width))];
    const rows = reader.rows(width);
    if (rows.length > 0) return rows;
    return [theme.fg("muted", reader.isReading ? "Reading …" : "It has said nothing yet.")];
  }

  #emptyRows(width: number): string[] {
    const { theme } = this.#parts;
    return [
      "No agent works or worked for this session.",
      "Name one in a message, as @explore or @task, and the model may send it.",
    ].map((text) => truncateCells(theme.fg("muted", text), width));
  }
}

/** How far an action goes, in rows or entries. */
function stepOf(action: AgentsAction, page: number, all: number): number {
  const by: Partial<Record<AgentsAction, number>> = {
    "agents.up": -1,
    "agents.down": 1,
    "agents.pageUp": -page,
    "agents.pageDown": page,
    "agents.top": -all,
    "agents.bottom": all,
  };
  return by[action] ?? 0;
}
