// A whole turn: the person's message, the model, the tools over a workspace, the session that remembers it.
//
// Everything that the turn changed is committed to the ledger as one, also when it was stopped by a limit: what was
// done until then is there for review. A turn that failed or was aborted leaves the documents as they were.

import type { AgentEvent, TurnOutcome } from "@stet/agent/agent-event";
import type { KeepArtifact } from "@stet/agent/bound-output";
import type { Inbox } from "@stet/agent/inbox";
import type { Subagents } from "@stet/agent/subagents";
import type { TurnLimits } from "@stet/agent/turn-limits";
import { type Conversation, runTurn } from "@stet/agent/turn-loop";
import { Budget, type BudgetLimits, withBudget } from "@stet/model/budget";
import type { Router } from "@stet/model/routing";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { Message } from "@stet/protocol/message";
import type { Model } from "@stet/protocol/model-stream";
import type { ArtifactFolder } from "@stet/session/artifacts";
import { buildContext } from "@stet/session/session-context";
import type { Session } from "@stet/session/session-tree";
import { beginTurnFor, openToolset } from "@stet/tools/open-toolset";
import type { AskPerson, ReadArtifact } from "@stet/tools/project/project-toolset";
import type { Toolset } from "@stet/tools/toolset";
import type { Turn } from "@stet/workspace/turns";
import type { Workspace } from "@stet/workspace/workspace";
import type { Settings } from "../settings/configuration.ts";
import { type Instruction, withInstructions } from "./instructions.ts";
import type { Meanings } from "./meanings.ts";

export interface AgentTurn {
  readonly workspace: Workspace;
  readonly session: Session;
  readonly model: Model;
  readonly router?: Pick<Router, "report"> | undefined;
  readonly settings: Settings;
  readonly instructions: readonly Instruction[];
  readonly text: string;
  readonly ask: AskPerson;
  readonly signal: AbortSignal;
  readonly inbox?: Inbox;
  /** Where outputs are kept that are too long for the model; undefined where nothing is kept. */
  readonly artifacts?: ArtifactFolder | undefined;
  readonly meanings?: Meanings | undefined;
}

export interface FinishedTurn {
  readonly outcome: TurnOutcome;
  /** The turn's name in the ledger; undefined where it changed nothing. */
  readonly turn?: string;
  readonly documents: readonly number[];
}

export type TurnEvent =
  | AgentEvent
  | { readonly type: "review"; readonly turn: string; readonly documents: readonly number[] };

export async function* runAgentTurn(request: AgentTurn): AsyncGenerator<TurnEvent, FinishedTurn | Fault> {
  const { workspace, session, settings, text } = request;
  const summary = text.slice(0, 200);
  const turn = beginTurnFor(settings.toolset, workspace, { session: session.header.id, summary });
  if (isFault(turn)) return turn;
  const conversation = conversationOf(session);
  // One budget for the turn and everyone who works for it.
  const budget = new Budget("this turn", budgetOf(settings));
  const toolset = await toolsetOf(request, turn, conversation, budget);
  if (isFault(toolset)) {
    turn.discard();
    return toolset;
  }
  const { artifacts } = request;
  const model = withBudget(request.model, budget.child("the agent"));
  await conversation.append({
    role: "user",
    content: withRejections(workspace, session, text),
    timestamp: Date.now(),
  });
  let outcome: TurnOutcome = "failed";
  try {
    for await (const event of runTurn({
      model,
      system: withInstructions(toolset.system, request.instructions),
      conversation,
      tools: toolset.tools,
      limits: limitsOf(settings, toolset),
      signal: request.signal,
      inbox: request.inbox,
      state: toolset.state,
      keepArtifact: artifacts && keepIn(artifacts),
      sessionId: session.header.id,
      router: request.router,
      spent: () => budget.spent,
    })) {
      if (event.type === "turn_end") outcome = event.outcome;
      yield event;
    }
  } finally {
    if (outcome === "failed" || outcome === "aborted") turn.discard();
  }
  if (outcome === "failed" || outcome === "aborted") return { outcome, documents: [] };
  const committed = turn.commit();
  if (isFault(committed)) return committed;
  if (committed.documents.length === 0) return { outcome, documents: [] };
  const files = committed.documents.flatMap((document) => workspace.documents.row(document)?.path ?? []);
  session.append({ type: "turn", turnId: committed.id, summary, files });
  yield { type: "review", turn: committed.id, documents: committed.documents };
  return { outcome, turn: committed.id, documents: committed.documents };
}

async function toolsetOf(
  { workspace, settings, model, ask, artifacts, meanings }: AgentTurn,
  turn: Turn,
  conversation: Conversation,
  budget: Budget,
): Promise<Toolset | Fault> {
  const embedder = settings.toolset === "paper" ? await meanings?.embedder() : undefined;
  return openToolset(settings.toolset, {
    workspace,
    turn,
    ask,
    messages: conversation.messages,
    readArtifact: artifacts && readFrom(artifacts),
    subagents: settings.toolset === "tabs" ? await subagentsOf(model, budget, settings) : undefined,
    meaning: meanings && (() => meanings.index()),
    embedder: isFault(embedder) ? undefined : embedder,
    tokenBudget: {
      initialRead: settings["ai.tokenBudget.initialRead"],
      chunkSize: settings["ai.tokenBudget.chunkSize"],
      responseReserve: settings["ai.tokenBudget.responseReserve"],
    },
  });
}

async function subagentsOf(model: Model, budget: Budget, settings: Settings): Promise<Subagents> {
  const { Subagents } = await import("@stet/agent/subagents");
  return new Subagents({
    model,
    budget: budget.child("the subagents"),
    concurrency: settings.subagents,
  });
}

function budgetOf({ maxCost, maxTokens }: Settings): BudgetLimits {
  return {
    ...(maxCost === null ? {} : { maxCost }),
    ...(maxTokens === null ? {} : { maxTokens }),
  };
}

function keepIn(artifacts: ArtifactFolder): KeepArtifact {
  return (text) => {
    const kept = artifacts.write(text);
    return isFault(kept) ? "(it could not be kept)" : `artifact://${kept.number}`;
  };
}

function readFrom(artifacts: ArtifactFolder): ReadArtifact {
  return (number, line, maxLines) => {
    const page = artifacts.read(number, { line, column: 1 }, { maxLines });
    return isFault(page) ? page : { text: page.text.replace(/\n$/, ""), totalLines: page.totalLines };
  };
}

function limitsOf(
  settings: Settings,
  { maxIterations = Number.POSITIVE_INFINITY }: Toolset,
): Partial<TurnLimits> {
  const { maxToolCalls, maxCost, maxTokens } = settings;
  return {
    toolCalls: maxToolCalls,
    iterations: Math.min(settings.maxIterations, maxIterations),
    ...(maxCost === null ? {} : { cost: maxCost }),
    ...(maxTokens === null ? {} : { tokens: maxTokens }),
  };
}

function conversationOf(session: Session): Conversation {
  const safe = (written: unknown) => {
    if (isFault(written)) throw new Error(`${written.message} ${written.suggestion}`);
  };
  return {
    messages: () => buildContext(session).messages,
    append: (message) => safe(session.appendMessage(withoutEvents(message))),
    compact({ summary, kept }, tokensBefore) {
      const { entryIds } = buildContext(session);
      const firstKeptEntryId = entryIds[entryIds.length - kept] ?? "";
      safe(session.append({ type: "compaction", summary, firstKeptEntryId, tokensBefore }));
    },
  };
}

/** Events in a tool's details were for those who watched; some hold a whole document. */
function withoutEvents(message: Message): Message {
  if (message.role !== "toolResult" || !isRecord(message.details) || !("events" in message.details))
    return message;
  const { events, ...details } = message.details;
  return { ...message, details };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const rejectedEntry = "rejections_told";

/** The person's message, and before it what they rejected since the model was last told. */
function withRejections(workspace: Workspace, session: Session, text: string): string {
  const told = session
    .entries()
    .findLast((entry) => !isFault(entry) && entry.type === "custom" && entry.customType === rejectedEntry);
  const since =
    told !== undefined && !isFault(told) && told.type === "custom"
      ? Number(told.data ?? 0)
      : newestEntry(workspace);
  const { rejected, newest } = workspace.review.rejectedSince(since);
  session.append({ type: "custom", customType: rejectedEntry, data: newest });
  if (rejected.length === 0) return text;
  const list = rejected.map(
    ({ path, added, removed }) =>
      `${path}: not "${(added[0] ?? "").slice(0, 80)}", keep "${(removed[0] ?? "").slice(0, 80)}"`,
  );
  return `${text}\n\n[The person rejected ${rejected.length} of your changes: ${list.slice(0, 10).join("; ")}]`;
}

/** A new session is not told what happened before it. */
function newestEntry(workspace: Workspace): number {
  return Number(workspace.ledger.database.get("SELECT coalesce(max(id), 0) AS id FROM entries")?.id ?? 0);
}
