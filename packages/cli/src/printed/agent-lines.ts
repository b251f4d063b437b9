// Agents of a printed turn, in text: a line when one begins, and a line when it has ended, with what it took and where what it
// gave back can be read.

import type { TurnEvent } from "@stet/host/turn/agent-turn";
import type { AgentView } from "@stet/protocol/api/agents";
import { numberText } from "@stet/protocol/number-text";
import { visibleName } from "@stet/protocol/visible";
import { costText, seconds } from "../render-text.ts";
import type { Terminal } from "../terminal.ts";

export class AgentLines {
  readonly #style: Terminal["style"];
  readonly #line: (text: string) => void;
  readonly #working = new Set<string>();
  /** What calls of agents would change, until they are made. */
  readonly #previews = new Map<string, string>();

  /** `line` writes a line where none is being written. */
  constructor({ style }: Pick<Terminal, "style">, line: (text: string) => void) {
    this.#style = style;
    this.#line = line;
  }

  status(agent: AgentView, output: string | undefined): void {
    const { agent_id: id, status } = agent;
    if (status === "pending") return;
    if (status !== "running") {
      this.#working.delete(id);
      this.#line(this.#end(agent, output));
    } else if (!this.#working.has(id)) {
      this.#working.add(id);
      const what = visibleName(`${id} (${agent.agent}) begins: ${agent.description}`);
      this.#line(`${this.#style("cyan", "↳")} ${what}`);
    }
  }

  #end(agent: AgentView, output: string | undefined): string {
    const { agent_id: id, status, tokens, conflicts, summary } = agent;
    const facts = [
      `${status} after ${seconds(agent.duration_ms)}`,
      `${numberText(tokens)} ${tokens === 1 ? "token" : "tokens"}`,
      costText({ total: agent.cost_usd, isUnknown: !agent.cost_known }),
      ...(conflicts === 0 ? [] : [`${conflicts} ${conflicts === 1 ? "conflict" : "conflicts"}`]),
    ];
    const isGood = status === "completed";
    const mark = isGood ? this.#style("green", "✓") : this.#style("yellow", "✗");
    const why = isGood && output !== undefined ? "" : ` ${sentence(summary)}`;
    const how = output === undefined ? "" : this.#style("dim", ` Read it: ${visibleName(output)}`);
    return `${mark} ${visibleName(`${id} ${facts.join(", ")}.${why}`)}${how}`;
  }

  event(agent: string, event: TurnEvent): void {
    if (event.type === "tool_preview") this.#previews.set(keyOf(agent, event.id), event.diff);
    else if (event.type === "tool_end") this.#previews.delete(keyOf(agent, event.id));
  }

  /** For the question whether the call may be made. */
  previewOf(agent: string, callId: string): string | undefined {
    return this.#previews.get(keyOf(agent, callId));
  }
}

/** Something may follow it in the same line. */
function sentence(text: string): string {
  return /[\p{L}\p{N}]$/u.test(text) ? `${text}.` : text;
}

function keyOf(agent: string, callId: string): string {
  return `${agent} ${callId}`;
}
