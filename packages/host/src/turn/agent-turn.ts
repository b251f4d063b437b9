// A whole turn: the person's message, the model, the tools over a workspace, the session that remembers it.
//
// Everything that the turn changed is committed to the ledger as one, also when it was stopped by a limit: what was
// done until then is there for review. A turn that failed or was aborted leaves the documents as they were, but for one
// whose edits are on disk at once: what it did has had effects, so it stays and is there for review.

import type { AgentEvent, TurnOutcome, TurnStop } from "@stet/agent/agent-event";
import type { AgentBackground } from "@stet/agent/background/background";
import type { Delivery } from "@stet/agent/background/deliveries";
import { textTokens } from "@stet/agent/context-size";
import { describeTools } from "@stet/agent/describe-tools";
import type { Inbox } from "@stet/agent/inbox";
import { Owner } from "@stet/agent/owner";
import { filledPrompt } from "@stet/agent/prompt-file";
import type { TurnLimits } from "@stet/agent/turn-limits";
import { type Conversation, runTurn } from "@stet/agent/turn-loop";
import { Budget, type BudgetLimits, withBudget } from "@stet/model/budget";
import type { Router } from "@stet/model/routing";
import { withServiceTier } from "@stet/model/service-tier";
import { withThinking } from "@stet/model/thinking";
import { authorOf, fullName } from "@stet/model/wrapped-model";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { ImageContent, UserMessage } from "@stet/protocol/message";
import type { Model, ToolDescription } from "@stet/protocol/model-stream";
import { redactionFor } from "@stet/protocol/redact";
import type { ArtifactFolder } from "@stet/session/artifacts";
import type { Session } from "@stet/session/session-tree";
import { tellIfFault } from "@stet/storage/notices";
import type { AgentPorts } from "@stet/tools/agents/agent-tools";
import type { AskPerson, Capabilities } from "@stet/tools/capabilities";
import type { CodePorts } from "@stet/tools/code/code-toolset";
import { editGate } from "@stet/tools/edit-gate";
import type { ProjectLimits } from "@stet/tools/project/project-toolset";
import type { Sight } from "@stet/tools/sight/sight";
import type { Toolset } from "@stet/tools/toolset";
import { policyOf } from "@stet/tools/toolset-policies";
import type { SuspendedTurn } from "@stet/workspace/turns/turn-copy";
import type { CommittedTurn } from "@stet/workspace/turns/turn-options";
import type { Turn } from "@stet/workspace/turns/turns";
import type { Workspace } from "@stet/workspace/workspace";
import type { TurnOverhead } from "../jobs/session-use.ts";
import type { Settings } from "../settings/configuration.ts";
import { retrySettings } from "../settings/model-settings.ts";
import { answerOpenCalls, conversationOf, notesFor } from "./conversation.ts";
import { type Instruction, withInstructions } from "./instructions.ts";
import type { Meanings } from "./meanings.ts";
import { keepChoices, type SessionChoices } from "./session-choices.ts";
import { keepSight, sightOf } from "./session-sight.ts";
import { lostEdits, ownChanges, pathsOf, type TurnChanges } from "./turn-changes.ts";
import { keepIn, openTurnToolset } from "./turn-toolset.ts";

export interface AgentTurn {
  readonly workspace: Workspace;
  readonly session: Session;
  readonly model: Model;
  readonly router?: Pick<Router, "report"> | undefined;
  readonly settings: Settings;
  /** What the person chose for this turn, beside the configuration. The session goes on with it. */
  readonly choices?: SessionChoices | undefined;
  readonly instructions: readonly Instruction[];
  readonly text: string;
  /** Pictures that belong to it. */
  readonly images?: readonly ImageContent[] | undefined;
  readonly ask: AskPerson;
  readonly signal: AbortSignal;
  readonly inbox?: Inbox | undefined;
  /** The store of outputs that are too long for the model; undefined where there is none. */
  readonly artifacts?: ArtifactFolder | undefined;
  readonly meanings?: Meanings | undefined;
  /** The sight before this turn, where more is known than the session has. */
  readonly sight?: Sight | undefined;
  /** Called with the turn when it begins, so that the job can suspend it. */
  readonly onTurn?: ((turn: Turn) => void) | undefined;
  /** Called with what it sends beside the conversation, in tokens. */
  readonly onOverhead?: ((overhead: TurnOverhead) => void) | undefined;
  /** A turn that was suspended while it waited for the person, and what they answered. */
  readonly resumed?: ResumedTurn | undefined;
  /** The tab that toolset paper works on; the one in front unless given. */
  readonly tab?: string | undefined;
  /** The stored searches of the session; none unless given. */
  readonly searches?: Capabilities["searches"] | undefined;
  readonly projectLimits?: Partial<ProjectLimits> | undefined;
  /** Invalid calls before the turn stops. */
  readonly schemaRetries?: number | undefined;
  readonly code: CodeSurroundings;
  /** What may go on between turns; undefined where everything ends with the turn. */
  readonly background?: AgentBackground | undefined;
  /** What happened meanwhile and is told with the message. */
  readonly deliveries?: readonly Delivery[] | undefined;
  /** The other agents of the session. */
  readonly others?: OtherAgents | undefined;
  /** Of an agent that was sent. */
  readonly sent?: SentTurn | undefined;
}

/** What a turn brings into a session of several agents, and takes from it. */
export interface OtherAgents {
  /** Before its toolset is opened. */
  join(parts: TurnParts): AgentPorts;
  /** From now on others can speak with it; what is returned ends that. */
  listen(speaker: Speaker): () => void;
}

export interface TurnParts {
  readonly turn: Turn;
  readonly budget: Budget;
  readonly settings: Settings;
  readonly permissionMode: () => Settings["permission.mode"];
  readonly signal: AbortSignal;
}

/** An agent that can answer beside its work: from its conversation so far, without calling anything. */
export interface Speaker {
  readonly model: Model;
  readonly system: string;
  readonly conversation: Conversation;
  readonly tools: () => readonly ToolDescription[];
  readonly inbox: Inbox | undefined;
}

/** How the turn of an agent that was sent differs from a person's. */
export interface SentTurn {
  readonly changes: TurnChanges;
  readonly budget: Budget;
  /** What it is told beside its toolset's own words. */
  readonly system: string;
  /** Whose remembered permissions count: the session's that it works for. */
  readonly rulesOf: string;
  /** It may never do more than this. */
  readonly ceiling: () => Settings["permission.mode"];
  /** Why its commands may only read; undefined where they may write. */
  readonly onlyReading: string | undefined;
}

/** Where the turn works, and what the person allowed there. */
export type CodeSurroundings = Omit<
  CodePorts,
  "settings" | "session" | "keepArtifact" | "agents" | "background" | "onlyReading"
>;

export interface ResumedTurn {
  readonly suspended: SuspendedTurn;
  readonly callId: string;
  readonly answer: string;
}

export interface FinishedTurn {
  readonly outcome: TurnOutcome;
  readonly stop?: TurnStop | undefined;
  /** The turn's name in the ledger; undefined where it changed nothing. */
  readonly turn?: string;
  readonly documents: readonly number[];
}

export type TurnEvent =
  | AgentEvent
  | { readonly type: "review"; readonly turn: string; readonly documents: readonly number[] };

export async function* runAgentTurn(request: AgentTurn): AsyncGenerator<TurnEvent, FinishedTurn | Fault> {
  const { workspace, session, settings } = request;
  const redact = redactionFor(request.code.environment);
  const text = redact(request.text);
  const summary = text.slice(0, 200);
  const changes = request.sent?.changes ?? ownChanges(workspace, settings, session.header.id);
  const turn = changes.begin(summary, request.resumed?.suspended);
  if (isFault(turn)) return turn;
  request.onTurn?.(turn);
  const conversation = conversationOf(session);
  // One budget for the turn and everyone who works for it.
  const budget = request.sent?.budget ?? new Budget("this turn", budgetOf(settings));
  const sight = request.sight ?? sightOf(session);
  const toolset = await openTurnToolset(request, { turn, conversation, budget, sight });
  if (isFault(toolset)) {
    tellIfFault(changes.abandon(turn));
    return toolset;
  }
  request.onOverhead?.({
    system: textTokens(toolset.system),
    tools: textTokens(JSON.stringify(describeTools(toolset.tools))),
  });
  const { artifacts } = request;
  const spoken = withServiceTier(withThinking(request.model, settings.thinking), settings.serviceTier);
  const model = withBudget(spoken, budget.child("the agent"));
  const { resumed } = request;
  const deliveries = resumed === undefined ? redact(request.deliveries ?? []) : [];
  if (resumed === undefined) {
    const unkept = keepChoices(session, request.choices ?? {});
    if (isFault(unkept)) {
      tellIfFault(changes.abandon(turn));
      return unkept;
    }
    for (const delivery of deliveries) await conversation.deliver?.(delivery);
    const notes = [...notesFor(workspace, session).map(redact), ...planNote(settings)];
    if (text !== "" || notes.length > 0)
      await conversation.append({
        role: "user",
        content: messageOf(text, notes, request),
        timestamp: Date.now(),
      });
  } else await answerOpenCalls(conversation, resumed.callId, redact(resumed.answer));
  const gate = request.router && editGate(workspace, turn);
  const system = redact(withInstructions(systemOf(toolset, request), request.instructions));
  const silence = request.others?.listen({
    model,
    system,
    conversation,
    tools: () => describeTools(toolset.tools),
    inbox: request.inbox,
  });
  let author = fullName(request.model);
  let outcome: TurnOutcome = "failed";
  let isUnfinished = true;
  let stop: TurnStop | undefined;
  let kept: CommittedTurn | Fault | undefined;
  try {
    // Whoever watches the turn sees why it began.
    for (const delivery of deliveries) yield { type: "delivered", delivery };
    for await (const event of runTurn({
      model,
      system,
      conversation,
      tools: toolset.tools,
      limits: limitsOf(request),
      signal: request.signal,
      inbox: request.inbox,
      state: toolset.state,
      keepArtifact: artifacts && keepIn(artifacts, redact),
      sessionId: session.header.id,
      router: request.router,
      gate,
      retry: retrySettings(settings),
      compaction: {
        isAutomatic: settings["compaction.enabled"],
        keepTokens: settings["compaction.keepRecentTokens"],
      },
      spent: () => budget.spent,
      hooks: [
        ...(toolset.hooks ?? []),
        ...(gate === undefined ? [] : [gate]),
        { atEnd: () => lostEdits(turn) },
      ],
      missing: toolset.missing,
      redact,
    })) {
      if (event.type === "turn_end") {
        outcome = event.outcome;
        isUnfinished = hasFailed(outcome) || (turn.options.isWhole === true && isCutShort(event.stop));
        stop = isUnfinished ? withNothingKept(event.stop, turn) : event.stop;
        if (stop !== undefined) tellIfFault(session.append(stopEntry(stop)));
        yield stop === undefined ? event : { ...event, stop };
        continue;
      }
      if (event.type === "model" && event.event.type === "done") {
        author = keepAuthor(session, author, authorOf(event.event.message));
      }
      yield event;
    }
  } finally {
    const owner = new Owner();
    owner.own(() => {
      if (isUnfinished) kept = changes.abandon(turn);
    });
    owner.own(() => keepSight(session, sight));
    // Closed first: what commands changed until the last moment is part of the turn.
    owner.own(() => toolset.close?.());
    owner.own(() => silence?.());
    await owner.close();
  }
  const committed = isUnfinished ? kept : await changes.commit(turn);
  if (committed === undefined) return { outcome, stop, documents: [] };
  if (isFault(committed)) return committed;
  const refused = await workspace.ledger.settled();
  if (isFault(refused)) return refused;
  if (committed.documents.length === 0) return { outcome, stop, documents: [] };
  const files = pathsOf(workspace, committed.documents);
  tellIfFault(session.append({ type: "turn", turnId: committed.id, summary, files }));
  yield { type: "review", turn: committed.id, documents: committed.documents };
  return { outcome, stop, turn: committed.id, documents: committed.documents };
}

/** Tells the model of plan mode before it runs into it. */
function planNote(settings: Settings): string[] {
  const isPlan = settings["permission.mode"] === "plan" && policyOf(settings.toolset).writes === "immediate";
  return isPlan ? [filledPrompt("plan-mode.md")] : [];
}

/** The person's words and images, and the notes for the model beside them. */
function messageOf(
  text: string,
  notes: readonly string[],
  { images = [] }: AgentTurn,
): UserMessage["content"] {
  if (images.length === 0 && notes.length === 0) return text;
  const told = notes.map((note) => ({ type: "text", text: note, isNote: true }) as const);
  return [{ type: "text", text }, ...images, ...told];
}

/** Another model took over: the session says so, and its next turn begins with the chosen one again. */
function keepAuthor(session: Session, before: string, now: string): string {
  if (now !== before) tellIfFault(session.append({ type: "model_change", model: now, role: "temporary" }));
  return now;
}

function hasFailed(outcome: TurnOutcome): boolean {
  return outcome === "failed" || outcome === "aborted";
}

/** Whether a limit ended a turn in the middle. Where only its last words are missing, every call was carried out. */
function isCutShort(stop: TurnStop | undefined): boolean {
  return stop !== undefined && stop.limit !== "output" && stop.limit !== "empty_answer";
}

function stopEntry({ limit, message, isDiscarded }: TurnStop) {
  return { type: "stop", reason: limit, message, ...(isDiscarded ? { isDiscarded } : {}) } as const;
}

/** Half a turn is never proposed where a turn is decided on as a whole. */
function withNothingKept(stop: TurnStop | undefined, turn: Turn): TurnStop | undefined {
  const { staged, created } = turn.suspend();
  if (stop === undefined || staged.length + created.length === 0) return stop;
  const message = `${stop.message} Nothing was changed: a turn of this toolset is all or nothing.`;
  return { ...stop, message, isDiscarded: true };
}

/** The toolset's own words, with what an agent that was sent is told. */
function systemOf({ system }: Toolset, { sent }: AgentTurn): string {
  return sent === undefined ? system : `${system}\n\n${sent.system}`;
}

export function budgetOf({ maxCost, maxTokens }: Settings): BudgetLimits {
  return {
    ...(maxCost === null ? {} : { maxCost }),
    ...(maxTokens === null ? {} : { maxTokens }),
  };
}

function limitsOf({ settings, schemaRetries }: AgentTurn): Partial<TurnLimits> {
  const { maxToolCalls, maxCost, maxTokens } = settings;
  const { maxIterations = Number.POSITIVE_INFINITY } = policyOf(settings.toolset);
  return {
    toolCalls: maxToolCalls,
    iterations: Math.min(settings.maxIterations, maxIterations),
    ...(schemaRetries === undefined ? {} : { schemaRetries }),
    ...(maxCost === null ? {} : { cost: maxCost }),
    ...(maxTokens === null ? {} : { tokens: maxTokens }),
  };
}
