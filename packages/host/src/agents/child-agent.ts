// One agent that was sent to work: what it is, what it does now, and what it has cost. Its view is what people see of it.

import type { AgentEvent } from "@stet/agent/agent-event";
import type { Inbox } from "@stet/agent/inbox";
import type { Budget, BudgetLimits } from "@stet/model/budget";
import type { AgentStatus, AgentView } from "@stet/protocol/api/agents";
import type { EventData } from "@stet/protocol/events/log-event";
import { addUsage, noCost, noUsage, type Usage } from "@stet/protocol/message";
import type { AgentDefinition } from "@stet/tools/agents/agent-definition";
import type { Assignment, ChildRequest } from "@stet/tools/agents/delegation";

export interface ChildPlace {
  readonly id: string;
  /** Whom it works for: main, or an agent's id. */
  readonly parent: string;
  /** How deep it was sent: 1 by the session's own agent. */
  readonly depth: number;
  /** Its own conversation. */
  readonly session: string;
}

type Isolation = AgentView["isolation"];
type EndStatus = Extract<AgentStatus, "completed" | "failed" | "aborted">;

export class ChildAgent {
  readonly place: ChildPlace;
  readonly definition: AgentDefinition;
  description: string;
  status: AgentStatus = "pending";
  step = "waits for its turn";
  jobId: string | null = null;
  model = "";
  isolation: Isolation = "ledger";
  question: EventData<"clarification.requested"> | null = null;
  turn: string | null = null;
  documents: readonly number[] = [];
  conflicts = 0;
  summary = "";
  /** What it is to give back now. */
  assignment: Assignment = { schema: undefined, findings: [], yielded: undefined, reminders: 0 };
  /** While it is at work. */
  inbox: Inbox | undefined;
  stop = new AbortController();
  /** What its model said last. */
  lastText = "";
  /** Why its model failed, where it did. */
  failure: string | undefined;
  #toolCalls = 0;
  #spent: Usage = noUsage;
  #budget: Budget | undefined;
  #startedAt: number | undefined;
  #began = 0;
  #workedMs = 0;
  readonly #changed: (isStatus: boolean) => void;

  /**
   * `changed` is called whenever its view is another one; with whether that is more than a step. `before` is what it was when
   * an earlier process ended: what it used then is counted on.
   */
  constructor(
    place: ChildPlace,
    { agent, description }: Pick<ChildRequest, "agent" | "description">,
    changed: (child: ChildAgent, isStatus: boolean) => void,
    before?: AgentView,
  ) {
    this.place = place;
    this.definition = agent;
    this.description = description;
    this.#changed = (isStatus) => changed(this, isStatus);
    if (before === undefined) return;
    this.#toolCalls = before.tool_calls;
    this.#workedMs = before.duration_ms;
    this.#startedAt = before.started_at === null ? undefined : Date.parse(before.started_at);
    const { tokens, cost_usd: total, cost_known: isKnown } = before;
    const cost = { ...noCost, total, ...(isKnown ? {} : { isUnknown: true }) };
    this.#spent = { ...noUsage, input: tokens, cost };
  }

  get isAtWork(): boolean {
    return this.status === "pending" || this.status === "running";
  }

  /** Of all its work, with whoever works for it. */
  get usage(): Usage {
    return this.#budget === undefined ? this.#spent : addUsage(this.#spent, this.#budget.spent);
  }

  get durationMs(): number {
    return Math.round(this.#workedMs + (this.status === "running" ? performance.now() - this.#began : 0));
  }

  /** A new piece of work: the first, or once more. */
  assign(request: Pick<ChildRequest, "description" | "schema">): void {
    this.description = request.description;
    this.assignment = { schema: request.schema, findings: [], yielded: undefined, reminders: 0 };
    this.stop = new AbortController();
    this.status = "pending";
    this.step = "waits for its turn";
    this.turn = null;
    this.documents = [];
    this.conflicts = 0;
    this.summary = "";
    this.lastText = "";
    this.failure = undefined;
    this.#changed(true);
  }

  begin(parent: Budget, limits: BudgetLimits): Budget {
    this.#budget = parent.child(this.place.id, limits);
    this.#startedAt ??= Date.now();
    this.#began = performance.now();
    this.status = "running";
    this.step = "begins";
    this.#changed(true);
    return this.#budget;
  }

  /** What it does now, in words. */
  note(step: string): void {
    this.step = step;
    this.#changed(false);
  }

  ask(question: EventData<"clarification.requested"> | null): void {
    this.question = question;
    this.#changed(true);
  }

  observe(event: AgentEvent): void {
    if (event.type === "tool_start") {
      this.#toolCalls += 1;
      this.note(event.words ?? event.name);
    } else if (event.type === "model" && event.event.type === "done") {
      const text = event.event.message.content
        .map((part) => (part.type === "text" ? part.text : ""))
        .join("")
        .trim();
      if (text !== "") this.lastText = text;
      this.#changed(false);
    } else if (event.type === "turn_end") this.failure = event.failure?.message;
    else if (event.type === "auto_retry_start") this.note(`waits for its model: ${event.errorMessage}`);
  }

  /** Its view as it will be when it has ended so: it is kept before anybody is told. */
  viewAtEnd(status: EndStatus, summary: string): AgentView {
    return { ...this.view(), status, summary, question: null };
  }

  end(status: EndStatus, summary: string): void {
    if (this.status === "running") this.#workedMs += performance.now() - this.#began;
    this.#spent = this.usage;
    this.#budget = undefined;
    this.status = status;
    this.summary = summary;
    this.question = null;
    this.inbox = undefined;
    this.#changed(true);
  }

  view(): AgentView {
    const { place, definition, usage } = this;
    return {
      agent_id: place.id,
      parent: place.parent,
      agent: definition.name,
      source: definition.source,
      description: this.description,
      status: this.status,
      step: this.step,
      job_id: this.jobId,
      session_id: place.session,
      model: this.model,
      isolation: this.isolation,
      started_at: this.#startedAt === undefined ? null : new Date(this.#startedAt).toISOString(),
      duration_ms: this.durationMs,
      tool_calls: this.#toolCalls,
      tokens: usage.input + usage.cacheRead + usage.cacheWrite + usage.output,
      cost_usd: usage.cost.total,
      cost_known: usage.cost.isUnknown !== true,
      question: this.question,
      turn: this.turn,
      documents: [...this.documents],
      conflicts: this.conflicts,
      summary: this.summary,
    };
  }
}
