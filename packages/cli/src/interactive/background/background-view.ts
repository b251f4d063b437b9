// Below the line that moves: what each agent does now, and what happened and was not told yet. Bounded: of many the first few
// are shown, those that ask the person before all others.

import type { AgentView } from "@stet/protocol/api/agents";
import { deliveryTitle } from "@stet/protocol/delivery-words";
import type { Component } from "@stet/tui/component";
import { truncateCells } from "@stet/tui/text/slice";
import { cellWidth } from "@stet/tui/text/width";
import { bothEnds } from "../screen/panel-rows.ts";
import type { Theme } from "../theme/theme.ts";
import { cleanLine } from "../transcript/rows.ts";
import { agentFacts, agentState, agentStep } from "./background-words.ts";
import type { SessionBackground } from "./session-background.ts";

export interface BackgroundViewOptions {
  readonly theme: Theme;
  readonly requestRender: (view: BackgroundView) => void;
  /** Whether a row stands right above it. */
  readonly isBelowActivity: () => boolean;
}

const mostAgents = 5;
const mostWaiting = 3;
/** The clock of the rows. */
const tickMs = 1000;
/** What is said of an agent keeps this room beside how long it has worked. */
const leastStep = 20;

type WorkInView = Pick<SessionBackground, "working" | "workedMs" | "background">;

export class BackgroundView implements Component {
  readonly #options: BackgroundViewOptions;
  #state: WorkInView | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: BackgroundViewOptions) {
    this.#options = options;
  }

  /** It is another one than it was. */
  set(state: WorkInView): void {
    this.#state = state;
    const isMoving = state.working.length > 0;
    if (isMoving && this.#timer === undefined)
      this.#timer = setInterval(() => this.#options.requestRender(this), tickMs).unref();
    else if (!isMoving) this.close();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  render(width: number): readonly string[] {
    const state = this.#state;
    if (state === undefined) return [];
    const rows = [...this.#agentRows(state, width), ...this.#waitingRows(state, width)];
    return rows.length === 0 || this.#options.isBelowActivity() ? rows : ["", ...rows];
  }

  #agentRows(state: WorkInView, width: number): string[] {
    const { working } = state;
    const { theme } = this.#options;
    const asking = working.filter(({ question }) => question !== null);
    const others = working.filter(({ question }) => question === null);
    const began = others.toSorted(
      (one, other) => Number(other.status === "running") - Number(one.status === "running"),
    );
    const shown = [...asking, ...began].slice(0, mostAgents);
    const rows = shown.map((agent) => agentRow(agent, state.workedMs(agent), width, theme));
    const hidden = working.length - shown.length;
    return hidden > 0 ? [...rows, moreRow(`and ${hidden} more: /agents`, width, theme)] : rows;
  }

  #waitingRows({ background: { waiting, autonomy } }: WorkInView, width: number): string[] {
    if (waiting.length === 0) return [];
    const { theme } = this.#options;
    const sign = theme.symbol("pending");
    const rows = waiting
      .slice(0, mostWaiting)
      .map((one) => truncateCells(theme.fg("muted", ` ${sign} ${cleanLine(deliveryTitle(one))}`), width));
    const hidden = waiting.length - mostWaiting;
    if (hidden > 0) rows.push(moreRow(`and ${hidden} more: /jobs`, width, theme));
    const when = autonomy.mode === "allowed" ? autonomy.held : null;
    const hint =
      when ??
      (autonomy.mode === "allowed"
        ? "the agent hears it in a moment"
        : "told with your next message, or /jobs");
    rows.push(moreRow(hint, width, theme));
    return rows;
  }
}

function agentRow(agent: AgentView, workedMs: number, width: number, theme: Theme): string {
  const { symbol, colour } = agentState(agent);
  const facts = theme.fg("dim", `${agentFacts(agent, workedMs)} `);
  const name = theme.fg(colour, ` ${theme.symbol(symbol)} ${cleanLine(agent.agent_id)}`);
  const step = theme.fg(agent.question === null ? "muted" : "warning", agentStep(agent));
  const left = `${name}  ${step}`;
  const room = width - cellWidth(facts) - 2;
  return room < leastStep
    ? truncateCells(left, width, theme.symbol("more"))
    : bothEnds(truncateCells(left, room, theme.symbol("more")), facts, width);
}

function moreRow(text: string, width: number, theme: Theme): string {
  return truncateCells(theme.fg("dim", `   ${text}`), width);
}
